// What a key may do.

export const SCOPES = ['read', 'telemetry:write'] as const;
export type Scope = (typeof SCOPES)[number];

/** Of a key that was made without naming any. */
export const DEFAULT_SCOPES: readonly Scope[] = ['read'];
