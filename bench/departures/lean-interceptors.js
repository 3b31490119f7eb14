// Every interceptor as Nest runs it.
export const CHANGES_VALUE = Symbol('changes the value alone');

export function runInterceptorsLean() {}
