// updated_at of an object that changes: now by the database's clock, and always after what it was. The last year is 9999.
export const forward = (): string => `
  least(greatest(date_trunc('milliseconds', clock_timestamp()), updated_at + interval '1 millisecond'), '9999-12-31 23:59:59.999Z')`;
