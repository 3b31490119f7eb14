// The only fields that somebody types into, or chooses in before sending: their `value` is state of the form, set when it opens, so that no
// refresh of the page overwrites it. Lint refuses <input>, <select> and <textarea> elsewhere, and the type of `value` takes nothing else.
import type { JSX, RefObject } from 'preact';
import { useEffect, useState } from 'preact/hooks';

declare const isState: unique symbol;
/** A text that is state: only `useTyped`, `useTypedOver` and `useForm` make one. */
export type Typed = string & { readonly [isState]: true };

/** State of a form from the moment it opens. */
export function useTyped(opened: string | (() => string)) {
  const [typed, setTyped] = useState(opened);
  return [typed as Typed, setTyped] as const;
}

/** Several texts by name. */
export function useTypedTexts<Name extends string>(opened: () => Readonly<Record<Name, string>>) {
  const [typed, setTyped] = useState(opened);
  return [typed as Readonly<Record<Name, Typed>>, setTyped] as const;
}

/** A field that shows what there is until somebody types, such as a filter; `forget` when it is left. */
export function useTypedOver(shown: string) {
  const [typed, setTyped] = useState<string>();
  const forget = () => setTyped(undefined);
  useEffect(() => {
    if (typed === shown) forget();
  }, [shown]);
  return { value: (typed ?? shown) as Typed, onType: (text: string) => setTyped(text), forget };
}

/** What is made of a state is state. */
export const typedIn = (state: Typed, part: (text: string) => string): Typed => part(state) as Typed;

interface State {
  readonly value: Typed;
  readonly onType: (text: string) => void;
}
type Own<Tag extends keyof JSX.IntrinsicElements> = Omit<
  JSX.IntrinsicElements[Tag],
  'value' | 'defaultValue' | 'onInput' | 'ref'
>;
export type InputProps = Own<'input'> & {
  /** Shown in place of the value, such as the name of the customer whose id it is. */
  readonly called?: string | undefined;
  /** A reference to the element: `ref` would be one to the component. */
  readonly field?: RefObject<HTMLInputElement>;
  /** Whether it is all selected when it gets the focus, so that typing replaces it. */
  readonly isSelected?: boolean | undefined;
};

export function Input({ value, onType, called, field, isSelected = false, ...more }: State & InputProps) {
  return (
    <input
      {...more}
      ref={field ?? null}
      value={called ?? value}
      onInput={({ currentTarget }) => onType(currentTarget.value)}
      {...(isSelected && { onFocus: selectAll })}
    />
  );
}

/** After the click that gives the focus, which would put the cursor somewhere. */
function selectAll({ currentTarget: field }: JSX.TargetedFocusEvent<HTMLInputElement>): void {
  requestAnimationFrame(() => field.select());
}

export function TextArea({ value, onType, ...more }: State & Own<'textarea'>) {
  return <textarea {...more} value={value} onInput={({ currentTarget }) => onType(currentTarget.value)} />;
}

export function Select({ value, onType, ...more }: State & Own<'select'>) {
  return <select {...more} value={value} onInput={({ currentTarget }) => onType(currentTarget.value)} />;
}

/** A box or one of several, which counts at once. */
export function Tickable(props: Own<'input'> & { readonly type: 'checkbox' | 'radio' }) {
  return <input {...props} />;
}
