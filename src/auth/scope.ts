// What a key may do.

export const SCOPES = ['read', 'telemetry:write'] as const;
export type Scope = (typeof SCOPES)[number];

export const DEFAULT_SCOPES: readonly Scope[] = ['read'];
