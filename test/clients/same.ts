// Whether two types are the same. `any`, which can be assigned to everything, is the same as `any` alone.
type IsAny<T> = 0 extends 1 & T ? true : false;
type Same<A, B> = [A, IsAny<A>] extends [B, IsAny<B>] ? ([B] extends [A] ? true : false) : false;

/** Does not compile unless both types are the same. */
export function same<A, B>(_proof: Same<A, B>): void {}
