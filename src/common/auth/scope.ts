// What a key may do.

export const SCOPES = [
  'read',
  'telemetry:write',
  'customers:write',
  'tanks:write',
  'webhooks',
  'activity',
] as const;
export type Scope = (typeof SCOPES)[number];

export const DEFAULT_SCOPES: readonly Scope[] = ['read'];
