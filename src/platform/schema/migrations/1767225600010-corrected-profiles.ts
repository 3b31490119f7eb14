// Corrects built-in sensor profiles that took an error of their decoder for a level. One that somebody changed or deleted stays so.
import type { MigrationInterface, QueryRunner } from 'typeorm';

export class CorrectedProfiles1767225600010 implements MigrationInterface {
  readonly name = 'CorrectedProfiles1767225600010';

  async up(runner: QueryRunner): Promise<void> {
    for (const { was, added, ...profile } of CORRECTED)
      await replace(runner, profile, was, [...was, ...added]);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const { was, added, ...profile } of CORRECTED)
      await replace(runner, profile, [...was, ...added], was);
  }
}

interface Profile {
  readonly id: string;
  readonly name: string;
  readonly path: string;
  readonly unit: string;
  readonly battery: string | null;
  readonly temperature: string | null;
}
type Rules = readonly object[];

async function replace(runner: QueryRunner, profile: Profile, before: Rules, after: Rules): Promise<void> {
  const { id, name, path, unit, battery, temperature } = profile;
  await runner.query(
    `update sensor_profiles set reject_when = $8
     where id = $1 and name = $2 and level_path = $3 and level_unit = $4 and reject_when = $7
       and battery_path is not distinct from $5 and temperature_path is not distinct from $6`,
    [id, name, path, unit, battery, temperature, JSON.stringify(before), JSON.stringify(after)],
  );
}

const equals = (path: string, ...values: (string | number)[]): Rules =>
  values.map((value) => ({ path, equals: value }));

/** `was`: as the set-up wrote it. */
const CORRECTED: readonly (Profile & { readonly was: Rules; readonly added: Rules })[] = [
  {
    id: 'em410-rdl',
    name: 'Milesight EM410-RDL (radar)',
    path: 'distance',
    unit: 'mm',
    battery: 'battery',
    temperature: 'temperature',
    was: equals('position', 'tilt'),
    // ffff (sensor exception), fffe (disabled) and fffd (no target), read as signed numbers.
    added: equals('distance', -1, -2, -3),
  },
  {
    id: 'em500-udl',
    name: "Milesight EM500-UDL (Milesight's decoder)",
    path: 'distance',
    unit: 'mm',
    battery: 'battery',
    temperature: null,
    was: equals('distance_alarm', 'normal', 'threshold_alarm', 'mutation_alarm'),
    added: equals('distance_alarm', 'unknown'), // of any other alarm
  },
  {
    id: 'em500-udl-tts',
    name: "Milesight EM500-UDL (The Things Stack's device repository)",
    path: 'distance',
    unit: 'm',
    battery: 'battery',
    temperature: null,
    was: [],
    added: equals('distance', -0.001, -0.003), // ffff and fffd again, divided by 1,000
  },
  {
    id: 'dragino-dds',
    name: 'Dragino LDDS20/45/75 (1.1.4) and DDS20/45/75-LB',
    path: 'Distance',
    unit: 'mm',
    battery: null,
    temperature: null,
    was: [...equals('Sensor_flag', 0), ...equals('Distance', 'No Sensor', 'Invalid Reading', 0, 20)],
    // Some of its decoders write the unit behind the number.
    added: equals('Distance', '0 mm', '20 mm', '0mm', '20mm', '0', '20'),
  },
  {
    id: 'dl-lid',
    name: 'Decentlab DL-LID',
    path: 'distance_median.value',
    unit: 'mm',
    battery: null,
    temperature: null,
    was: [],
    added: equals('number_of_samples.value', 0), // the median of nothing
  },
];
