// Generated from openapi.json by `npm run client:types`: do not edit.

export type Change = CustomerChange | TankChange | TelemetryChange | EventChange;

export interface Health {
  /** Always `ok`; otherwise the answer is a 503. */
  status: 'ok';
}

export interface StandbyHealth {
  /** Its position in the list of standbys, from 1. */
  standby: number;
  /** Whether reads go to it; if not, they go to the others or to the primary. */
  in_use: boolean;
  /** Maximum replication lag in seconds; null while it is unknown. */
  lag_seconds: number | null;
}

export interface Ready {
  /** Always `ok`; otherwise the answer is a 503. */
  status: 'ok';
  /** One entry for each standby, where there are any. */
  standbys?: StandbyHealth[] | undefined;
}

export interface Customer {
  /** Unique identifier of the customer. */
  id: string;
  /** Always `customer`. */
  object: 'customer';
  /** When the customer was created. */
  created_at: string;
  /** The customer's email address. */
  email: string;
  /** Whether the customer's email has been verified. */
  is_verified: boolean;
  /** The customer's last activity. */
  last_seen_at: string | null;
  /** Full name or business name. */
  name: string;
  /** Phone number. */
  phone: string | null;
  /** Number of tanks assigned to the customer. */
  tank_count: number;
  /** When the customer last changed any field. */
  updated_at: string;
  /** When the customer verified their email. */
  verified_at: string | null;
}

export interface List<T> {
  /** Always `list`. */
  object: 'list';
  /** Up to `size` objects, in the list's order; empty when there are no more. */
  data: T[];
  /** The page returned. */
  page: number;
  /** The page size. */
  size: number;
  /** How many pages there are; 0 when there are no items. */
  total_pages: number;
  /** How many items there are. */
  total_items: number;
}

export interface DeletedCustomer {
  /** Unique identifier of the customer. */
  id: string;
  /** Always `customer`. */
  object: 'customer';
  /** Always true: the customer was deleted. */
  deleted: true;
}

export interface FieldError {
  /** Where the field is: a JSON pointer (RFC 6901). */
  pointer: string;
  /** What is wrong with it. */
  detail: string;
}

export interface InvalidFields {
  /** Always `about:blank`. Use `code` to distinguish problems. */
  type: string;
  /** The name of the status code. */
  title: string;
  /** The status code of the response. */
  status: number;
  /** What went wrong and how to fix it, for a person. */
  detail: string;
  /** A stable name of the problem, for a program. */
  code:
    | 'invalid_parameters'
    | 'range_too_large'
    | 'malformed_url'
    | 'malformed_body'
    | 'invalid_fields'
    | 'readings_refused'
    | 'body_too_large'
    | 'unsupported_media_type'
    | 'request_timeout'
    | 'missing_api_key'
    | 'invalid_api_key'
    | 'session_ended'
    | 'cross_site'
    | 'insufficient_scope'
    | 'bound_key'
    | 'not_found'
    | 'method_not_allowed'
    | 'cursor_expired'
    | 'misdirected_request'
    | 'not_acceptable'
    | 'precondition_failed'
    | 'deleted'
    | 'owner_deleted'
    | 'erased'
    | 'device_taken'
    | 'owns_tanks'
    | 'delivered'
    | 'already_planned'
    | 'id_taken'
    | 'profile_in_use'
    | 'key_ended'
    | 'last_admin'
    | 'webhooks_off'
    | 'disabled'
    | 'built_in'
    | 'key_needed'
    | 'too_many'
    | 'duplicate'
    | 'already_confirmed'
    | 'not_confirmed'
    | 'rate_limited'
    | 'overloaded'
    | 'database_unavailable'
    | 'not_ready'
    | 'shutting_down'
    | 'bad_request'
    | 'internal_error';
  /** The id of this request, as in the `X-Request-Id` header and in the logs. */
  request_id: string;
  /** Every field that is not valid, once: the first 100, in the order of the fields, unknown ones last. */
  errors: FieldError[];
}

export interface Conflict {
  /** Always `about:blank`. Use `code` to distinguish problems. */
  type: string;
  /** The name of the status code. */
  title: string;
  /** The status code of the response. */
  status: number;
  /** What went wrong and how to fix it, for a person. */
  detail: string;
  /** A stable name of the problem, for a program. */
  code:
    | 'invalid_parameters'
    | 'range_too_large'
    | 'malformed_url'
    | 'malformed_body'
    | 'invalid_fields'
    | 'readings_refused'
    | 'body_too_large'
    | 'unsupported_media_type'
    | 'request_timeout'
    | 'missing_api_key'
    | 'invalid_api_key'
    | 'session_ended'
    | 'cross_site'
    | 'insufficient_scope'
    | 'bound_key'
    | 'not_found'
    | 'method_not_allowed'
    | 'cursor_expired'
    | 'misdirected_request'
    | 'not_acceptable'
    | 'precondition_failed'
    | 'deleted'
    | 'owner_deleted'
    | 'erased'
    | 'device_taken'
    | 'owns_tanks'
    | 'delivered'
    | 'already_planned'
    | 'id_taken'
    | 'profile_in_use'
    | 'key_ended'
    | 'last_admin'
    | 'webhooks_off'
    | 'disabled'
    | 'built_in'
    | 'key_needed'
    | 'too_many'
    | 'duplicate'
    | 'already_confirmed'
    | 'not_confirmed'
    | 'rate_limited'
    | 'overloaded'
    | 'database_unavailable'
    | 'not_ready'
    | 'shutting_down'
    | 'bad_request'
    | 'internal_error';
  /** The id of this request, as in the `X-Request-Id` header and in the logs. */
  request_id: string;
  /** With `device_taken`: the tank that has the device, if your key sees it. With `already_planned`: the tank of the stop. */
  tank_id?: string | undefined;
  /** With `already_planned`: the run that has an open stop there. */
  run_id?: string | undefined;
  /** With `owns_tanks`: how many tanks the customer has. */
  tank_count?: number | undefined;
}

export interface CustomerInput {
  /** The customer's email address. */
  email: string;
  /** Full name or business name. */
  name: string;
  /** Whether the customer's email has been verified. */
  is_verified?: boolean | undefined;
  /** Phone number. */
  phone?: (string | null) | undefined;
  /** When the customer was created. */
  created_at?: string | undefined;
  /** The customer's last activity. */
  last_seen_at?: (string | null) | undefined;
  /** When the customer verified their email. */
  verified_at?: (string | null) | undefined;
}

export interface CustomerPatch {
  /** The customer's email address. */
  email?: string | undefined;
  /** Full name or business name. */
  name?: string | undefined;
  /** Whether the customer's email has been verified. */
  is_verified?: boolean | undefined;
  /** Phone number. */
  phone?: (string | null) | undefined;
  /** When the customer was created. */
  created_at?: string | undefined;
  /** The customer's last activity. */
  last_seen_at?: (string | null) | undefined;
  /** When the customer verified their email. */
  verified_at?: (string | null) | undefined;
}

export type NoFields = Record<string, never>;

export interface TankLocation {
  /** City. */
  city: string | null;
  /** Country. */
  country: string | null;
  /** District. */
  district: string | null;
  /** Latitude in degrees. */
  latitude: number | null;
  /** Longitude in degrees. */
  longitude: number | null;
  /** Postal code. */
  postal_code: string | null;
  /** Region or state. */
  region: string | null;
  /** Street. */
  street: string | null;
  /** Street number. */
  street_number: string | null;
}

/** What the tank is used for. */
export type UseCase = 'residential' | 'commercial' | 'industrial';

export interface Tank {
  /** Unique identifier of the tank. */
  id: string;
  /** Always `tank`. */
  object: 'tank';
  /** Identifier of the device assigned to the tank. */
  assigned_device_id: string;
  /** Total capacity of the tank. */
  capacity: number;
  /** Unit of the capacity. A gallon is a US gallon (3.785411784 liters). */
  capacity_unit: 'liters' | 'gallons';
  /** When the tank was created. */
  created_at: string;
  /** Identifier for the customer's own internal use. */
  custom_id: string | null;
  /** Location of the tank; every key is there, null where unknown. */
  location: TankLocation;
  /** Threshold: a newest reading at or below it makes the tank low, and an event `tank.low` is recorded, which webhooks deliver. */
  min_fill_alert_percentage: number;
  /** The tank's name. */
  name: string;
  /** Identifier of the owning customer. */
  owner_id: string;
  /** When a data field of the tank was last changed. */
  updated_at: string;
  /** What the tank is used for. */
  use_case: UseCase | null;
}

export interface DeletedTank {
  /** Unique identifier of the tank. */
  id: string;
  /** Always `tank`. */
  object: 'tank';
  /** Always true: the tank was deleted. */
  deleted: true;
}

export interface LocationInput {
  /** City. */
  city?: (string | null) | undefined;
  /** Country. */
  country?: (string | null) | undefined;
  /** District. */
  district?: (string | null) | undefined;
  /** Latitude in degrees. */
  latitude?: (number | null) | undefined;
  /** Longitude in degrees. */
  longitude?: (number | null) | undefined;
  /** Postal code. */
  postal_code?: (string | null) | undefined;
  /** Region or state. */
  region?: (string | null) | undefined;
  /** Street. */
  street?: (string | null) | undefined;
  /** Street number. */
  street_number?: (string | null) | undefined;
}

export interface TankInput {
  /** Total capacity of the tank. */
  capacity: number;
  /** Unit of the capacity. A gallon is a US gallon (3.785411784 liters). */
  capacity_unit: 'liters' | 'gallons';
  /** The tank's name. */
  name: string;
  /** Identifier of the owning customer. */
  owner_id: string;
  /** Identifier of the device assigned to the tank. */
  assigned_device_id?: string | undefined;
  /** Identifier for the customer's own internal use. */
  custom_id?: (string | null) | undefined;
  /** Threshold: a newest reading at or below it makes the tank low, and an event `tank.low` is recorded, which webhooks deliver. */
  min_fill_alert_percentage?: number | undefined;
  /** What the tank is used for. */
  use_case?: (UseCase | null) | undefined;
  /** When the tank was created. */
  created_at?: string | undefined;
  /** Location of the tank; what is left out is null, and null is as all null. */
  location?: (LocationInput | null) | undefined;
}

export interface TankPatch {
  /** Total capacity of the tank. */
  capacity?: number | undefined;
  /** Unit of the capacity. A gallon is a US gallon (3.785411784 liters). */
  capacity_unit?: ('liters' | 'gallons') | undefined;
  /** The tank's name. */
  name?: string | undefined;
  /** Identifier of the owning customer. */
  owner_id?: string | undefined;
  /** Identifier of the device assigned to the tank. */
  assigned_device_id?: string | undefined;
  /** Identifier for the customer's own internal use. */
  custom_id?: (string | null) | undefined;
  /** Threshold: a newest reading at or below it makes the tank low, and an event `tank.low` is recorded, which webhooks deliver. */
  min_fill_alert_percentage?: number | undefined;
  /** What the tank is used for. */
  use_case?: (UseCase | null) | undefined;
  /** When the tank was created. */
  created_at?: string | undefined;
  /** What is given of the location changes, what is left out stays; null clears all of it. */
  location?: (LocationInput | null) | undefined;
}

export interface Reading {
  /** Always `telemetry`. */
  object: 'telemetry';
  /** When the reading was created. */
  created_at: string;
  /** Fill level of the tank as a percentage. */
  fill_percentage: number;
}

export interface TelemetryRow {
  /** Always `telemetry`. */
  object: 'telemetry';
  /** Identifier of the tank. */
  tank_id: string;
  /** When the reading was created. */
  created_at: string;
  /** Fill level of the tank as a percentage. */
  fill_percentage: number;
}

/** How long a bucket is. */
export type SeriesInterval = '5m' | '15m' | '1h' | '6h' | '1d' | '7d' | '30d' | '1mo';

export interface SeriesBucket {
  /** When the bucket starts. */
  start: string;
  /** How many readings of the range it holds. */
  count: number;
  /** Its oldest reading; null without any. */
  first: number | null;
  /** Its newest reading; null without any. */
  last: number | null;
  /** Its lowest reading; null without any. */
  min: number | null;
  /** Its highest reading; null without any. */
  max: number | null;
  /** Mean of its readings, to nine decimals; null without any. */
  mean: number | null;
  /** Points used: of each pair of neighbouring readings whose later one it holds, what fell minus what rose, without rises of 5 points or more, falls of more than 20 and pairs more than 7 days apart, to two decimals; null when no pair counts. */
  used: number | null;
}

export interface SeriesGap {
  /** Time of the last reading before it. */
  from: string;
  /** Time of the first reading after it; null while it lasts. */
  to: string | null;
}

export interface SeriesRefill {
  /** Time of the first reading after it. */
  at: string;
  /** The fill level before it. */
  from: number;
  /** The fill level after it. */
  to: number;
}

export interface Series {
  /** Always `series`. */
  object: 'series';
  /** Identifier of the tank. */
  tank_id: string;
  /** The start of the range. */
  created_at_gte: string;
  /** The end of the range. */
  created_at_lte: string;
  /** The time zone of days, weeks and months. */
  time_zone: string;
  /** How long a bucket is. */
  interval: SeriesInterval;
  /** Nominal length of a bucket in seconds; of a month that of 30 days. */
  interval_seconds: number;
  /** How many readings the range holds. */
  total_items: number;
  /** Every bucket from the one that holds the start to the one that holds the end, oldest first. */
  data: SeriesBucket[];
  /** Times without a reading that are longer than the `silent_after_seconds` of the tank, whole even where they reach beyond the range: the newest 1,000, oldest first. */
  gaps: SeriesGap[];
  /** Rises of 5 points or more from one reading to the next: the newest 1,000, oldest first. */
  refills: SeriesRefill[];
  /** How many gaps there are in all. */
  gaps_total: number;
  /** How many refills there are in all. */
  refills_total: number;
}

export interface Deletion {
  /** Always `deletion`. */
  object: 'deletion';
  /** How many readings were removed. */
  deleted: number;
}

export interface ReadingsPage {
  /** Always `readings`. */
  object: 'readings';
  /** The next readings, up to `size`. */
  data: TelemetryRow[];
  /** Where to go on: send it as `after`. Null on the last page. */
  next: string | null;
}

export interface ReadingError {
  /** Which reading, counted from 0; empty lines and the CSV header do not count. */
  index: number;
  /** A stable code, for programs. */
  code:
    | 'malformed_reading'
    | 'unknown_field'
    | 'missing_field'
    | 'invalid_value'
    | 'in_the_future'
    | 'unknown_tank'
    | 'unknown_device'
    | 'ambiguous_device'
    | 'deleted_tank';
  /** What is wrong, for people. */
  detail: string;
}

export interface IngestResult {
  /** New readings. */
  created: number;
  /** Readings that replaced a stored value. */
  updated: number;
  /** Readings that were stored already, with the same value. */
  unchanged: number;
  /** Readings replaced by a later one of this request, of the same tank and instant. */
  superseded: number;
  /** Readings that were refused; if there are any, the answer is a 400. */
  refused: number;
  /** Why readings were refused: the first 100, in the order they were sent. */
  errors: ReadingError[];
  /** Always `ingest_result`. */
  object: 'ingest_result';
}

export interface ReadingsRefused {
  /** Always `about:blank`. Use `code` to distinguish problems. */
  type: string;
  /** The name of the status code. */
  title: string;
  /** The status code of the response. */
  status: number;
  /** What went wrong and how to fix it, for a person. */
  detail: string;
  /** A stable name of the problem, for a program. */
  code:
    | 'invalid_parameters'
    | 'range_too_large'
    | 'malformed_url'
    | 'malformed_body'
    | 'invalid_fields'
    | 'readings_refused'
    | 'body_too_large'
    | 'unsupported_media_type'
    | 'request_timeout'
    | 'missing_api_key'
    | 'invalid_api_key'
    | 'session_ended'
    | 'cross_site'
    | 'insufficient_scope'
    | 'bound_key'
    | 'not_found'
    | 'method_not_allowed'
    | 'cursor_expired'
    | 'misdirected_request'
    | 'not_acceptable'
    | 'precondition_failed'
    | 'deleted'
    | 'owner_deleted'
    | 'erased'
    | 'device_taken'
    | 'owns_tanks'
    | 'delivered'
    | 'already_planned'
    | 'id_taken'
    | 'profile_in_use'
    | 'key_ended'
    | 'last_admin'
    | 'webhooks_off'
    | 'disabled'
    | 'built_in'
    | 'key_needed'
    | 'too_many'
    | 'duplicate'
    | 'already_confirmed'
    | 'not_confirmed'
    | 'rate_limited'
    | 'overloaded'
    | 'database_unavailable'
    | 'not_ready'
    | 'shutting_down'
    | 'bad_request'
    | 'internal_error';
  /** The id of this request, as in the `X-Request-Id` header and in the logs. */
  request_id: string;
  /** New readings. */
  created: number;
  /** Readings that replaced a stored value. */
  updated: number;
  /** Readings that were stored already, with the same value. */
  unchanged: number;
  /** Readings replaced by a later one of this request, of the same tank and instant. */
  superseded: number;
  /** Readings that were refused; if there are any, the answer is a 400. */
  refused: number;
  /** Why readings were refused: the first 100, in the order they were sent. */
  errors: ReadingError[];
}

export interface Fleet {
  /** Always `fleet`. */
  object: 'fleet';
  /** When the tanks were counted. The `ETag` does not depend on it. */
  as_of: string;
  /** All tanks. */
  tanks: number;
  /** Tanks with a reading. */
  reported: number;
  /** Tanks without any reading. */
  never_reported: number;
  /** Tanks that are low. */
  low: number;
  /** Tanks that have fallen silent. */
  silent: number;
  /** Tanks that are low and silent. */
  low_and_silent: number;
}

export interface Instants {
  /** One time in ten it is earlier. */
  p10: string | null;
  /** Half of the time it is earlier. */
  p50: string | null;
  /** Nine times in ten it is earlier. */
  p90: string | null;
}

export interface Forecast {
  /** When it was made. */
  made_at: string;
  /** Percentage points expected to be used in the coming 7 days, ÷ 7. */
  percent_per_day: number;
  /** When `min_fill_alert_percentage` is reached, cut to the hour; null when that is more than 180 days later. Null as a whole while the tank is low. */
  alert: Instants | null;
  /** When the tank is empty, cut to the hour; null when that is more than 180 days later. */
  empty: Instants;
}

export interface TankStatus {
  /** Always `tank_status`. */
  object: 'tank_status';
  /** Identifier of the tank. */
  tank_id: string;
  /** The tank's name. */
  name: string;
  /** The customer's own id for the tank. */
  custom_id: string | null;
  /** Identifier of the device assigned to the tank. */
  assigned_device_id: string;
  /** Identifier of the owning customer. */
  owner_id: string;
  /** What the tank is used for. */
  use_case: UseCase | null;
  /** Total capacity of the tank. */
  capacity: number;
  /** Unit of capacity and volume. */
  capacity_unit: 'liters' | 'gallons';
  /** Fill percentage at or below which the tank is low. */
  min_fill_alert_percentage: number;
  /** Location of the tank; every key is there, null where unknown. */
  location: TankLocation;
  /** The owner's name; null when the owner is deleted. */
  owner_name: string | null;
  /** When the newest reading was created; null without any. */
  reported_at: string | null;
  /** Fill level of the newest reading; null without any. */
  fill_percentage: number | null;
  /** Capacity × fill, in `capacity_unit`, to two decimals; null without a reading. */
  volume: number | null;
  /** Whether there is a reading. */
  reported: boolean;
  /** Whether the fill level is at or below `min_fill_alert_percentage`; false without a reading. */
  low: boolean;
  /** Whether more than `silent_after_seconds` have passed since the newest reading; false without one. */
  silent: boolean;
  /** The median gap between the newest 10 readings, times 3, from an hour to seven days; a day with fewer than 3 readings. */
  silent_after_seconds: number;
  /** When the tank reaches its alert, and when it is empty, if nobody delivers. Null without a reading, with less than 3 days between the first and the newest one, when the newest was older than 30 days, and until it is made. */
  forecast: Forecast | null;
}

export type FleetSort = 'fill_percentage' | 'reported_at' | 'created_at' | 'alert_at' | 'empty_at';

export interface Consumption {
  /** Percentage points used per day. */
  percent_per_day: number;
  /** Days until the tank is empty. */
  days_left: number;
  /** Days until `min_fill_alert_percentage` is reached; 0 when the tank is low. */
  days_to_alert: number;
  /** The first reading used. */
  since: string;
}

export interface TankStatusWithConsumption {
  /** Always `tank_status`. */
  object: 'tank_status';
  /** Identifier of the tank. */
  tank_id: string;
  /** The tank's name. */
  name: string;
  /** The customer's own id for the tank. */
  custom_id: string | null;
  /** Identifier of the device assigned to the tank. */
  assigned_device_id: string;
  /** Identifier of the owning customer. */
  owner_id: string;
  /** What the tank is used for. */
  use_case: UseCase | null;
  /** Total capacity of the tank. */
  capacity: number;
  /** Unit of capacity and volume. */
  capacity_unit: 'liters' | 'gallons';
  /** Fill percentage at or below which the tank is low. */
  min_fill_alert_percentage: number;
  /** Location of the tank; every key is there, null where unknown. */
  location: TankLocation;
  /** The owner's name; null when the owner is deleted. */
  owner_name: string | null;
  /** When the newest reading was created; null without any. */
  reported_at: string | null;
  /** Fill level of the newest reading; null without any. */
  fill_percentage: number | null;
  /** Capacity × fill, in `capacity_unit`, to two decimals; null without a reading. */
  volume: number | null;
  /** Whether there is a reading. */
  reported: boolean;
  /** Whether the fill level is at or below `min_fill_alert_percentage`; false without a reading. */
  low: boolean;
  /** Whether more than `silent_after_seconds` have passed since the newest reading; false without one. */
  silent: boolean;
  /** The median gap between the newest 10 readings, times 3, from an hour to seven days; a day with fewer than 3 readings. */
  silent_after_seconds: number;
  /** When the tank reaches its alert, and when it is empty, if nobody delivers. Null without a reading, with less than 3 days between the first and the newest one, when the newest was older than 30 days, and until it is made. */
  forecast: Forecast | null;
  /** How fast the tank is being emptied, from the readings of the 14 days before the newest one. Null when they cover less than 3 days, when less than 1 point was used, or when the tank is silent. */
  consumption: Consumption | null;
}

export interface ForecastDay {
  /** `made_at` and 1 to 30 days. */
  at: string;
  /** One time in ten the level is lower. */
  p10: number;
  /** Half of the time the level is lower. */
  p50: number;
  /** Nine times in ten the level is lower. */
  p90: number;
}

export interface AccuracyOfHorizon {
  /** Days after the forecast was made. */
  days: 1 | 3 | 7 | 14 | 28;
  /** How many forecasts were compared. */
  forecasts: number;
  /** Share of them with a use within p10 and p90; 0.8 is right, not 1. */
  within: number | null;
  /** Share of them with more used than p10 allowed for; 0.1 is right. */
  earlier: number | null;
  /** Mean error of p50, in percentage points. */
  mean_error: number | null;
  /** Mean error of a plain rule on the same forecasts: the mean use of the last 14 days. */
  plain_error: number | null;
}

export interface AccuracyOfTank {
  /** The oldest forecast that was compared. */
  since: string | null;
  /** The newest forecast that was compared. */
  until: string | null;
  /** Forecasts that could not be compared: the tank was silent, or a reading was wrong or the tank drained. */
  skipped: number;
  /** After 1, 3, 7, 14 and 28 days. */
  horizons: AccuracyOfHorizon[];
}

export interface TankForecast {
  /** Always `forecast`. */
  object: 'forecast';
  /** Identifier of the tank. */
  tank_id: string;
  /** When it was made; null without a forecast. */
  made_at: string | null;
  /** The level it starts from: without noise and wrong readings, carried on to `made_at`. */
  level: number | null;
  /** Percentage points expected to be used in the coming 7 days, ÷ 7. */
  percent_per_day: number | null;
  /** When `min_fill_alert_percentage` is reached, cut to the hour; null when that is more than 180 days later. Null as a whole while the tank is low. */
  alert: Instants | null;
  /** When the tank is empty, cut to the hour; null when that is more than 180 days later. */
  empty: Instants | null;
  /** The level on the next 30 days, if nobody delivers. */
  data: ForecastDay[];
  /** How good this tank's own forecasts were; null while fewer than 20 were compared after 7 days. */
  accuracy: AccuracyOfTank | null;
}

export interface ForecastAccuracy {
  /** The oldest forecast that was compared. */
  since: string | null;
  /** The newest forecast that was compared. */
  until: string | null;
  /** Forecasts that could not be compared: the tank was silent, or a reading was wrong or the tank drained. */
  skipped: number;
  /** After 1, 3, 7, 14 and 28 days. */
  horizons: AccuracyOfHorizon[];
  /** Always `forecast_accuracy`. */
  object: 'forecast_accuracy';
}

export interface Key {
  /** Always `key`. */
  object: 'key';
  /** The public part of the key, before the dot. */
  prefix: string;
  /** What the key is for. */
  name: string;
  /** What the key may do. */
  scopes: (
    | 'read'
    | 'telemetry:write'
    | 'customers:write'
    | 'tanks:write'
    | 'runs:write'
    | 'recipients'
    | 'webhooks'
    | 'activity'
    | 'keys'
    | 'users'
  )[];
  /** The customer the key is bound to; null when it sees everything. */
  customer_id: string | null;
  /** When the key was created. */
  created_at: string;
  /** When the key ends; null when it does not. */
  expires_at: string | null;
}

export interface Me {
  /** Always `me`. */
  object: 'me';
  /** An API key, or a user who has signed in. */
  kind: 'key' | 'user';
  /** What the key is for, or what the user is called: without a name, the email address. */
  name: string;
  /** Of a user. */
  email: string | null;
  /** What the caller may do; none for a user without a role. */
  scopes: (
    | 'read'
    | 'telemetry:write'
    | 'customers:write'
    | 'tanks:write'
    | 'runs:write'
    | 'recipients'
    | 'webhooks'
    | 'activity'
    | 'keys'
    | 'users'
  )[];
  /** The customer the caller is bound to; null when it sees everything. */
  customer_id: string | null;
}

export interface ApiKey {
  /** Always `key`. */
  object: 'key';
  /** The public part of the key, before the dot. */
  prefix: string;
  /** What the key is for. */
  name: string;
  /** What the key may do. */
  scopes: (
    | 'read'
    | 'telemetry:write'
    | 'customers:write'
    | 'tanks:write'
    | 'runs:write'
    | 'recipients'
    | 'webhooks'
    | 'activity'
    | 'keys'
    | 'users'
  )[];
  /** The customer the key is bound to; null when it sees everything. */
  customer_id: string | null;
  /** When the key was created. */
  created_at: string;
  /** When the key ends; null when it does not. */
  expires_at: string | null;
  /** When the key was revoked; null when it was not. */
  revoked_at: string | null;
  /** When the key was last used, within a minute; null when it never was. */
  last_used_at: string | null;
}

export interface ApiKeyInput {
  /** What the key is for. */
  name: string;
  /**
   * What the key may do: some of what you may do.
   *       "read"
   *     ]
   */
  scopes?:
    | (
        | 'read'
        | 'telemetry:write'
        | 'customers:write'
        | 'tanks:write'
        | 'runs:write'
        | 'recipients'
        | 'webhooks'
        | 'activity'
        | 'keys'
        | 'users'
      )[]
    | undefined;
  /** Binds the key to this customer; null, or left out, for one that sees everything. With a caller that is bound to a customer: that one's. */
  customer_id?: (string | null) | undefined;
  /** When the key ends; null, or left out, for never. Not after your own end. */
  expires_at?: (string | null) | undefined;
}

export interface ApiKeyWithSecret {
  /** Always `key`. */
  object: 'key';
  /** The public part of the key, before the dot. */
  prefix: string;
  /** What the key is for. */
  name: string;
  /** What the key may do. */
  scopes: (
    | 'read'
    | 'telemetry:write'
    | 'customers:write'
    | 'tanks:write'
    | 'runs:write'
    | 'recipients'
    | 'webhooks'
    | 'activity'
    | 'keys'
    | 'users'
  )[];
  /** The customer the key is bound to; null when it sees everything. */
  customer_id: string | null;
  /** When the key was created. */
  created_at: string;
  /** When the key ends; null when it does not. */
  expires_at: string | null;
  /** When the key was revoked; null when it was not. */
  revoked_at: string | null;
  /** When the key was last used, within a minute; null when it never was. */
  last_used_at: string | null;
  /** The whole key, as `X-API-Key` takes it. It is shown in this answer only. */
  secret: string;
}

export interface KeyRollInput {
  /** How long the old key still works, in seconds. It never works longer than it would have. */
  keep_seconds?: number | undefined;
}

/** What the user may do, each role what the one before it may and more: `none` nothing, `viewer` read, `dispatcher` plan runs, `clerk` manage customers, tanks and recipients, `admin` everything. */
export type Role = 'none' | 'viewer' | 'dispatcher' | 'clerk' | 'admin';

export interface User {
  /** Unique identifier of the user. */
  id: string;
  /** Always `user`. */
  object: 'user';
  /** When the user signed in for the first time. */
  created_at: string;
  /** When the user was last changed. */
  updated_at: string;
  /** As the identity provider said at the last sign-in. */
  email: string;
  /** As the identity provider said at the last sign-in. */
  name: string | null;
  /** What the user may do, each role what the one before it may and more: `none` nothing, `viewer` read, `dispatcher` plan runs, `clerk` manage customers, tanks and recipients, `admin` everything. */
  role: Role;
  /** The customer the user is bound to; null for one who sees everything. */
  customer_id: string | null;
  /** When the user was last here, within a minute. */
  last_seen_at: string | null;
}

export interface UserPatch {
  /** What the user may do. */
  role?: Role | undefined;
  /** Binds the user to this customer; null for one who sees everything. Not of an `admin`. */
  customer_id?: (string | null) | undefined;
}

export interface DeletedUser {
  /** Unique identifier of the user. */
  id: string;
  /** Always `user`. */
  object: 'user';
  /** Always true: the user was deleted. */
  deleted: true;
}

export interface Erasure {
  /** Always `erasure`. */
  object: 'erasure';
  /** The customer. */
  customer_id: string;
  /** Tanks that were deleted, or were deleted before, and named `Erased`. */
  tanks: number;
  /** Recipients that were removed. */
  recipients: number;
  /** Users that were removed. */
  users: number;
  /** Keys that were revoked and named `Erased`. */
  keys: number;
  /** Webhook endpoints that were removed. */
  webhook_endpoints: number;
  /** Events that name nobody any more. */
  events: number;
  /** Entries of the activity that name nobody any more. */
  activity: number;
  /** Notices that were removed, or name nobody any more. */
  notices: number;
}

export interface Start {
  /** Latitude in degrees. */
  latitude: number;
  /** Longitude in degrees. */
  longitude: number;
}

export interface SuggestionInput {
  /** The day of the run, without a time zone. */
  date: string;
  /** What the truck holds. */
  capacity?: (number | null) | undefined;
  /** Unit of all the run's amounts; it stays. A gallon is a US gallon (3.785411784 liters). */
  capacity_unit?: ('liters' | 'gallons') | undefined;
  /** Where the truck starts, and ends. */
  start?: (Start | null) | undefined;
  /** Tanks are due that are low, or may reach their alert by this day: 7 days later, unless given. */
  until?: string | undefined;
  /** Up to what level tanks are filled, in percent. Unless given, it is the FILL_TO_PERCENT of the installation: 85 where the operator chose no other. */
  fill_to?: number | undefined;
  /** Only tanks of this customer. */
  owner_id?: string | undefined;
  /** Only tanks with these words, 1 to 5, each in their name, custom id, device id, address, or in the owner's name, email or phone. Neither case nor accents matter; a phone and an EUI are one word. */
  q?: string | undefined;
}

/** All stops open: `planned`; none: `done`; else `underway`. */
export type RunStatus = 'planned' | 'underway' | 'done';

/** What became of the stop. */
export type StopStatus = 'open' | 'delivered' | 'skipped';

export interface MeasuredReading {
  /** When the reading was created. */
  created_at: string;
  /** The fill level then. */
  fill_percentage: number;
}

export interface Measured {
  /** What arrived by the sensor, in the run's unit; 0 where nothing did. */
  volume: number;
  /** The reading before it arrived. */
  before: MeasuredReading;
  /** The reading after it arrived. */
  after: MeasuredReading;
  /** What arrived, against what was entered, in percent of that; null for 0. */
  difference_percent: number | null;
  /** Whether the two differ by more than 5 percent and 2 points of the capacity. */
  discrepancy: boolean;
}

export interface StopTank {
  /** The tank's name. */
  name: string;
  /** The customer's own id for the tank. */
  custom_id: string | null;
  /** The owner's name; null when the owner is deleted. */
  owner_name: string | null;
  /** The owner's phone number. */
  phone: string | null;
  /** Location of the tank; every key is there, null where unknown. */
  location: TankLocation;
  /** Total capacity of the tank. */
  capacity: number;
  /** Unit of the tank's capacity. */
  capacity_unit: 'liters' | 'gallons';
  /** Fill level of the newest reading; null without any. */
  fill_percentage: number | null;
  /** When the newest reading was created; null without any. */
  reported_at: string | null;
}

export interface SuggestedStop {
  /** Identifier of the tank. */
  tank_id: string;
  /** How much is to be delivered, in the run's unit. */
  planned: number;
  /** What became of the stop. */
  status: StopStatus;
  /** How much was delivered, in the run's unit. */
  delivered: number | null;
  /** When it was delivered. */
  delivered_at: string | null;
  /** What the driver should know, or has to say. */
  note: string | null;
  /** What the sensor saw of the delivery, within 2 minutes; final 7 days after the last entry. Null while nobody can say. */
  measured: Measured | null;
  /** The tank as it is now, in its own unit; null once it is deleted. */
  tank: StopTank | null;
  /** Why: `empty by` or `alert by` a day, `low`, or `nearby`. */
  reason: string;
}

export interface LeftOut {
  /** Identifier of the tank. */
  tank_id: string;
  /** The tank's name. */
  name: string;
  /** Why it is no stop. */
  reason: 'silent' | 'planned' | 'full' | 'does_not_fit';
  /** With `planned`: the run with an open stop there. */
  run_id: string | null;
}

export interface SuggestedRun {
  /** Always `run`. */
  object: 'run';
  /** The day of the run, without a time zone. */
  date: string;
  /** What the run is called, such as its truck. */
  name: string | null;
  /** What the truck holds. */
  capacity: number | null;
  /** Unit of all the run's amounts; it stays. A gallon is a US gallon (3.785411784 liters). */
  capacity_unit: 'liters' | 'gallons';
  /** Where the truck starts, and ends. */
  start: Start | null;
  /** All stops open: `planned`; none: `done`; else `underway`. */
  status: RunStatus;
  /** Sum of what is planned. */
  planned: number;
  /** Sum of what was delivered. */
  delivered: number;
  /** From the start, or the first stop, through all stops and back along great circles; null where a place is missing. */
  distance_km: number | null;
  /** How many stops there are. */
  stop_count: number;
  /** How many of them are open. */
  open_count: number;
  /** At how many stops the sensor saw something else than was entered. */
  discrepancies: number;
  /** Those that are due, then those nearby. */
  stops: SuggestedStop[];
  /** Tanks that are due and are no stops: the first 200. */
  left_out: LeftOut[];
  /** How many there are. */
  left_out_total: number;
}

export interface RunSummary {
  /** Unique identifier of the run. */
  id: string;
  /** Always `run`. */
  object: 'run';
  /** When the run was created. */
  created_at: string;
  /** When the run, or an entry of a stop, was last changed. */
  updated_at: string;
  /** The day of the run, without a time zone. */
  date: string;
  /** What the run is called, such as its truck. */
  name: string | null;
  /** What the truck holds. */
  capacity: number | null;
  /** Unit of all the run's amounts; it stays. A gallon is a US gallon (3.785411784 liters). */
  capacity_unit: 'liters' | 'gallons';
  /** Where the truck starts, and ends. */
  start: Start | null;
  /** All stops open: `planned`; none: `done`; else `underway`. */
  status: RunStatus;
  /** Sum of what is planned. */
  planned: number;
  /** Sum of what was delivered. */
  delivered: number;
  /** From the start, or the first stop, through all stops and back along great circles; null where a place is missing. */
  distance_km: number | null;
  /** How many stops there are. */
  stop_count: number;
  /** How many of them are open. */
  open_count: number;
  /** At how many stops the sensor saw something else than was entered. */
  discrepancies: number;
}

export interface Stop {
  /** Identifier of the tank. */
  tank_id: string;
  /** How much is to be delivered, in the run's unit. */
  planned: number;
  /** What became of the stop. */
  status: StopStatus;
  /** How much was delivered, in the run's unit. */
  delivered: number | null;
  /** When it was delivered. */
  delivered_at: string | null;
  /** What the driver should know, or has to say. */
  note: string | null;
  /** What the sensor saw of the delivery, within 2 minutes; final 7 days after the last entry. Null while nobody can say. */
  measured: Measured | null;
  /** The tank as it is now, in its own unit; null once it is deleted. */
  tank: StopTank | null;
}

export interface Run {
  /** Unique identifier of the run. */
  id: string;
  /** Always `run`. */
  object: 'run';
  /** When the run was created. */
  created_at: string;
  /** When the run, or an entry of a stop, was last changed. */
  updated_at: string;
  /** The day of the run, without a time zone. */
  date: string;
  /** What the run is called, such as its truck. */
  name: string | null;
  /** What the truck holds. */
  capacity: number | null;
  /** Unit of all the run's amounts; it stays. A gallon is a US gallon (3.785411784 liters). */
  capacity_unit: 'liters' | 'gallons';
  /** Where the truck starts, and ends. */
  start: Start | null;
  /** All stops open: `planned`; none: `done`; else `underway`. */
  status: RunStatus;
  /** Sum of what is planned. */
  planned: number;
  /** Sum of what was delivered. */
  delivered: number;
  /** From the start, or the first stop, through all stops and back along great circles; null where a place is missing. */
  distance_km: number | null;
  /** How many stops there are. */
  stop_count: number;
  /** How many of them are open. */
  open_count: number;
  /** At how many stops the sensor saw something else than was entered. */
  discrepancies: number;
  /** In their order. */
  stops: Stop[];
}

export interface StopInput {
  /** How much is to be delivered, in the run's unit. */
  planned: number;
  /** What the driver should know, or has to say. */
  note?: (string | null) | undefined;
  /** Identifier of the tank. */
  tank_id: string;
}

export interface RunInput {
  /** The day of the run, without a time zone. */
  date: string;
  /** What the run is called, such as its truck. */
  name?: (string | null) | undefined;
  /** What the truck holds. */
  capacity?: (number | null) | undefined;
  /** Unit of all the run's amounts; it stays. A gallon is a US gallon (3.785411784 liters). */
  capacity_unit?: ('liters' | 'gallons') | undefined;
  /** Where the truck starts, and ends. */
  start?: (Start | null) | undefined;
  /** All stops, in their order, a tank once. */
  stops: StopInput[];
}

export interface StartPatch {
  /** Latitude in degrees. */
  latitude?: number | undefined;
  /** Longitude in degrees. */
  longitude?: number | undefined;
}

export interface RunPatch {
  /** The day of the run, without a time zone. */
  date?: string | undefined;
  /** What the run is called, such as its truck. */
  name?: (string | null) | undefined;
  /** What the truck holds. */
  capacity?: (number | null) | undefined;
  /** Unit of all the run's amounts; it stays. A gallon is a US gallon (3.785411784 liters). */
  capacity_unit?: ('liters' | 'gallons') | undefined;
  /** All stops, in their order, a tank once. */
  stops?: StopInput[] | undefined;
  /** What is given of the start changes; null clears it. */
  start?: (StartPatch | null) | undefined;
}

export interface DeletedRun {
  /** Unique identifier of the run. */
  id: string;
  /** Always `run`. */
  object: 'run';
  /** Always true: the run was deleted. */
  deleted: true;
}

export interface StopPatch {
  /** What became of the stop. */
  status?: StopStatus | undefined;
  /** How much was delivered, in the run's unit. */
  delivered?: (number | null) | undefined;
  /** What the driver should know, or has to say. */
  note?: (string | null) | undefined;
  /** When it was delivered: at most 31 days ago. Left out, it is now, or stays. */
  delivered_at?: (string | null) | undefined;
}

/** The unit of the values. */
export type LevelUnit = 'percent' | 'mm' | 'cm' | 'm' | 'in' | 'ft' | 'raw';

/** How the volume follows the height. */
export type TankShape = 'upright' | 'horizontal_cylinder' | 'sphere';

export interface CalibrationPointsInput {
  /** What the sensor measures when the tank is empty. */
  empty: number;
  /** What it measures when the tank is full. */
  full: number;
  /** The unit of the values. */
  unit: LevelUnit;
  /** How the volume follows the height. */
  shape?: TankShape | undefined;
}

export interface CalibrationPoints {
  /** What the sensor measures when the tank is empty. */
  empty: number;
  /** What it measures when the tank is full. */
  full: number;
  /** The unit of the values. */
  unit: LevelUnit;
  /** How the volume follows the height. */
  shape: TankShape;
}

export interface CalibrationTable {
  /** Points of a measured value and the percentage that it means. */
  table: [[number, number], [number, number], ...[number, number][]];
  /** The unit of the values. */
  unit: LevelUnit;
}

export interface BytesPlace {
  /** Which byte is the first, counted from 0. */
  offset: number;
  /** How many bytes. */
  length: number;
  /** Which byte comes first. */
  order?: ('big' | 'little') | undefined;
  /** Whether it may be negative. */
  signed?: boolean | undefined;
}

export interface LevelPlace {
  /** Names joined by dots; `[2]` or `.2` is an element of an array, `[name=Tank 1]` the first whose field has this value, `\` takes the next character as it is. */
  path?: string | undefined;
  /** The unit of a value without one; `raw` for any other number. */
  unit: LevelUnit;
  /** What the value is multiplied by, in place of 1. */
  factor?: number | undefined;
  /** What is added then, in place of 0. */
  offset?: number | undefined;
  /** In place of `path`: some bytes of the payload, where a source gives bytes. */
  bytes?: BytesPlace | undefined;
}

export interface BatteryPlace {
  /** Names joined by dots; `[2]` or `.2` is an element of an array, `[name=Tank 1]` the first whose field has this value, `\` takes the next character as it is. */
  path?: string | undefined;
  /** What the value is multiplied by, in place of 1. */
  factor?: number | undefined;
  /** What is added then, in place of 0. */
  offset?: number | undefined;
  /** The value of an empty battery, such as its volts. */
  empty?: number | undefined;
  /** The value of a full battery. */
  full?: number | undefined;
  /** In place of `path`: some bytes of the payload, where a source gives bytes. */
  bytes?: BytesPlace | undefined;
}

export interface TemperaturePlace {
  /** Names joined by dots; `[2]` or `.2` is an element of an array, `[name=Tank 1]` the first whose field has this value, `\` takes the next character as it is. */
  path?: string | undefined;
  /** What the value is multiplied by, in place of 1. */
  factor?: number | undefined;
  /** What is added then, in place of 0. */
  offset?: number | undefined;
  /** In place of `path`: some bytes of the payload, where a source gives bytes. */
  bytes?: BytesPlace | undefined;
}

export interface RejectRule {
  /** Names joined by dots; `[2]` or `.2` is an element of an array, `[name=Tank 1]` the first whose field has this value, `\` takes the next character as it is. */
  path: string;
  /** The value, its type included. */
  equals?: (string | number | boolean) | undefined;
  /** The number, as it is written, is below this one. */
  below?: number | undefined;
  /** The number, as it is written, is above this one. */
  above?: number | undefined;
  /** There is no such value, or it is null. */
  absent?: true | undefined;
}

export interface HistoryPlace {
  /** Names joined by dots; `[2]` or `.2` is an element of an array, `[name=Tank 1]` the first whose field has this value, `\` takes the next character as it is. */
  path: string;
  /** Names joined by dots; `[2]` or `.2` is an element of an array, `[name=Tank 1]` the first whose field has this value, `\` takes the next character as it is. */
  time: string;
  /** Names joined by dots; `[2]` or `.2` is an element of an array, `[name=Tank 1]` the first whose field has this value, `\` takes the next character as it is. */
  level: string;
}

export interface SensorProfile {
  /** Unique identifier of the profile. */
  id: string;
  /** Always `sensor_profile`. */
  object: 'sensor_profile';
  /** What kind of sensor it is for. */
  name: string;
  /** When the profile was created. */
  created_at: string;
  /** When it was last changed. */
  updated_at: string;
  /** Where the level is: a percentage, a length, or any number. */
  level: LevelPlace;
  /** Where the battery is, in percent. */
  battery: BatteryPlace | null;
  /** Where the temperature is, in °C. */
  temperature: TemperaturePlace | null;
  /** Payloads to which one of these rules applies are kept in quarantine. Each has one condition. */
  reject_when: RejectRule[];
  /** Payloads to which one of these rules applies hold no measurement: looked at first, neither used nor kept. */
  ignore_when?: RejectRule[] | undefined;
  /** Where earlier measurements are. */
  history?: HistoryPlace | undefined;
}

export interface LastUplink {
  /** The time of the uplink. */
  received_at: string;
  /** The battery as it was last known. */
  battery_percent: number | null;
  /** The temperature. */
  temperature_celsius: number | null;
  /** How strong the signal was at the gateway that received it best. */
  rssi_dbm: number | null;
  /** Its signal-to-noise ratio there. */
  snr_db: number | null;
  /** That gateway. */
  gateway_id: string | null;
  /** The counter of the uplink; null where the sender has none. */
  frame_counter: number | null;
  /** What was measured, in the unit of the profile. */
  level: number | null;
  /** The fill of its reading; null if it became none. */
  fill_percentage: number | null;
}

export interface Sensor {
  /** Always `sensor`. */
  object: 'sensor';
  /** Identifier of the tank. */
  tank_id: string;
  /** The profile of this kind of sensor. */
  profile_id: string;
  /** How a measured value becomes a percentage; null when values are percentages. */
  calibration: CalibrationPoints | CalibrationTable | null;
  /** What the newest uplink said, whatever became of it; null while there was none. */
  last_uplink: LastUplink | null;
}

export interface SensorProfileInput {
  /** What kind of sensor it is for. */
  name: string;
  /** Where the level is: a percentage, a length, or any number. */
  level: LevelPlace;
  /** Where the battery is, in percent. */
  battery?: (BatteryPlace | null) | undefined;
  /** Where the temperature is, in °C. */
  temperature?: (TemperaturePlace | null) | undefined;
  /** Payloads to which one of these rules applies are kept in quarantine. Each has one condition. */
  reject_when?: RejectRule[] | undefined;
  /** Payloads to which one of these rules applies hold no measurement: looked at first, neither used nor kept. */
  ignore_when?: RejectRule[] | undefined;
  /** Where earlier measurements are: an array, and in each entry its time and its level. */
  history?: (HistoryPlace | null) | undefined;
}

export interface SensorProfilePatch {
  /** What kind of sensor it is for. */
  name?: string | undefined;
  /** Where the level is: a percentage, a length, or any number. */
  level?: LevelPlacePatch | undefined;
  /** Where the battery is, in percent. */
  battery?: (BatteryPlace | null) | undefined;
  /** Where the temperature is, in °C. */
  temperature?: (TemperaturePlace | null) | undefined;
  /** Payloads to which one of these rules applies are kept in quarantine. Each has one condition. */
  reject_when?: RejectRule[] | undefined;
  /** Payloads to which one of these rules applies hold no measurement: looked at first, neither used nor kept. */
  ignore_when?: RejectRule[] | undefined;
  /** Where earlier measurements are: an array, and in each entry its time and its level. */
  history?: (HistoryPlacePatch | null) | undefined;
}

export interface DeletedSensorProfile {
  /** Unique identifier of the profile. */
  id: string;
  /** Always `sensor_profile`. */
  object: 'sensor_profile';
  /** Always true: the profile was deleted. */
  deleted: true;
}

export interface SensorInput {
  /** The profile of this kind of sensor. */
  profile_id: string;
  /** How a measured value becomes a percentage; null when values are percentages. */
  calibration?: (CalibrationPointsInput | CalibrationTable | null) | undefined;
}

export interface DeletedSensor {
  /** Always `sensor`. */
  object: 'sensor';
  /** Identifier of the tank. */
  tank_id: string;
  /** Always true: the sensor was deleted. */
  deleted: true;
}

export interface MessagesPlace {
  /** Names joined by dots; `[2]` or `.2` is an element of an array, `[name=Tank 1]` the first whose field has this value, `\` takes the next character as it is. */
  path: string;
}

export interface DevicePlace {
  /** Names joined by dots; `[2]` or `.2` is an element of an array, `[name=Tank 1]` the first whose field has this value, `\` takes the next character as it is. */
  path?: string | undefined;
  /** Which level of an MQTT topic, counted from 1. */
  topic?: number | undefined;
}

export interface TimePlace {
  /** Names joined by dots; `[2]` or `.2` is an element of an array, `[name=Tank 1]` the first whose field has this value, `\` takes the next character as it is. */
  path: string;
  /** Of local times without an offset: a name of the IANA database. */
  time_zone?: string | undefined;
}

/** What it is: JSON, or bytes in hex or base64. */
export type PayloadEncoding = 'json' | 'hex' | 'base64';

export interface PayloadPlace {
  /** Names joined by dots; `[2]` or `.2` is an element of an array, `[name=Tank 1]` the first whose field has this value, `\` takes the next character as it is. */
  path: string;
  /** What it is: JSON, or bytes in hex or base64. */
  as: PayloadEncoding;
}

export interface Channel {
  /** What follows the device and a `#` in the id of the tank’s device. */
  name: string;
  /** Names joined by dots; `[2]` or `.2` is an element of an array, `[name=Tank 1]` the first whose field has this value, `\` takes the next character as it is. */
  path: string;
}

export interface NumberPlace {
  /** Names joined by dots; `[2]` or `.2` is an element of an array, `[name=Tank 1]` the first whose field has this value, `\` takes the next character as it is. */
  path: string;
}

export interface SourceInput {
  /** Which sender it is for. */
  name: string;
  /** Where the array of messages is; an empty path is the body itself. Null: one message a body. */
  messages?: (MessagesPlace | null) | undefined;
  /** Where the device is: in the message, in the MQTT topic, or in both. */
  device?: (DevicePlace | null) | undefined;
  /** Where the time is: RFC 3339, a Unix time, or a local time. Otherwise it is that of arrival. */
  time?: (TimePlace | null) | undefined;
  /** What a sensor’s profile looks into: the first of these that is there. Null: the whole message. */
  payload?: (PayloadPlace[] | null) | undefined;
  /** Where each tank of a message is in the payload, if it is of several. */
  channels?: (Channel[] | null) | undefined;
  /** Where the battery is, in percent. */
  battery_percent?: (NumberPlace | null) | undefined;
  /** Where the strength of the signal is, in dBm. */
  rssi_dbm?: (NumberPlace | null) | undefined;
  /** Where its ratio to the noise is, in dB. */
  snr_db?: (NumberPlace | null) | undefined;
  /** The customer whose source it is: what comes by it is as if sent with a key of that customer. Left out of a body: the one that your key is bound to, if it is. */
  customer_id?: (string | null) | undefined;
  /** Messages to which one of these rules applies are ignored. */
  ignore_when?: RejectRule[] | undefined;
}

export interface Source {
  /** Unique identifier of the source. */
  id: string;
  /** Always `source`. */
  object: 'source';
  /** When the source was created. */
  created_at: string;
  /** When it was last changed. */
  updated_at: string;
  /** Which sender it is for. */
  name: string;
  /** Whether it came with the service. Nobody changes such a source. */
  built_in: boolean;
  /** Where the array of messages is; an empty path is the body itself. Null: one message a body. */
  messages: MessagesPlace | null;
  /** Where the device is: in the message, in the MQTT topic, or in both. */
  device: DevicePlace | null;
  /** Where the time is: RFC 3339, a Unix time, or a local time. Otherwise it is that of arrival. */
  time: TimePlace | null;
  /** What a sensor’s profile looks into: the first of these that is there. Null: the whole message. */
  payload: PayloadPlace[] | null;
  /** Where each tank of a message is in the payload, if it is of several. */
  channels: Channel[] | null;
  /** Where the battery is, in percent. */
  battery_percent: NumberPlace | null;
  /** Where the strength of the signal is, in dBm. */
  rssi_dbm: NumberPlace | null;
  /** Where its ratio to the noise is, in dB. */
  snr_db: NumberPlace | null;
  /** Messages to which one of these rules applies are ignored. */
  ignore_when: RejectRule[];
  /** The customer whose source it is: what comes by it is as if sent with a key of that customer. Left out of a body: the one that your key is bound to, if it is. */
  customer_id: string | null;
}

export interface SourceTestInput {
  /** The source, as it would be put. */
  source: SourceInput;
  /** What the sender sends: any JSON. */
  message:
    | {
        [key: string]: unknown;
      }
    | unknown[]
    | string
    | number
    | boolean
    | null;
  /** The MQTT topic it comes by. */
  topic?: string | undefined;
}

/** What became of it: its reading was stored, was there already, there was none in it, or it waits in quarantine. */
export type UplinkOutcome = 'stored' | 'unchanged' | 'ignored' | 'quarantined';

export interface HistoryResult {
  /** How many became readings. */
  stored: number;
  /** How many were there already. */
  unchanged: number;
  /** How many gave none. */
  skipped: number;
}

export interface SourceTest {
  /** Always `uplink_result`. */
  object: 'uplink_result';
  /** What became of it: its reading was stored, was there already, there was none in it, or it waits in quarantine. */
  outcome: UplinkOutcome;
  /** Why it was ignored or is in quarantine. */
  reason: string | null;
  /** The device; an EUI in upper case without separators. */
  device_id: string | null;
  /** The tank that has the device, if one has. */
  tank_id: string | null;
  /** The time of the uplink, and of its reading. */
  created_at: string | null;
  /** The fill of its reading. */
  fill_percentage: number | null;
  /** Its id in quarantine. */
  uplink_id: string | null;
  /** What became of the entries of its history; null where none was read. */
  history: HistoryResult | null;
  /** Where its time is from; null where none was looked for. */
  time: ('message' | 'arrival') | null;
  /** Which path of the source found what. */
  detail: string;
  /** What a sensor’s profile gets. */
  payload:
    | (
        | {
            [key: string]: unknown;
          }
        | unknown[]
      )
    | null;
}

export interface SourceTests {
  /** Always `list`. */
  object: 'list';
  /** One an uplink, in their order. */
  data: SourceTest[];
}

export interface SourcePatch {
  /** Which sender it is for. */
  name?: string | undefined;
  /** Where the array of messages is; an empty path is the body itself. Null: one message a body. */
  messages?: (MessagesPlacePatch | null) | undefined;
  /** Where the device is: in the message, in the MQTT topic, or in both. */
  device?: (DevicePlace | null) | undefined;
  /** Where the time is: RFC 3339, a Unix time, or a local time. Otherwise it is that of arrival. */
  time?: (TimePlacePatch | null) | undefined;
  /** What a sensor’s profile looks into: the first of these that is there. Null: the whole message. */
  payload?: (PayloadPlace[] | null) | undefined;
  /** Where each tank of a message is in the payload, if it is of several. */
  channels?: (Channel[] | null) | undefined;
  /** Where the battery is, in percent. */
  battery_percent?: (NumberPlacePatch | null) | undefined;
  /** Where the strength of the signal is, in dBm. */
  rssi_dbm?: (NumberPlacePatch | null) | undefined;
  /** Where its ratio to the noise is, in dB. */
  snr_db?: (NumberPlacePatch | null) | undefined;
  /** The customer whose source it is: what comes by it is as if sent with a key of that customer. Left out of a body: the one that your key is bound to, if it is. */
  customer_id?: (string | null) | undefined;
  /** Messages to which one of these rules applies are ignored. */
  ignore_when?: RejectRule[] | undefined;
}

export interface DeletedSource {
  /** Unique identifier of the source. */
  id: string;
  /** Always `source`. */
  object: 'source';
  /** Always true: the source was deleted. */
  deleted: true;
}

export interface SourceToken {
  /** Always `source_token`. */
  object: 'source_token';
  /** What the sender posts to. It is shown this once. */
  url: string;
}

export interface DeletedSourceToken {
  /** Always `source_token`. */
  object: 'source_token';
  /** Always true: the token was deleted. */
  deleted: true;
}

export interface UplinkResult {
  /** Always `uplink_result`. */
  object: 'uplink_result';
  /** What became of it: its reading was stored, was there already, there was none in it, or it waits in quarantine. */
  outcome: UplinkOutcome;
  /** Why it was ignored or is in quarantine. */
  reason: string | null;
  /** The device; an EUI in upper case without separators. */
  device_id: string | null;
  /** The tank that has the device, if one has. */
  tank_id: string | null;
  /** The time of the uplink, and of its reading. */
  created_at: string | null;
  /** The fill of its reading. */
  fill_percentage: number | null;
  /** Its id in quarantine. */
  uplink_id: string | null;
  /** What became of the entries of its history; null where none was read. */
  history: HistoryResult | null;
}

export interface RetryResult {
  /** Always `retry_result`. */
  object: 'retry_result';
  /** How many became readings. */
  stored: number;
  /** How many had readings that were there already. */
  unchanged: number;
  /** How many stay in quarantine. */
  quarantined: number;
  /** How many were not tried yet. */
  remaining: number;
  /** What to send as `after` to go on; null when none remain. */
  next: string | null;
}

export interface SourceResult {
  /** Always `uplink_result`. */
  object: 'uplink_result';
  /** What became of it: its reading was stored, was there already, there was none in it, or it waits in quarantine. */
  outcome: UplinkOutcome;
  /** Why it was ignored or is in quarantine. */
  reason: string | null;
  /** The device; an EUI in upper case without separators. */
  device_id: string | null;
  /** The tank that has the device, if one has. */
  tank_id: string | null;
  /** The time of the uplink, and of its reading. */
  created_at: string | null;
  /** The fill of its reading. */
  fill_percentage: number | null;
  /** Its id in quarantine. */
  uplink_id: string | null;
  /** What became of the entries of its history; null where none was read. */
  history: HistoryResult | null;
  /** Where its time is from; null where none was looked for. */
  time: ('message' | 'arrival') | null;
  /** Which path of the source found what. */
  detail: string;
}

export interface SourceResults {
  /** Always `list`. */
  object: 'list';
  /** One an uplink, in their order. */
  data: SourceResult[];
}

export interface Validation {
  /** The code that Event Grid sent. */
  validationResponse: string;
}

/** Why it could not become a reading. */
export type QuarantineReason =
  | 'unknown_device'
  | 'ambiguous_device'
  | 'no_sensor'
  | 'rejected'
  | 'no_value'
  | 'not_a_number'
  | 'no_calibration'
  | 'out_of_range'
  | 'in_the_future'
  | 'malformed';

export interface Uplink {
  /** Unique identifier of the uplink. */
  id: string;
  /** Always `uplink`. */
  object: 'uplink';
  /** When it was received. */
  created_at: string;
  /** What sent it: `chirpstack`, `tts`, `generic`, or the id of a source. */
  source: string;
  /** Its device; an EUI in upper case without separators. */
  device_id: string;
  /** Why it could not become a reading. */
  reason: QuarantineReason;
  /** What its source found in it; null of other senders. */
  detail: string | null;
  /** The MQTT topic it came by. */
  topic: string | null;
}

export interface WholeUplink {
  /** Unique identifier of the uplink. */
  id: string;
  /** Always `uplink`. */
  object: 'uplink';
  /** When it was received. */
  created_at: string;
  /** What sent it: `chirpstack`, `tts`, `generic`, or the id of a source. */
  source: string;
  /** Its device; an EUI in upper case without separators. */
  device_id: string;
  /** Why it could not become a reading. */
  reason: QuarantineReason;
  /** What its source found in it; null of other senders. */
  detail: string | null;
  /** The MQTT topic it came by. */
  topic: string | null;
  /** The message as it was sent. */
  payload:
    | {
        [key: string]: unknown;
      }
    | unknown[]
    | string
    | number
    | boolean
    | null;
}

export interface DeletedUplink {
  /** Unique identifier of the uplink. */
  id: string;
  /** Always `uplink`. */
  object: 'uplink';
  /** Always true: the uplink was deleted. */
  deleted: true;
}

/** What happened. */
export type EventType = 'tank.low' | 'tank.recovered' | 'tank.refilled' | 'tank.silent' | 'tank.reporting';

export interface EventReading {
  /** When the reading was created. */
  created_at: string;
  /** Its fill level. */
  fill_percentage: number;
}

export interface EventDelivery {
  /** Capacity × (`reading` − `before`) ÷ 100, to two decimals. */
  volume: number;
  /** Unit of the volume, that of the tank's capacity. */
  unit: 'liters' | 'gallons';
}

export interface EventTank {
  /** The tank's name. */
  name: string;
  /** The customer's own id for the tank. */
  custom_id: string | null;
  /** Its capacity. Not in events that were recorded before there was this field. */
  capacity?: number | undefined;
  /** Unit of the capacity. A gallon is a US gallon (3.785411784 liters). There when `capacity` is. */
  capacity_unit?: ('liters' | 'gallons') | undefined;
}

export interface EventOwner {
  /** The owner's name; null when the owner is deleted. */
  name: string | null;
  /** The owner's email address; null when the owner is deleted. */
  email: string | null;
}

export interface EventData {
  /** The reading that caused it; for `tank.silent`, the last one. */
  reading: EventReading;
  /** The reading before that one; null when there was none. */
  before: EventReading | null;
  /** Of `tank.refilled` alone: how much came in between `before` and `reading`. */
  delivered?: EventDelivery | undefined;
  /** The tank's threshold. */
  min_fill_alert_percentage: number;
  /** After how many seconds without a reading the tank counted as silent. */
  silent_after_seconds: number;
  /** The tank, as it was then. */
  tank: EventTank;
  /** The owner, as it was then. */
  owner: EventOwner;
  /** The tank's location, as it was then. */
  location: TankLocation;
}

export interface TankEvent {
  /** Unique identifier of the event; webhooks carry it as `webhook-id`. */
  id: string;
  /** Always `event`. */
  object: 'event';
  /** What happened. */
  type: EventType;
  /** When the event was recorded; the reading's own time is in `data`. */
  created_at: string;
  /** Identifier of the tank. */
  tank_id: string;
  /** Identifier of the tank's owner at that time. */
  owner_id: string;
  /** What is needed to act without asking back. */
  data: EventData;
}

export interface WebhookEndpoint {
  /** Unique identifier of the endpoint. */
  id: string;
  /** Always `webhook_endpoint`. */
  object: 'webhook_endpoint';
  /** When it was created: it gets events from then on. */
  created_at: string;
  /** When it was last changed. */
  updated_at: string;
  /** Where events are posted to. */
  url: string;
  /** Only these events; null for all. */
  types: ('tank.low' | 'tank.recovered' | 'tank.refilled' | 'tank.silent' | 'tank.reporting')[] | null;
  /** What it is for. */
  description: string | null;
  /** Only the events of this customer's tanks; null for all. */
  customer_id: string | null;
  /** Whether events are sent: `waiting` ones are kept until the operator has acted. */
  state: 'enabled' | 'disabled' | 'waiting';
  /** Why nothing is sent. */
  reason: string | null;
  /** The first failure since a success; null when the last delivery succeeded. */
  failing_since: string | null;
}

/** `failed` is for good: there is no further attempt. */
export type WebhookDeliveryState = 'pending' | 'delivered' | 'failed';

export interface WebhookDelivery {
  /** Unique identifier of the delivery. */
  id: string;
  /** Always `webhook_delivery`. */
  object: 'webhook_delivery';
  /** When it was queued. */
  created_at: string;
  /** The event: what the receiver sees as `webhook-id`. */
  event_id: string;
  /** The type of the event. */
  event_type: EventType;
  /** Identifier of the tank. */
  tank_id: string;
  /** `failed` is for good: there is no further attempt. */
  state: WebhookDeliveryState;
  /** How often it was tried. */
  attempts: number;
  /** When it was last tried. */
  last_attempt_at: string | null;
  /** How the last attempt was answered; null without an answer. */
  last_status: number | null;
  /** When a pending one is tried next. */
  next_attempt_at: string | null;
  /** Why the last attempt failed. */
  detail: string | null;
}

export interface WebhookEndpointInput {
  /** Where events are posted to: https, and a public address. */
  url: string;
  /** Only these events; null, or left out, for all. */
  types?:
    | (('tank.low' | 'tank.recovered' | 'tank.refilled' | 'tank.silent' | 'tank.reporting')[] | null)
    | undefined;
  /** What it is for. */
  description?: (string | null) | undefined;
  /** Only the events of this customer's tanks; null, or left out, for all. With a key that is bound to a customer: that one. */
  customer_id?: (string | null) | undefined;
}

export interface WebhookEndpointWithSecret {
  /** Unique identifier of the endpoint. */
  id: string;
  /** Always `webhook_endpoint`. */
  object: 'webhook_endpoint';
  /** When it was created: it gets events from then on. */
  created_at: string;
  /** When it was last changed. */
  updated_at: string;
  /** Where events are posted to. */
  url: string;
  /** Only these events; null for all. */
  types: ('tank.low' | 'tank.recovered' | 'tank.refilled' | 'tank.silent' | 'tank.reporting')[] | null;
  /** What it is for. */
  description: string | null;
  /** Only the events of this customer's tanks; null for all. */
  customer_id: string | null;
  /** Whether events are sent: `waiting` ones are kept until the operator has acted. */
  state: 'enabled' | 'disabled' | 'waiting';
  /** Why nothing is sent. */
  reason: string | null;
  /** The first failure since a success; null when the last delivery succeeded. */
  failing_since: string | null;
  /** What deliveries are signed with. It is shown in this answer only. */
  secret: string;
}

export interface WebhookEndpointPatch {
  /** Where events are posted to: https, and a public address. */
  url?: string | undefined;
  /** Only these events; null, or left out, for all. */
  types?:
    | (('tank.low' | 'tank.recovered' | 'tank.refilled' | 'tank.silent' | 'tank.reporting')[] | null)
    | undefined;
  /** What it is for. */
  description?: (string | null) | undefined;
  /** Whether events are sent. Those of the time it was disabled are not, unless they are replayed. */
  enabled?: boolean | undefined;
}

export interface DeletedWebhookEndpoint {
  /** Unique identifier of the endpoint. */
  id: string;
  /** Always `webhook_endpoint`. */
  object: 'webhook_endpoint';
  /** Always true: the endpoint was deleted. */
  deleted: true;
}

export interface Ping {
  /** Unique identifier of the ping; also in `webhook-id`. It is in no list of events. */
  id: string;
  /** Always `event`. */
  object: 'event';
  /** Always `ping`. */
  type: 'ping';
  /** When it was sent. */
  created_at: string;
  /** Always null. */
  tank_id: null;
  /** Always null. */
  owner_id: null;
  /** Always empty. */
  data: Record<string, never>;
}

export interface WebhookTest {
  /** Always `webhook_test`. */
  object: 'webhook_test';
  /** Whether it was answered with a 2xx. */
  delivered: boolean;
  /** The status of the answer; null without one. */
  status: number | null;
  /** How long it took. */
  milliseconds: number;
  /** Why it was not delivered. */
  detail: string | null;
}

export interface ReplayInput {
  /** Events since then are sent again. */
  since: string;
}

export interface WebhookReplay {
  /** Always `webhook_replay`. */
  object: 'webhook_replay';
  /** How many events are sent again. */
  queued: number;
}

/** The first that holds: `unsubscribed`, `failing` (three mails in a row were refused for good), `unconfirmed`, `paused`, `active`. Mails of events and daily mails go to `active` ones only. */
export type RecipientStatus = 'unconfirmed' | 'active' | 'paused' | 'unsubscribed' | 'failing';

export interface Recipient {
  /** Unique identifier of the recipient. */
  id: string;
  /** Always `recipient`. */
  object: 'recipient';
  /** When it was created. */
  created_at: string;
  /** When it was last changed. */
  updated_at: string;
  /** Where mails go to: one address. */
  email: string;
  /** Who that is. */
  name: string | null;
  /** Told about this customer's tanks only; null: about every tank. With a key that is bound to a customer: that one. */
  owner_id: string | null;
  /** The events it is told about; none only with a `daily_at`. */
  events: EventType[];
  /** When the daily mail goes, in `time_zone`: what needs gas, and what is silent. Null: none. */
  daily_at: string | null;
  /** IANA time zone of `daily_at` and of the days in its mails; `UTC` when left out. */
  time_zone: string;
  /** Language of its mails; `en` when left out. */
  language: 'en' | 'de';
  /** Whether it gets nothing for now. */
  paused: boolean;
  /** The first that holds: `unsubscribed`, `failing` (three mails in a row were refused for good), `unconfirmed`, `paused`, `active`. Mails of events and daily mails go to `active` ones only. */
  status: RecipientStatus;
  /** When its address was confirmed. */
  confirmed_at: string | null;
  /** When a mail was last taken by the mail server. */
  last_sent_at: string | null;
  /** Why it is `failing`: how the last mail was refused. */
  reason: string | null;
}

/** What it is about. */
export type NoticeKind = 'events' | 'daily' | 'confirmation' | 'test';

/** `sent`: the mail server has taken it. `failed` and `off` (there was no mail server) are for good. */
export type NoticeStatus = 'pending' | 'sent' | 'failed' | 'off';

export interface Notice {
  /** Unique identifier of the notice. */
  id: string;
  /** Always `notice`. */
  object: 'notice';
  /** When it was made; of events, when the first of them was noticed. */
  created_at: string;
  /** Identifier of the recipient. */
  recipient_id: string;
  /** What it is about. */
  kind: NoticeKind;
  /** The subject of the mail. */
  subject: string;
  /** The events it tells of, up to 50, oldest first. */
  event_ids: string[];
  /** `sent`: the mail server has taken it. `failed` and `off` (there was no mail server) are for good. */
  status: NoticeStatus;
  /** How often it was tried. */
  attempts: number;
  /** When it was last tried. */
  last_attempt_at: string | null;
  /** When a pending one is tried next. */
  next_attempt_at: string | null;
  /** The mail server's last line, or what went wrong. */
  reply: string | null;
  /** When the mail server took it. */
  sent_at: string | null;
}

export interface RecipientInput {
  /** Where mails go to: one address. */
  email: string;
  /** Who that is. */
  name?: (string | null) | undefined;
  /** Told about this customer's tanks only; null: about every tank. With a key that is bound to a customer: that one. */
  owner_id?: (string | null) | undefined;
  /** The events it is told about; none only with a `daily_at`. */
  events?: EventType[] | undefined;
  /** When the daily mail goes, in `time_zone`: what needs gas, and what is silent. Null: none. */
  daily_at?: (string | null) | undefined;
  /** IANA time zone of `daily_at` and of the days in its mails; `UTC` when left out. */
  time_zone?: string | undefined;
  /** Language of its mails; `en` when left out. */
  language?: ('en' | 'de') | undefined;
}

export interface RecipientPatch {
  /** Where mails go to: one address. */
  email?: string | undefined;
  /** Who that is. */
  name?: (string | null) | undefined;
  /** The events it is told about; none only with a `daily_at`. */
  events?: EventType[] | undefined;
  /** When the daily mail goes, in `time_zone`: what needs gas, and what is silent. Null: none. */
  daily_at?: (string | null) | undefined;
  /** IANA time zone of `daily_at` and of the days in its mails; `UTC` when left out. */
  time_zone?: string | undefined;
  /** Language of its mails; `en` when left out. */
  language?: ('en' | 'de') | undefined;
  /** true: it gets nothing for now, and what is pending is not sent. */
  paused?: boolean | undefined;
}

export interface DeletedRecipient {
  /** Unique identifier of the recipient. */
  id: string;
  /** Always `recipient`. */
  object: 'recipient';
  /** Always true: the recipient was deleted. */
  deleted: true;
}

export interface NoticeTest {
  /** Always `notice_test`. */
  object: 'notice_test';
  /** Whether the mail server took it. */
  sent: boolean;
  /** The server's last line, or what went wrong. */
  reply: string;
}

/** What was changed. */
export type ActivityType =
  | 'customer'
  | 'tank'
  | 'sensor'
  | 'sensor_profile'
  | 'key'
  | 'webhook_endpoint'
  | 'recipient'
  | 'user'
  | 'run'
  | 'source';

export interface Actor {
  /** A key, a user, a command of the operator, or a link in a mail. */
  kind: 'key' | 'user' | 'command' | 'link';
  /** Of a user. */
  id?: string | undefined;
  /** Of a key: the part of it before the dot. */
  prefix?: string | undefined;
  /** What the key or user was called, or what the command or link does. */
  name: string | null;
  /** Of a user, as it was then. */
  email?: (string | null) | undefined;
}

export interface Activity {
  /** Unique identifier of the entry. */
  id: string;
  /** Always `activity`. */
  object: 'activity';
  /** When the change was made. */
  created_at: string;
  /** What was changed. */
  type: ActivityType;
  /** Its id. A sensor has its tank's, a key its prefix. */
  object_id: string;
  /** What it is called after the change, a deleted one what it was; of a webhook endpoint its address without the path. Null where there is no name, in entries from before 3.0, and for a key that is bound to a customer, if the object was not that customer's. */
  object_name: string | null;
  /** The customer it belongs to after the change: the owner of a tank or its sensor, the customer itself, or that of a key or webhook endpoint. */
  owner_id: string | null;
  /** What was done: `create`, `update`, `delete`, `restore`, of a secret `roll`, of a key `revoke`, of readings `delete_readings`. */
  operation: string;
  /** Who did it. */
  actor: Actor;
  /** `X-Request-Id` of the request; of an `import`, the id of its run; null for other commands. */
  request_id: string | null;
  /** The fields that an `update` or `restore` changed, those within other objects by their path; empty for other operations. Of a value the first 1,000 characters are kept, with `…` after them; of a list or an object those of its JSON. Where all of them are more than 64 KiB of JSON, the first 100 characters of each are kept, and as many fields as there is room for: `…` then has the number of the others. */
  changes: {
    [key: string]: {
      /** Before it; null for a key that is bound to a customer, if the object was not that customer's. */
      from: unknown;
      /** After it. */
      to: unknown;
    };
  };
}

export interface ChangedReading {
  /** When the reading was created. */
  created_at: string;
  /** Its fill level. */
  fill_percentage: number;
}

export interface ChangedReadings {
  /** The first instant of the range. */
  created_at_gte: string;
  /** The last instant of the range. */
  created_at_lte: string;
  /** All readings that the tank has in this range now, oldest first: they replace what you have there. Null for more than 1,000: read the range from the telemetry list. */
  readings: ChangedReading[] | null;
}

export interface CustomerChange {
  /** Always `change`. */
  object: 'change';
  /** Always `customer`. */
  type: 'customer';
  /** Identifier of the customer. */
  id: string;
  /** When the change got its place in the feed. */
  created_at: string;
  /** The object as it is now, as by its id. */
  data: Customer | DeletedCustomer;
}

export interface TankChange {
  /** Always `change`. */
  object: 'change';
  /** Always `tank`. */
  type: 'tank';
  /** Identifier of the tank. */
  id: string;
  /** When the change got its place in the feed. */
  created_at: string;
  /** The object as it is now, as by its id. */
  data: Tank | DeletedTank;
}

export interface TelemetryChange {
  /** Always `change`. */
  object: 'change';
  /** Always `telemetry`. */
  type: 'telemetry';
  /** Identifier of the tank. */
  id: string;
  /** When the change got its place in the feed. */
  created_at: string;
  /** The readings of a range. */
  data: ChangedReadings;
}

export interface EventChange {
  /** Always `change`. */
  object: 'change';
  /** Always `event`. */
  type: 'event';
  /** Identifier of the event. */
  id: string;
  /** When the change got its place in the feed. */
  created_at: string;
  /** The object as it is now, as by its id. */
  data: TankEvent;
}

export interface ChangesPage {
  /** Always `changes`. */
  object: 'changes';
  /** Up to `size` changes, oldest first. It may be empty though there are more. */
  data: Change[];
  /** The `after` to go on from. Store it when you have handled this page. */
  next: string;
  /** Whether to ask again at once. */
  has_more: boolean;
}

export interface ParameterError {
  /** The parameter that is not valid. */
  parameter: string;
  /** What is wrong with it and what would be right. */
  detail: string;
}

export interface Problem {
  /** Always `about:blank`. Use `code` to distinguish problems. */
  type: string;
  /** The name of the status code. */
  title: string;
  /** The status code of the response. */
  status: number;
  /** What went wrong and how to fix it, for a person. */
  detail: string;
  /** A stable name of the problem, for a program. */
  code:
    | 'invalid_parameters'
    | 'range_too_large'
    | 'malformed_url'
    | 'malformed_body'
    | 'invalid_fields'
    | 'readings_refused'
    | 'body_too_large'
    | 'unsupported_media_type'
    | 'request_timeout'
    | 'missing_api_key'
    | 'invalid_api_key'
    | 'session_ended'
    | 'cross_site'
    | 'insufficient_scope'
    | 'bound_key'
    | 'not_found'
    | 'method_not_allowed'
    | 'cursor_expired'
    | 'misdirected_request'
    | 'not_acceptable'
    | 'precondition_failed'
    | 'deleted'
    | 'owner_deleted'
    | 'erased'
    | 'device_taken'
    | 'owns_tanks'
    | 'delivered'
    | 'already_planned'
    | 'id_taken'
    | 'profile_in_use'
    | 'key_ended'
    | 'last_admin'
    | 'webhooks_off'
    | 'disabled'
    | 'built_in'
    | 'key_needed'
    | 'too_many'
    | 'duplicate'
    | 'already_confirmed'
    | 'not_confirmed'
    | 'rate_limited'
    | 'overloaded'
    | 'database_unavailable'
    | 'not_ready'
    | 'shutting_down'
    | 'bad_request'
    | 'internal_error';
  /** The id of this request, as in the `X-Request-Id` header and in the logs. */
  request_id: string;
  /** Every parameter that is not valid, with status 400. The first 100 are named, the rest are counted in `detail`. */
  errors?: ParameterError[] | undefined;
}

export interface LevelPlacePatch {
  /** Names joined by dots; `[2]` or `.2` is an element of an array, `[name=Tank 1]` the first whose field has this value, `\` takes the next character as it is. */
  path?: string | undefined;
  /** The unit of a value without one; `raw` for any other number. */
  unit?: LevelUnit | undefined;
  /** What the value is multiplied by, in place of 1. */
  factor?: number | undefined;
  /** What is added then, in place of 0. */
  offset?: number | undefined;
  /** In place of `path`: some bytes of the payload, where a source gives bytes. */
  bytes?: BytesPlacePatch | undefined;
}

export interface BytesPlacePatch {
  /** Which byte is the first, counted from 0. */
  offset?: number | undefined;
  /** How many bytes. */
  length?: number | undefined;
  /** Which byte comes first. */
  order?: ('big' | 'little') | undefined;
  /** Whether it may be negative. */
  signed?: boolean | undefined;
}

export interface HistoryPlacePatch {
  /** Names joined by dots; `[2]` or `.2` is an element of an array, `[name=Tank 1]` the first whose field has this value, `\` takes the next character as it is. */
  path?: string | undefined;
  /** Names joined by dots; `[2]` or `.2` is an element of an array, `[name=Tank 1]` the first whose field has this value, `\` takes the next character as it is. */
  time?: string | undefined;
  /** Names joined by dots; `[2]` or `.2` is an element of an array, `[name=Tank 1]` the first whose field has this value, `\` takes the next character as it is. */
  level?: string | undefined;
}

export interface MessagesPlacePatch {
  /** Names joined by dots; `[2]` or `.2` is an element of an array, `[name=Tank 1]` the first whose field has this value, `\` takes the next character as it is. */
  path?: string | undefined;
}

export interface TimePlacePatch {
  /** Names joined by dots; `[2]` or `.2` is an element of an array, `[name=Tank 1]` the first whose field has this value, `\` takes the next character as it is. */
  path?: string | undefined;
  /** Of local times without an offset: a name of the IANA database. */
  time_zone?: string | undefined;
}

export interface NumberPlacePatch {
  /** Names joined by dots; `[2]` or `.2` is an element of an array, `[name=Tank 1]` the first whose field has this value, `\` takes the next character as it is. */
  path?: string | undefined;
}

export interface ListCustomersQuery {
  /** Which page to return. */
  page?: number | undefined;
  /** How many objects to return at most: up to 100 in JSON, up to 10000 in CSV and NDJSON. */
  size?: number | undefined;
  /** Only objects created at or after this ISO datetime, such as `2026-01-31T08:15:30Z`. A date alone means its first instant in UTC. */
  created_at_gte?: string | undefined;
  /** Only objects created at or before this ISO datetime, such as `2026-01-31T08:15:30Z`. A date alone means its last instant in UTC. */
  created_at_lte?: string | undefined;
  /** Only customers with exactly this email (case-sensitive). */
  email?: string | undefined;
  /** Only customers with these words, 1 to 5, each in their name, email or phone. Neither case nor accents matter; a phone and an EUI are one word. */
  q?: string | undefined;
}

export interface ListTanksQuery {
  /** Which page to return. */
  page?: number | undefined;
  /** How many objects to return at most: up to 100 in JSON, up to 10000 in CSV and NDJSON. */
  size?: number | undefined;
  /** Only objects created at or after this ISO datetime, such as `2026-01-31T08:15:30Z`. A date alone means its first instant in UTC. */
  created_at_gte?: string | undefined;
  /** Only objects created at or before this ISO datetime, such as `2026-01-31T08:15:30Z`. A date alone means its last instant in UTC. */
  created_at_lte?: string | undefined;
  /** Only tanks of this customer. */
  owner_id?: string | undefined;
  /** Only tanks with exactly this custom id (case-sensitive). */
  custom_id?: string | undefined;
  /** Only tanks with this device. An EUI is the same device however it is written; every other id is exact. */
  assigned_device_id?: string | undefined;
}

export interface ListTelemetryQuery {
  /** Which page to return. */
  page?: number | undefined;
  /** How many objects to return at most: up to 100 in JSON, up to 10000 in CSV and NDJSON. */
  size?: number | undefined;
  /** Only objects created at or after this ISO datetime, such as `2026-01-31T08:15:30Z`. A date alone means its first instant in UTC. */
  created_at_gte?: string | undefined;
  /** Only objects created at or before this ISO datetime, such as `2026-01-31T08:15:30Z`. A date alone means its last instant in UTC. */
  created_at_lte?: string | undefined;
}

export interface DeleteReadingsQuery {
  /** Only objects created at or after this ISO datetime, such as `2026-01-31T08:15:30Z`. A date alone means its first instant in UTC. */
  created_at_gte: string;
  /** Only objects created at or before this ISO datetime, such as `2026-01-31T08:15:30Z`. A date alone means its last instant in UTC. */
  created_at_lte: string;
}

export interface ListReadingsQuery {
  /** Only objects created at or after this ISO datetime, such as `2026-01-31T08:15:30Z`. A date alone means its first instant in UTC. */
  created_at_gte?: string | undefined;
  /** Only objects created at or before this ISO datetime, such as `2026-01-31T08:15:30Z`. A date alone means its last instant in UTC. */
  created_at_lte?: string | undefined;
  /** Only readings of tanks of this customer. */
  owner_id?: string | undefined;
  /** How many readings to return at most. */
  size?: number | undefined;
  /** Where to go on: the `next` of an answer. Without it, from the beginning. */
  after?: string | undefined;
}

export interface SendReadingsQuery {
  /** With `true`, nothing is stored if any reading is refused. */
  atomic?: boolean | undefined;
}

export interface GetFleetQuery {
  /** Only tanks whose sensor last reported a battery below 20 % (`true`), or not (`false`). */
  low_battery?: boolean | undefined;
  /** Only tanks whose sensor was last received with less than -115 dBm, or an SNR below -10 dB (`true`), or not (`false`). */
  weak_signal?: boolean | undefined;
  /** Only tanks of this customer. */
  owner_id?: string | undefined;
  /** Only tanks with this use case. */
  use_case?: UseCase | undefined;
  /** Only tanks with these words, 1 to 5, each in their name, custom id, device id, address (the country by its name in English or German or its code), or in the owner's name, email or phone. Neither case nor accents matter; a phone and an EUI are one word. */
  q?: string | undefined;
}

export interface ListFleetTanksQuery {
  /** Which page to return. */
  page?: number | undefined;
  /** How many objects to return at most: up to 100 in JSON, up to 10000 in CSV and NDJSON. */
  size?: number | undefined;
  /** Only tanks that are low (`true`) or not (`false`). */
  low?: boolean | undefined;
  /** Only tanks that have fallen silent (`true`) or not (`false`). */
  silent?: boolean | undefined;
  /** Only tanks with a reading (`true`) or without any (`false`). */
  reported?: boolean | undefined;
  /** Only tanks whose sensor last reported a battery below 20 % (`true`), or not (`false`). */
  low_battery?: boolean | undefined;
  /** Only tanks whose sensor was last received with less than -115 dBm, or an SNR below -10 dB (`true`), or not (`false`). */
  weak_signal?: boolean | undefined;
  /** Only tanks of this customer. */
  owner_id?: string | undefined;
  /** Only tanks with this use case. */
  use_case?: UseCase | undefined;
  /** Only tanks with these words, 1 to 5, each in their name, custom id, device id, address (the country by its name in English or German or its code), or in the owner's name, email or phone. Neither case nor accents matter; a phone and an EUI are one word. */
  q?: string | undefined;
  /** `fill_percentage`, the default: lowest first, never reported last. `reported_at`: never reported first, then longest silent first. `created_at`: newest first. `alert_at`: low tanks first, lowest first, then by `forecast.alert.p50`, those without one last. `empty_at`: by `forecast.empty.p50`, then by its `p10`, those without a forecast last. Ties go by `tank_id`. */
  sort?: FleetSort | undefined;
  /** Only tanks that are low, or whose `forecast.alert.p10` is not after this ISO datetime, such as `2026-01-31T08:15:30Z`. A date alone means the end of its day in UTC. */
  alert_before?: string | undefined;
}

export interface GetForecastAccuracyQuery {
  /** Only forecasts of this customer's tanks. */
  owner_id?: string | undefined;
}

export interface ListKeysQuery {
  /** Which page to return. */
  page?: number | undefined;
  /** How many objects to return at most: up to 100 in JSON, up to 10000 in CSV and NDJSON. */
  size?: number | undefined;
  /** Only objects created at or after this ISO datetime, such as `2026-01-31T08:15:30Z`. A date alone means its first instant in UTC. */
  created_at_gte?: string | undefined;
  /** Only objects created at or before this ISO datetime, such as `2026-01-31T08:15:30Z`. A date alone means its last instant in UTC. */
  created_at_lte?: string | undefined;
}

export interface ListUsersQuery {
  /** Which page to return. */
  page?: number | undefined;
  /** How many objects to return at most: up to 100 in JSON, up to 10000 in CSV and NDJSON. */
  size?: number | undefined;
  /** Only objects created at or after this ISO datetime, such as `2026-01-31T08:15:30Z`. A date alone means its first instant in UTC. */
  created_at_gte?: string | undefined;
  /** Only objects created at or before this ISO datetime, such as `2026-01-31T08:15:30Z`. A date alone means its last instant in UTC. */
  created_at_lte?: string | undefined;
}

export interface ListRunsQuery {
  /** Which page to return. */
  page?: number | undefined;
  /** How many objects to return at most: up to 100 in JSON, up to 10000 in CSV and NDJSON. */
  size?: number | undefined;
  /** Only objects created at or after this ISO datetime, such as `2026-01-31T08:15:30Z`. A date alone means its first instant in UTC. */
  created_at_gte?: string | undefined;
  /** Only objects created at or before this ISO datetime, such as `2026-01-31T08:15:30Z`. A date alone means its last instant in UTC. */
  created_at_lte?: string | undefined;
  /** Only runs of this day or later. */
  date_gte?: string | undefined;
  /** Only runs of this day or earlier. */
  date_lte?: string | undefined;
  /** Only runs with this status. */
  status?: RunStatus | undefined;
  /** Only runs with a stop at this tank. */
  tank_id?: string | undefined;
}

export interface ListSensorProfilesQuery {
  /** Which page to return. */
  page?: number | undefined;
  /** How many objects to return at most: up to 100 in JSON, up to 10000 in CSV and NDJSON. */
  size?: number | undefined;
  /** Only objects created at or after this ISO datetime, such as `2026-01-31T08:15:30Z`. A date alone means its first instant in UTC. */
  created_at_gte?: string | undefined;
  /** Only objects created at or before this ISO datetime, such as `2026-01-31T08:15:30Z`. A date alone means its last instant in UTC. */
  created_at_lte?: string | undefined;
  /** Only the profile of the sensor of this tank; none if the tank has no sensor. */
  tank_id?: string | undefined;
}

export interface ListSourcesQuery {
  /** Which page to return. */
  page?: number | undefined;
  /** How many objects to return at most: up to 100 in JSON, up to 10000 in CSV and NDJSON. */
  size?: number | undefined;
  /** Only objects created at or after this ISO datetime, such as `2026-01-31T08:15:30Z`. A date alone means its first instant in UTC. */
  created_at_gte?: string | undefined;
  /** Only objects created at or before this ISO datetime, such as `2026-01-31T08:15:30Z`. A date alone means its last instant in UTC. */
  created_at_lte?: string | undefined;
}

export interface SendChirpStackUplinkQuery {
  /** With `true`, nothing is stored, noted or counted; the answer says what would happen. */
  dry_run?: boolean | undefined;
  /** What happened, as ChirpStack adds it to the address. Only `up` can be a reading; `status` tells the battery. */
  event?: string | undefined;
}

export interface SendTtsUplinkQuery {
  /** With `true`, nothing is stored, noted or counted; the answer says what would happen. */
  dry_run?: boolean | undefined;
}

export interface SendGenericUplinkQuery {
  /** With `true`, nothing is stored, noted or counted; the answer says what would happen. */
  dry_run?: boolean | undefined;
}

export interface SendSourceUplinkQuery {
  /** With `true`, nothing is stored, noted or counted; the answer says what would happen. */
  dry_run?: boolean | undefined;
  /** AWS IoT adds it to the address that it asks to be confirmed. */
  confirmationToken?: string | undefined;
}

export interface ListUplinksQuery {
  /** Which page to return. */
  page?: number | undefined;
  /** How many objects to return at most: up to 100 in JSON, up to 10000 in CSV and NDJSON. */
  size?: number | undefined;
  /** Only objects created at or after this ISO datetime, such as `2026-01-31T08:15:30Z`. A date alone means its first instant in UTC. */
  created_at_gte?: string | undefined;
  /** Only objects created at or before this ISO datetime, such as `2026-01-31T08:15:30Z`. A date alone means its last instant in UTC. */
  created_at_lte?: string | undefined;
  /** Only uplinks of this device; an EUI may be written in any way. */
  device_id?: string | undefined;
  /** Only uplinks that wait for this reason. */
  reason?: QuarantineReason | undefined;
}

export interface ListEventsQuery {
  /** Which page to return. */
  page?: number | undefined;
  /** How many objects to return at most: up to 100 in JSON, up to 10000 in CSV and NDJSON. */
  size?: number | undefined;
  /** Only objects created at or after this ISO datetime, such as `2026-01-31T08:15:30Z`. A date alone means its first instant in UTC. */
  created_at_gte?: string | undefined;
  /** Only objects created at or before this ISO datetime, such as `2026-01-31T08:15:30Z`. A date alone means its last instant in UTC. */
  created_at_lte?: string | undefined;
  /** Only events of this type. */
  type?: EventType | undefined;
  /** Only events of this tank. */
  tank_id?: string | undefined;
  /** Only events of tanks that were this customer's at that time. */
  owner_id?: string | undefined;
}

export interface ListWebhookEndpointsQuery {
  /** Which page to return. */
  page?: number | undefined;
  /** How many objects to return at most: up to 100 in JSON, up to 10000 in CSV and NDJSON. */
  size?: number | undefined;
  /** Only objects created at or after this ISO datetime, such as `2026-01-31T08:15:30Z`. A date alone means its first instant in UTC. */
  created_at_gte?: string | undefined;
  /** Only objects created at or before this ISO datetime, such as `2026-01-31T08:15:30Z`. A date alone means its last instant in UTC. */
  created_at_lte?: string | undefined;
}

export interface ListWebhookDeliveriesQuery {
  /** Which page to return. */
  page?: number | undefined;
  /** How many objects to return at most: up to 100 in JSON, up to 10000 in CSV and NDJSON. */
  size?: number | undefined;
  /** Only objects created at or after this ISO datetime, such as `2026-01-31T08:15:30Z`. A date alone means its first instant in UTC. */
  created_at_gte?: string | undefined;
  /** Only objects created at or before this ISO datetime, such as `2026-01-31T08:15:30Z`. A date alone means its last instant in UTC. */
  created_at_lte?: string | undefined;
  /** Only deliveries in this state. */
  state?: WebhookDeliveryState | undefined;
}

export interface ListRecipientsQuery {
  /** Which page to return. */
  page?: number | undefined;
  /** How many objects to return at most: up to 100 in JSON, up to 10000 in CSV and NDJSON. */
  size?: number | undefined;
  /** Only objects created at or after this ISO datetime, such as `2026-01-31T08:15:30Z`. A date alone means its first instant in UTC. */
  created_at_gte?: string | undefined;
  /** Only objects created at or before this ISO datetime, such as `2026-01-31T08:15:30Z`. A date alone means its last instant in UTC. */
  created_at_lte?: string | undefined;
  /** Only those who are told about this customer's tanks alone. */
  owner_id?: string | undefined;
  /** Only those with this address, in upper or lower case. */
  email?: string | undefined;
  /** Only those in this state. */
  status?: RecipientStatus | undefined;
}

export interface ListNoticesQuery {
  /** Which page to return. */
  page?: number | undefined;
  /** How many objects to return at most: up to 100 in JSON, up to 10000 in CSV and NDJSON. */
  size?: number | undefined;
  /** Only objects created at or after this ISO datetime, such as `2026-01-31T08:15:30Z`. A date alone means its first instant in UTC. */
  created_at_gte?: string | undefined;
  /** Only objects created at or before this ISO datetime, such as `2026-01-31T08:15:30Z`. A date alone means its last instant in UTC. */
  created_at_lte?: string | undefined;
}

export interface ListActivityQuery {
  /** Which page to return. */
  page?: number | undefined;
  /** How many objects to return at most: up to 100 in JSON, up to 10000 in CSV and NDJSON. */
  size?: number | undefined;
  /** Only objects created at or after this ISO datetime, such as `2026-01-31T08:15:30Z`. A date alone means its first instant in UTC. */
  created_at_gte?: string | undefined;
  /** Only objects created at or before this ISO datetime, such as `2026-01-31T08:15:30Z`. A date alone means its last instant in UTC. */
  created_at_lte?: string | undefined;
  /** Only changes of objects of this type. */
  type?: ActivityType | undefined;
  /** Only changes of the object with this id; a sensor has its tank's, a key its prefix. */
  object_id?: string | undefined;
  /** Only changes of this kind, such as `delete`. */
  operation?: string | undefined;
  /** Only changes by the key with this prefix, the user with this id, or this command or link, such as `import`. */
  actor?: string | undefined;
}

/** What can change. */
export type ChangeType = 'customer' | 'tank' | 'telemetry' | 'event';

export interface ReadingOfTank {
  /** Identifier of the tank. This or `device_id`, not both. */
  tank_id: string;
  device_id?: null | undefined;
  /** When the reading was taken: RFC 3339, at most 5 minutes ahead of our clock. */
  created_at: string;
  /** Fill level of the tank as a percentage. */
  fill_percentage: number;
  /** Always `telemetry`, if it is sent; exported readings have it. */
  object?: ('telemetry' | null) | undefined;
}

export interface ReadingOfDevice {
  tank_id?: null | undefined;
  /** Identifier of the device: it stands for the live tank with this `assigned_device_id`. */
  device_id: string;
  /** When the reading was taken: RFC 3339, at most 5 minutes ahead of our clock. */
  created_at: string;
  /** Fill level of the tank as a percentage. */
  fill_percentage: number;
  /** Always `telemetry`, if it is sent; exported readings have it. */
  object?: ('telemetry' | null) | undefined;
}

/** Of a tank, or of a device. */
export type NewReading = ReadingOfTank | ReadingOfDevice;

export interface ListChangesQuery {
  /** Changes after this one: the `next` of an answer. Without it, the oldest that is kept; `latest` answers at once with no changes and the way from now on. */
  after?: string | undefined;
  /** Only changes of these types; all, unless given. */
  types?: readonly ChangeType[] | undefined;
  /** How many changes to return at most. */
  size?: number | undefined;
  /** How many seconds to wait for the next change when there is none. */
  wait?: number | undefined;
}

export interface SeriesInPoints {
  /** The start of the range, an ISO datetime; a date alone means the first instant of that day in `time_zone`. Without it, 30 days before the end. */
  created_at_gte?: string | undefined;
  /** The end of the range, an ISO datetime; a date alone means the last instant of that day in `time_zone`. Without it, 30 days after the start, or now. */
  created_at_lte?: string | undefined;
  /** Maximum number of buckets: the finest interval that needs no more than that is used, or `30d` if none does. Not together with `interval`. */
  points?: number | undefined;
  interval?: undefined;
  /** A name of the IANA database, such as `Europe/Vienna`. Buckets of `1d`, `7d` and `1mo` are its days, weeks (from Monday) and months, and a date alone is its day; other buckets are aligned to UTC. */
  time_zone?: string | undefined;
}

export interface SeriesInIntervals {
  /** The start of the range, an ISO datetime; a date alone means the first instant of that day in `time_zone`. Without it, 30 days before the end. */
  created_at_gte?: string | undefined;
  /** The end of the range, an ISO datetime; a date alone means the last instant of that day in `time_zone`. Without it, 30 days after the start, or now. */
  created_at_lte?: string | undefined;
  points?: undefined;
  /** How long a bucket is; `1mo` is a calendar month. Not together with `points`; at most 2000 buckets. */
  interval?: SeriesInterval | undefined;
  /** A name of the IANA database, such as `Europe/Vienna`. Buckets of `1d`, `7d` and `1mo` are its days, weeks (from Monday) and months, and a date alone is its day; other buckets are aligned to UTC. */
  time_zone?: string | undefined;
}

export type GetTelemetrySeriesQuery = SeriesInPoints | SeriesInIntervals;
