// Node's own classes: Express replaces the prototypes of every request and response.
export function withPrototypesAtBirth() {
  return {};
}
