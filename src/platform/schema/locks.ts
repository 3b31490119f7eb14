// The advisory locks of the service. Released versions take the same, so none is ever renamed. A file of SQL names one as {{LOCK_CHANGES}}.
export const LOCKS = {
  // Migrations, and what makes a cluster.
  MIGRATION: `5061703`,
  // Imports merge one after the other.
  IMPORT: `hashtextextended('tank_monitoring.import', 0)`,
  // Positions are given by one process.
  CHANGES: `hashtext('tank-monitoring changes')`,
  // Months are added and removed by one process.
  OLD_READINGS: `hashtext('tank-monitoring old readings')`,
  // On a cluster, with the number of a tank: it is being written.
  TANKS: `hashtext('tank_monitoring.tanks')`,
  // No two tanks get one device.
  DEVICE: `hashtextextended('tank_monitoring.device ' || device_key($1), 0)`,
  // Sums, by one process at a time.
  ACTIVITY_COUNTS: `hashtextextended('tank_monitoring.activity_counts', 0)`,
  FLEET_COUNTS: `hashtextextended('tank_monitoring.fleet_counts', 0)`,
  ALERT_COUNTS: `hashtextextended('tank_monitoring.alert_counts', 0)`,
  // Limits on how many there are.
  NEW_SOURCE: `hashtext('tank-monitoring new source')`,
  NEW_KEY: `hashtext('tank-monitoring new key')`,
  NEW_ENDPOINT: `hashtext('tank-monitoring new webhook endpoint')`,
  RECIPIENTS: `hashtext('tank-monitoring recipients')`,
  // New deliveries are put in lines by one process.
  LINES: `hashtext('tank-monitoring webhook lines')`,
  // One replay of an endpoint at a time.
  REPLAY: `hashtext('tank-monitoring webhook replay'), hashtext($1)`,
  // Notices are planned by one process.
  NOTICES: `hashtext('tank-monitoring notices')`,
  // One admin stays.
  ADMINS: `hashtext('tank-monitoring admins')`,
} as const;

/** Until the end of the transaction. */
export const takeLock = (name: keyof typeof LOCKS): string => `select pg_advisory_xact_lock(${LOCKS[name]})`;
