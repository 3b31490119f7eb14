// The heap as V8 grows it.
export function growHeapSlowly() {}
