// What a spec file leaves to those that the same process of Jest runs after it (environment.js). No class or function of
// the specs: they would live on in a realm that is over.

declare global {
  var outside: { readonly kept: Map<string, unknown> };
}

export function keep<Kept>(name: string, make: () => Kept): Kept {
  const { kept } = globalThis.outside;
  if (!kept.has(name)) kept.set(name, make());
  return kept.get(name) as Kept;
}
