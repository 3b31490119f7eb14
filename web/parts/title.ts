// The tab says what it shows.
import { useEffect } from 'preact/hooks';
import { words } from '../words/words.js';

export function useTitle(name: string | undefined): void {
  useEffect(() => {
    document.title = name === undefined ? words.page.title : `${name} – ${words.page.title}`;
    return () => {
      document.title = words.page.title;
    };
  }, [name]);
}
