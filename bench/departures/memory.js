// The heap as V8 grows and shrinks it.
export function tuneHeap() {}
