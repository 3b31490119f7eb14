// What is entered into a form and not saved: it outlives a reload and signing in again in this tab, and is not left without asking.
import { useEffect, useRef, useState } from 'preact/hooks';
import { guardLeaving } from '../route.js';
import { keepInTab, keptInTab } from '../session.js';
import { words } from '../words/words.js';

type Texts = Readonly<Record<string, string>>;

/** Without a name it is part of another form, which stays. */
export function useDraft<Values extends Texts>(name: string | undefined, stored: Values) {
  const place = `draft ${name}`;
  const [values, setValues] = useState<Values>(() => ({ ...stored, ...(name && keptInTab<Values>(place)) }));
  const edited = Object.entries(values).filter(([field, value]) => value !== stored[field]);
  const isEdited = useRef(false);
  isEdited.current = name !== undefined && edited.length > 0;
  const drop = () => {
    isEdited.current = false;
    keepInTab(place, undefined);
  };
  // Only what differs: the rest may be stored anew meanwhile.
  useEffect(() => {
    if (name !== undefined) keepInTab(place, edited.length > 0 ? Object.fromEntries(edited) : undefined);
  }, [values]);
  useEffect(() => {
    if (name === undefined) return undefined;
    const mayLeave = () => {
      const may = !isEdited.current || confirm(words.form.leave);
      if (may) drop();
      return may;
    };
    const whenUnloading = (event: BeforeUnloadEvent) => {
      if (isEdited.current) event.preventDefault();
    };
    addEventListener('beforeunload', whenUnloading);
    const unguard = guardLeaving(mayLeave);
    return () => {
      unguard();
      removeEventListener('beforeunload', whenUnloading);
    };
  }, []);
  return { values, setValues, drop };
}
