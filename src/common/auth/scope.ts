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

// What users may do: each role has the scopes of the one before it, and some more.
export const ROLES = ['none', 'viewer', 'dispatcher', 'clerk', 'admin'] as const;
export type Role = (typeof ROLES)[number];

const VIEWER: readonly Scope[] = ['read'];
const DISPATCHER: readonly Scope[] = [...VIEWER, 'runs:write'];
const CLERK: readonly Scope[] = [
  ...DISPATCHER,
  'telemetry:write',
  'customers:write',
  'tanks:write',
  'recipients',
  'activity',
];

export const SCOPES_OF: Readonly<Record<Role, readonly Scope[]>> = {
  none: [],
  viewer: VIEWER,
  dispatcher: DISPATCHER,
  clerk: CLERK,
  admin: SCOPES,
};
