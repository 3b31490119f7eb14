// The lines of an export, written as JSON by the database: its COPY is the output, nothing is built up on the way.
// A line is the object as the API shows it; a deleted one is whole too, and says so.

export const EXPORTS = ['customers', 'tanks', 'telemetry'] as const;
export type ExportedKind = (typeof EXPORTS)[number];

const time = (column: string): string => `to_char(${column}, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

const CUSTOMER_FIELDS = `
  customer.id, 'customer' as object, ${time('customer.created_at')} as created_at, customer.email,
  customer.is_verified, ${time('customer.last_seen_at')} as last_seen_at, customer.name, customer.phone,
  (select count(*) from tanks where tanks.owner_id = customer.id and not tanks.deleted) as tank_count,
  ${time('customer.updated_at')} as updated_at, ${time('customer.verified_at')} as verified_at`;

const TANK_FIELDS = `
  tank.id, 'tank' as object, tank.assigned_device_id, tank.capacity, tank.capacity_unit,
  ${time('tank.created_at')} as created_at, tank.custom_id,
  (select location from (select
    tank.city, tank.country, tank.district, tank.latitude, tank.longitude,
    tank.postal_code, tank.region, tank.street, tank.street_number) location) as location,
  tank.min_fill_alert_percentage, tank.name, tank.owner_id, ${time('tank.updated_at')} as updated_at, tank.use_case`;

/** "deleted" is a field of a deleted object's line only. */
const jsonOf = (fields: string, isDeleted: string): string => `
  case when ${isDeleted}
    then (select row_to_json(line) from (select ${fields}, true as deleted) line)
    else (select row_to_json(line) from (select ${fields}) line) end`;

/** `since` is a timestamp as PostgreSQL reads it; everything is since -infinity. */
export function exportStatement(kind: ExportedKind, since: string): string {
  return `copy (${SELECTS[kind](`timestamptz '${since}'`)}) to stdout with ${AS_IT_IS}`;
}

const SELECTS: Record<ExportedKind, (since: string) => string> = {
  customers: (since) => `
    select ${jsonOf(CUSTOMER_FIELDS, 'customer.deleted')}
    from customers customer where updated_at >= ${since} order by id`,
  tanks: (since) => `
    select ${jsonOf(TANK_FIELDS, 'tank.deleted')}
    from tanks tank where updated_at >= ${since} order by id`,
  telemetry: (since) => `
    select '{"object":"telemetry","tank_id":' || to_json(tank.id)
        || ',"created_at":"' || ${time('reading.created_at')}
        || '","fill_percentage":' || reading.fill_percentage || '}'
    from telemetry reading join tanks tank on tank.key = reading.tank_key
    where reading.created_at >= ${since} order by tank.id, reading.created_at`,
};

/** COPY escapes or quotes what it takes for special; as CSV with these two, that is nothing a line of JSON can hold. */
const AS_IT_IS = `(format csv, delimiter E'\\x01', quote E'\\x02')`;
