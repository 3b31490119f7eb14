// What two spellings of one device have in common. An EUI is 16 hexadecimal digits with any spaces, hyphens, colons and dots around them, as
// stickers have it, perhaps with a channel (#name) behind; every other id is exact. The database has the same rule: sql/device_key.sql.

const SEPARATORS = /[ .:-]/g;
const DIGITS = /^[0-9a-f]{16}$/i;

/** An EUI in upper case without separators, any other id as it is. */
export function deviceKey(id: string): string {
  const [device = ''] = id.split('#', 1);
  const digits = device.replaceAll(SEPARATORS, '');
  return DIGITS.test(digits) ? digits.toUpperCase() + id.slice(device.length) : id;
}
