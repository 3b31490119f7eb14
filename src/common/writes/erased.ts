// What is left of the personal fields of a customer that was erased, and of its tanks.

export const ERASED = { name: 'Erased', email: 'erased@invalid' } as const;
