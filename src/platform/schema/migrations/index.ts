// Every migration, oldest first. One that has been released is never edited. Migrations make tables, indexes, triggers and data; functions
// are files (src/**/sql), installed after them, apart from those that have not changed since the first release.
import { Resources1767225600000 } from './1767225600000-resources.js';
import { CountedLists1767225600001 } from './1767225600001-counted-lists.js';
import { NearerEndOfTheDay1767225600002 } from './1767225600002-nearer-end-of-the-day.js';
import { KeyScopes1767225600003 } from './1767225600003-key-scopes.js';
import { TankStates1767225600004 } from './1767225600004-tank-states.js';
import { Events1767225600005 } from './1767225600005-events.js';
import { Webhooks1767225600006 } from './1767225600006-webhooks.js';
import { Sensors1767225600007 } from './1767225600007-sensors.js';
import { Changes1767225600008 } from './1767225600008-changes.js';
import { UplinksOfCustomers1767225600009 } from './1767225600009-uplinks-of-customers.js';
import { CorrectedProfiles1767225600010 } from './1767225600010-corrected-profiles.js';
import { WritersOfTables1767225600012 } from './1767225600012-writers-of-tables.js';
import { RulesOutsideTheSchema1767225600013 } from './1767225600013-rules-outside-the-schema.js';
import { UpdatedAtNeverMovesBack1767225600014 } from './1767225600014-updated-at-never-moves-back.js';
import { DeliveryLines1767225600015 } from './1767225600015-delivery-lines.js';
import { Forecasts1767225600016 } from './1767225600016-forecasts.js';
import { EverySensor1767225600017 } from './1767225600017-every-sensor.js';
import { Mqtt1767225600018 } from './1767225600018-mqtt.js';

export const migrations = [
  Resources1767225600000,
  CountedLists1767225600001,
  NearerEndOfTheDay1767225600002,
  KeyScopes1767225600003,
  TankStates1767225600004,
  Events1767225600005,
  Webhooks1767225600006,
  Sensors1767225600007,
  Changes1767225600008,
  UplinksOfCustomers1767225600009,
  CorrectedProfiles1767225600010,
  WritersOfTables1767225600012,
  RulesOutsideTheSchema1767225600013,
  UpdatedAtNeverMovesBack1767225600014,
  DeliveryLines1767225600015,
  Forecasts1767225600016,
  EverySensor1767225600017,
  Mqtt1767225600018,
];
