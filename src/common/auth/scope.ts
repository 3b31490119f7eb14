// What a key may do.

export const SCOPES = [
  'read',
  'telemetry:write',
  'customers:write',
  'tanks:write',
  'runs:write',
  'recipients',
  'webhooks',
  'activity',
  'keys',
  'users',
] as const;
export type Scope = (typeof SCOPES)[number];

export const DEFAULT_SCOPES: readonly Scope[] = ['read'];
