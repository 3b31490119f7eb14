// For operations without parameters: one that is sent is refused, not ignored.
export class NoParameters {}
