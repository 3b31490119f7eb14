// A form: what is entered, what is wrong with it, and sending it.
import { useEffect, useState } from 'preact/hooks';
import { ProblemError } from 'tank-monitoring-client';
import { useAttempt } from './attempts.js';
import { useDraft } from './draft.js';
import { faultsAt } from './faults.js';
import type { Faults, Fields, Filled, Texts } from './field.js';

interface Options<Name extends string> {
  readonly fields: Fields<Name>;
  readonly stored: Texts<Name>;
  /** The name of its draft; without one it is part of another form, which stays. */
  readonly draft: string | undefined;
}

export type Form<Name extends string> = ReturnType<typeof useForm<Name>>;

export function useForm<Name extends string>({ fields, stored, draft }: Options<Name>) {
  const { values, setValues, drop } = useDraft(draft, stored);
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
  return { filled, settled, setValues, setFaults, drop, send, isBusy, trouble: failure, wrong };
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
