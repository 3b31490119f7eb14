// A part of the page that is loaded when somebody looks at it: undefined until it is there.
import { useEffect, useState } from 'preact/hooks';

export function useLoaded<Part extends object>(load: () => Promise<Part>): Part | undefined {
  const [loaded, setLoaded] = useState<Part>();
  useEffect(() => void load().then(setLoaded), []);
  return loaded;
}
