// What two spellings of one device have in common. An EUI (16 hexadecimal digits, in pairs separated by - or by : or not) is one
// device however it is written; every other id is exact. The database has the same rule: sql/device_key.sql.

const EUI = /^(?:[0-9a-f]{16}|[0-9a-f]{2}(?:-[0-9a-f]{2}){7}|[0-9a-f]{2}(?::[0-9a-f]{2}){7})$/i;

/** An EUI in upper case without separators, any other id as it is. */
export function deviceKey(id: string): string {
  return EUI.test(id) ? id.replaceAll(/[-:]/g, '').toUpperCase() : id;
}
