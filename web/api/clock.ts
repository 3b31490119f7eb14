// The service's clock. Ages are told by it: a computer whose clock is wrong must not make an old figure look new.

let ahead = 0;

/** Every answer says what time it is at the service. */
export function setClock(response: Response): void {
  const said = Date.parse(response.headers.get('Date') ?? '');
  // The header has whole seconds; a difference within one is none.
  if (Number.isFinite(said)) ahead = Math.abs(said - Date.now()) < 2_000 ? 0 : said - Date.now();
}

export function now(): number {
  return Date.now() + ahead;
}
