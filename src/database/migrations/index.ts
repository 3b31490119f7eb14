// Every migration, oldest first. A migration that has been released is never edited; the next change is a new file.
import { Resources1767225600000 } from './1767225600000-resources.js';
import { CountedLists1767225600001 } from './1767225600001-counted-lists.js';
import { NearerEndOfTheDay1767225600002 } from './1767225600002-nearer-end-of-the-day.js';
import { KeyScopes1767225600003 } from './1767225600003-key-scopes.js';
import { TankStates1767225600004 } from './1767225600004-tank-states.js';
import { WriteReadings1767225600005 } from './1767225600005-write-readings.js';
import { Series1767225600006 } from './1767225600006-series.js';
import { Events1767225600007 } from './1767225600007-events.js';
import { Webhooks1767225600008 } from './1767225600008-webhooks.js';
import { OldReadings1767225600009 } from './1767225600009-old-readings.js';
import { Falls1767225600010 } from './1767225600010-falls.js';

export const migrations = [
  Resources1767225600000,
  CountedLists1767225600001,
  NearerEndOfTheDay1767225600002,
  KeyScopes1767225600003,
  TankStates1767225600004,
  WriteReadings1767225600005,
  Series1767225600006,
  Events1767225600007,
  Webhooks1767225600008,
  OldReadings1767225600009,
  Falls1767225600010,
];
