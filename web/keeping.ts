// What the browser keeps for the page: until its tab is closed, or for longer. Some browsers are told to keep nothing.
type Place = 'sessionStorage' | 'localStorage';

export function keptIn(place: Place, name: string): unknown {
  try {
    return JSON.parse(window[place].getItem(name) ?? 'null') ?? undefined;
  } catch {
    return undefined;
  }
}

/** Undefined: it is forgotten. */
export function keepIn(place: Place, name: string, value: object | undefined): void {
  try {
    if (value === undefined) window[place].removeItem(name);
    else window[place].setItem(name, JSON.stringify(value));
  } catch {
    // as above
  }
}
