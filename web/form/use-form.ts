// A form: what is entered, what is wrong with it, and sending it.
import { useEffect, useRef, useState } from 'preact/hooks';
import { ProblemError } from 'tank-monitoring-client';
import { askToLeave } from '../parts/leaving.js';
import { guardLeaving } from '../route.js';
import { keepInTab, keptInTab } from '../session.js';
import { useAttempt } from './attempts.js';
import { faultsAt } from './faults.js';
import type { Faults, Fields, Filled, Texts } from './field.js';
import { useTypedTexts } from './inputs.js';

interface Options<Name extends string> {
  readonly fields: Fields<Name>;
  /** When it opens; what is stored later is told by `compareWith`. */
  readonly stored: Texts<Name>;
  /** The name of its draft; without one it is part of another form, which stays. */
  readonly draft: string | undefined;
}

export type Form<Name extends string> = ReturnType<typeof useForm<Name>>;

export function useForm<Name extends string>({ fields, stored, draft }: Options<Name>) {
  const { values, setValues, compareWith, restart, drop } = useDraft(draft, stored);
  const [settled, setSettled] = useState<Partial<Texts<Name>>>({});
  const [faults, setFaults] = useState<Faults<Name>>({});
  /** How many fields were wrong when it was sent. */
  const [wrong, setWrong] = useState(0);
  const { isBusy, trouble, attempt } = useAttempt();
  useEffect(() => {
    document.querySelector<HTMLElement>('form.editor [aria-invalid="true"]')?.focus();
  }, [trouble]);

  const send = (
    act: () => Promise<void>,
    faultsIn: (problem: ProblemError) => Faults<Name> | Promise<Faults<Name>> = (problem) =>
      faultsAt(problem, fields, values),
  ) =>
    attempt(async () => {
      setFaults({});
      try {
        await act();
      } catch (error) {
        const found = error instanceof ProblemError ? await faultsIn(error) : {};
        setFaults(found);
        setWrong(Object.keys(found).length);
        throw error;
      }
    });

  const filled: Filled<Name> = {
    fields,
    values,
    faults,
    set: (name, value, isSettled = false) => {
      setValues((before) => ({ ...before, [name]: value }));
      if (isSettled) setSettled((before) => ({ ...before, [name]: value }));
      setFaults((before) => without(before, name));
    },
  };
  const isPutRight = wrong > 0 && Object.keys(faults).length === 0;
  const failure = isPutRight ? undefined : trouble;
  const changing = { setValues, setFaults, compareWith, restart, drop, send };
  return { filled, settled, ...changing, isBusy, trouble: failure, wrong };
}

/** Nor those of the fields within it: another kind of calibration has others. */
function without<Name extends string>(faults: Faults<Name>, name: Name): Faults<Name> {
  const left = Object.entries(faults).filter(([one]) => one !== name && !one.startsWith(`${name}/`));
  return Object.fromEntries(left) as Faults<Name>;
}

/** Made here, so that something new whose answer was lost is not there twice when it is sent again. */
export function newId(): string {
  // crypto.randomUUID is not there without TLS.
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/**
 * What is entered and not saved outlives a reload and signing in again in this tab, and is not left without asking. Without a name it is part
 * of another form, which stays.
 */
function useDraft<Name extends string>(name: string | undefined, opened: Texts<Name>) {
  const place = `draft ${name}`;
  const [stored, compareWith] = useState(opened);
  const [values, setValues] = useTypedTexts<Name>(() => ({
    ...opened,
    ...(name && keptInTab<Texts<Name>>(place)),
  }));
  const edited = Object.entries(values).filter(([field, value]) => value !== stored[field as Name]);
  const isEdited = useRef(false);
  isEdited.current = name !== undefined && edited.length > 0;
  const drop = () => {
    isEdited.current = false;
    keepInTab(place, undefined);
  };
  /** What was entered is stored, and something else may be entered. */
  const restart = (next: Texts<Name>) => {
    drop();
    compareWith(next);
    setValues(next);
  };
  // Only what differs: the rest may be stored anew meanwhile.
  useEffect(() => {
    if (name !== undefined) keepInTab(place, edited.length > 0 ? Object.fromEntries(edited) : undefined);
  }, [values]);
  useEffect(() => {
    if (name === undefined) return undefined;
    const whenUnloading = (event: BeforeUnloadEvent) => {
      if (isEdited.current) event.preventDefault();
    };
    addEventListener('beforeunload', whenUnloading);
    const unguard = guardLeaving({
      isNeeded: () => isEdited.current,
      ask: (leave) =>
        askToLeave(() => {
          drop();
          leave();
        }),
    });
    return () => {
      unguard();
      removeEventListener('beforeunload', whenUnloading);
    };
  }, []);
  return { values, setValues, compareWith, restart, drop };
}
