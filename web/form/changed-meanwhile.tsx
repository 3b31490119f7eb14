// Somebody else saved the tank while it was being edited: both values of every field that differs, and which of them to keep.
import { useEffect, useRef } from 'preact/hooks';
import { Icon } from '../parts/icons.js';
import type { Filled } from './field.js';
import type { FieldName } from './fields.js';
import type { Difference } from './merge.js';
import { words } from '../words/words.js';

interface Props {
  readonly differences: readonly Difference[];
  readonly filled: Filled;
  readonly shown: (name: FieldName, value: string) => string;
}

export function ChangedMeanwhile({ differences, filled, shown }: Props) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    heading.current?.focus({ preventScroll: true });
    heading.current?.scrollIntoView();
  }, [differences]);
  return (
    <section class="trouble changed" aria-labelledby="changed">
      <Icon name="warning" />
      <div>
        <h2 id="changed" ref={heading} tabIndex={-1}>
          {words.form.meanwhile}
        </h2>
        <p>
          {words.form.meanwhileWhy}{' '}
          {differences.length === 0 ? words.form.meanwhileLook : words.form.meanwhileChoose}
        </p>
        {differences.map(({ name, yours, stored }) => (
          <fieldset key={name}>
            <legend>{filled.fields[name].label}</legend>
            {Object.entries({ [words.form.yours]: yours, [words.form.stored]: stored }).map(
              ([label, value]) => (
                <label key={label} class="choice">
                  <input
                    type="radio"
                    name={`keep ${name}`}
                    checked={filled.values[name] === value}
                    onChange={() => filled.set(name, value)}
                  />
                  <span>
                    {label}: <strong>{shown(name, value)}</strong>
                  </span>
                </label>
              ),
            )}
          </fieldset>
        ))}
      </div>
    </section>
  );
}
