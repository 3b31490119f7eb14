// The tab says what it shows.
import { useEffect } from 'preact/hooks';

export function useTitle(name: string | undefined): void {
  useEffect(() => {
    document.title = name === undefined ? 'Fleet' : `${name} – Fleet`;
    return () => {
      document.title = 'Fleet';
    };
  }, [name]);
}
