// One field of a form: its label, what it is for, and what is wrong with it.
import type { ComponentChildren } from 'preact';
import { Button } from '../parts/button.js';
import { Icon } from '../parts/icons.js';
import { addressOf, START } from '../route.js';
import type { FieldName } from './fields.js';
import { Input, Select, TextArea, Tickable, type InputProps, type Typed } from './inputs.js';
import { words } from '../words/words.js';

/** What a field is, whatever is entered. */
export interface FieldSpec {
  readonly label: string;
  readonly isRequired?: boolean;
  readonly hint?: string;
  readonly inputMode?: 'decimal' | 'numeric';
  readonly type?: 'email' | 'date' | 'time' | 'datetime-local';
  /** The only values that there are, each with what it is called. */
  readonly choices?: readonly (readonly [value: string, words: string])[];
  /** Any number of its choices, which a text has with spaces between them. */
  readonly isSeveral?: boolean;
  /** Of a text of several lines, so many at first. */
  readonly lines?: number;
  /** Where it is in the body, if not at its name. */
  readonly pointer?: string;
}
export type Fields<Name extends string> = Readonly<Record<Name, FieldSpec>>;
export type Texts<Name extends string> = Readonly<Record<Name, string>>;

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
  readonly fields: Fields<Name>;
  readonly values: Readonly<Record<Name, Typed>>;
  readonly faults: Faults<Name>;
  /** `isSettled`: it is not asked about any more. */
  readonly set: (name: Name, value: string, isSettled?: boolean) => void;
}

/** Hint and choices, where they are not always the same. */
interface Props<Name extends string> extends Pick<FieldSpec, 'hint' | 'choices'> {
  readonly filled: Filled<Name>;
  readonly name: Name;
  /** What its input does otherwise than others. */
  readonly input?: InputProps & { readonly onType?: (text: string) => void };
  /** Below its input: what is found, for example. */
  readonly children?: ComponentChildren;
}

export function Field<Name extends string>({ filled, name, input, children, ...now }: Props<Name>) {
  const spec = { ...filled.fields[name], ...now };
  const { label, isRequired = false, hint, lines, choices, inputMode, type } = spec;
  if (spec.isSeveral === true) return <Several filled={filled} name={name} choices={choices ?? []} />;
  const fault = filled.faults[name];
  const described = [hint && `${name}-hint`, fault && `${name}-fault`].filter(Boolean).join(' ');
  const attributes = {
    id: name,
    name,
    required: isRequired,
    autoComplete: 'off',
    spellcheck: false,
    'aria-invalid': fault !== undefined,
    'aria-describedby': described === '' ? undefined : described,
    value: filled.values[name],
    onType: (text: string) => filled.set(name, text),
  };
  return (
    <div class={`field field-${name.replace('/', '-')}`}>
      <label for={name}>
        {label}
        {isRequired && <span class="second"> {words.required}</span>}
      </label>
      {lines !== undefined ? (
        <TextArea {...attributes} rows={lines} />
      ) : choices === undefined ? (
        <Input {...attributes} inputMode={inputMode} type={type} {...input} />
      ) : (
        <Select {...attributes}>
          {choices.map(([value, called]) => (
            <option key={value} value={value}>
              {called}
            </option>
          ))}
        </Select>
      )}
      {children}
      {hint !== undefined && (
        <p id={`${name}-hint`} class="second">
          {hint}
        </p>
      )}
      {fault !== undefined && <Wrong fault={fault} filled={filled} name={name} />}
    </div>
  );
}

function Several<Name extends string>({ filled, name, choices = [] }: Props<Name>) {
  const chosen = filled.values[name].split(' ');
  const fault = filled.faults[name];
  const toggle = (value: string) => {
    const left = choices.filter(([one]) => chosen.includes(one) !== (one === value));
    filled.set(name, left.map(([one]) => one).join(' '));
  };
  return (
    <fieldset class="field choices">
      <legend>{filled.fields[name].label}</legend>
      {choices.map(([value, called]) => (
        <label key={value} class="choice">
          <Tickable type="checkbox" checked={chosen.includes(value)} onChange={() => toggle(value)} />
          {called}
        </label>
      ))}
      {fault !== undefined && <Wrong fault={fault} filled={filled} name={name} />}
    </fieldset>
  );
}

function Wrong<Name extends string>({ fault, filled, name }: Props<Name> & { readonly fault: Fault }) {
  return (
    <p id={`${name}-fault`} class="fault">
      <Icon name="warning" />
      <span>
        {fault.detail}{' '}
        {Object.entries(fault.answers ?? {}).map(([answer, value]) => (
          <Button key={answer} onClick={() => filled.set(name, value, true)}>
            {answer}
          </Button>
        ))}
        {fault.holder !== undefined && (
          // In a tab of its own: what is entered here stays.
          <a href={addressOf({ ...START, tank: fault.holder })} target="_blank" rel="noreferrer">
            {words.form.showHolder}
          </a>
        )}
      </span>
    </p>
  );
}
