// Lines of an import, with believable values for whatever a test does not care about.

export type Line = Readonly<Record<string, unknown>>;

export function customerLine(id: string, fields: Line = {}): Line {
  return {
    id,
    object: 'customer',
    created_at: '2026-01-01T00:00:00.000Z',
    email: `${id}@example.com`,
    is_verified: false,
    last_seen_at: null,
    name: `Customer ${id}`,
    phone: null,
    updated_at: '2026-01-02T00:00:00.000Z',
    verified_at: null,
    ...fields,
  };
}

export function tankLine(id: string, owner: string, fields: Line = {}): Line {
  return {
    id,
    object: 'tank',
    assigned_device_id: `device-${id}`,
    capacity: 2700,
    capacity_unit: 'liters',
    created_at: '2026-01-01T00:00:00.000Z',
    custom_id: null,
    location: { city: 'Rotterdam', latitude: 51.9, longitude: 4.45 },
    min_fill_alert_percentage: 20,
    name: `Tank ${id}`,
    owner_id: owner,
    updated_at: '2026-01-02T00:00:00.000Z',
    use_case: 'commercial',
    ...fields,
  };
}

export function readingLine(tank: string, createdAt: string, fill: number, fields: Line = {}): Line {
  return { object: 'telemetry', tank_id: tank, created_at: createdAt, fill_percentage: fill, ...fields };
}

/** Without a field, as if nobody had written it. */
export function without(line: Line, ...names: string[]): Line {
  return Object.fromEntries(Object.entries(line).filter(([name]) => !names.includes(name)));
}

export function ndjson(lines: readonly (Line | string)[]): string {
  return lines.map((line) => `${typeof line === 'string' ? line : JSON.stringify(line)}\n`).join('');
}
