// One field of a form: its label, what it is for, and what is wrong with it.
import type { ComponentChildren } from 'preact';
import { Icon } from '../parts/icons.js';
import { addressOf, START } from '../route.js';
import { capitalised } from '../words.js';
import type { FieldName } from './fields.js';

export interface Fault {
  readonly detail: string;
  /** The tank that has the device already. */
  readonly holder?: string | undefined;
  /** It is a question: the answers, each with the value it stands for. */
  readonly answers?: Readonly<Record<string, string>>;
}
export type Faults<Name extends string = FieldName> = Partial<Record<Name, Fault>>;

/** What a form is filled in with, and how a field changes it. */
export interface Filled<Name extends string = FieldName> {
  readonly labels: Readonly<Record<Name, string>>;
  readonly required: ReadonlySet<Name>;
  readonly values: Readonly<Record<Name, string>>;
  readonly faults: Faults<Name>;
  /** `isSettled`: it is not asked about any more. */
  readonly set: (name: Name, value: string, isSettled?: boolean) => void;
}

interface Props<Name extends string> {
  readonly filled: Filled<Name>;
  readonly name: Name;
  readonly hint?: string | undefined;
  readonly inputMode?: 'decimal' | 'numeric' | undefined;
  /** The only values that there are, each called what `inWords` says. */
  readonly choices?: readonly string[] | undefined;
  readonly inWords?: (choice: string) => string;
  /** Of a text of several lines, so many at first. */
  readonly lines?: number;
}

export function Field<Name extends string>(props: Props<Name>) {
  const { filled, name, hint, inputMode, choices, inWords = named, lines } = props;
  const { values, set } = filled;
  const attributes = attributesOf(filled, name, hint !== undefined);
  return (
    <FieldFrame filled={filled} name={name} hint={hint}>
      {lines !== undefined ? (
        <textarea
          {...attributes}
          rows={lines}
          value={values[name]}
          onInput={({ currentTarget }) => set(name, currentTarget.value)}
        />
      ) : choices === undefined ? (
        <input
          {...attributes}
          inputMode={inputMode}
          value={values[name]}
          onInput={({ currentTarget }) => set(name, currentTarget.value)}
        />
      ) : (
        <select
          {...attributes}
          value={values[name]}
          onChange={({ currentTarget }) => set(name, currentTarget.value)}
        >
          {choices.map((choice) => (
            <option key={choice} value={choice}>
              {inWords(choice)}
            </option>
          ))}
        </select>
      )}
    </FieldFrame>
  );
}

interface FrameProps<Name extends string> {
  readonly filled: Filled<Name>;
  readonly name: Name;
  readonly hint: ComponentChildren;
  readonly children: ComponentChildren;
}

export function FieldFrame<Name extends string>({ filled, name, hint, children }: FrameProps<Name>) {
  const fault = filled.faults[name];
  return (
    <div class={`field field-${name.replace('/', '-')}`}>
      <label for={name}>
        {filled.labels[name]}
        {filled.required.has(name) && <span class="second"> required</span>}
      </label>
      {children}
      {hint !== undefined && (
        <p id={`${name}-hint`} class="second">
          {hint}
        </p>
      )}
      {fault !== undefined && (
        <p id={`${name}-fault`} class="fault">
          <Icon name="warning" />
          <span>
            {fault.detail}{' '}
            {Object.entries(fault.answers ?? {}).map(([answer, value]) => (
              <button key={answer} type="button" onClick={() => filled.set(name, value, true)}>
                {answer}
              </button>
            ))}
            {fault.holder !== undefined && (
              // In a tab of its own: what is entered here stays.
              <a href={addressOf({ ...START, tank: fault.holder })} target="_blank" rel="noreferrer">
                Show the tank that has it
              </a>
            )}
          </span>
        </p>
      )}
    </div>
  );
}

/** What ties an input to its label, its hint and what is wrong with it. */
export function attributesOf<Name extends string>(filled: Filled<Name>, name: Name, hasHint: boolean) {
  const { faults, required } = filled;
  const isWrong = faults[name] !== undefined;
  const described = [hasHint ? `${name}-hint` : '', isWrong ? `${name}-fault` : ''].join(' ').trim();
  return {
    id: name,
    name,
    required: required.has(name),
    autoComplete: 'off',
    spellcheck: false,
    'aria-invalid': isWrong,
    'aria-describedby': described === '' ? undefined : described,
  };
}

function named(choice: string): string {
  return choice === '' ? 'Not given' : capitalised(choice);
}
