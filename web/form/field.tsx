// One field of a form: its label, what it is for, and what is wrong with it.
import type { ComponentChildren } from 'preact';
import { Icon } from '../parts/icons.js';
import { addressOf, START } from '../route.js';
import { CHOICES, LABELS, REQUIRED, type FieldName, type Values } from './fields.js';

export interface Fault {
  readonly detail: string;
  /** The tank that has the device already. */
  readonly holder?: string | undefined;
}
export type Faults = Partial<Record<FieldName, Fault>>;

/** What a form is filled in with, and how a field changes it. */
export interface Filled {
  readonly values: Values;
  readonly faults: Faults;
  readonly set: (name: FieldName, value: string) => void;
}

interface Props {
  readonly filled: Filled;
  readonly name: FieldName;
  readonly hint?: string;
  readonly inputMode?: 'decimal' | 'numeric';
}

export function Field({ filled, name, hint, inputMode }: Props) {
  const { values, set } = filled;
  const choices = CHOICES[name];
  const attributes = attributesOf(filled, name, hint !== undefined);
  return (
    <FieldFrame filled={filled} name={name} hint={hint}>
      {choices === undefined ? (
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

interface FrameProps {
  readonly filled: Filled;
  readonly name: FieldName;
  readonly hint: ComponentChildren;
  readonly children: ComponentChildren;
}

export function FieldFrame({ filled, name, hint, children }: FrameProps) {
  const fault = filled.faults[name];
  return (
    <div class={`field field-${name.replace('/', '-')}`}>
      <label for={name}>
        {LABELS[name]}
        {REQUIRED.has(name) && <span class="second"> required</span>}
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
export function attributesOf({ faults }: Filled, name: FieldName, hasHint: boolean) {
  const isWrong = faults[name] !== undefined;
  const described = [hasHint ? `${name}-hint` : '', isWrong ? `${name}-fault` : ''].join(' ').trim();
  return {
    id: name,
    name,
    required: REQUIRED.has(name),
    autoComplete: 'off',
    spellcheck: false,
    'aria-invalid': isWrong,
    'aria-describedby': described === '' ? undefined : described,
  };
}

function inWords(choice: string): string {
  return choice === '' ? 'Not given' : choice.charAt(0).toUpperCase() + choice.slice(1);
}
