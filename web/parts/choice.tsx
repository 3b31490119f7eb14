// One of a few, chosen from a list.

interface Props<Value extends string> {
  /** For those who do not see it: what is chosen tells what it is. */
  readonly label: string;
  /** What choosing nothing is called, where that can be. */
  readonly none?: string;
  readonly choices: readonly Value[];
  readonly inWords: (value: Value) => string;
  readonly chosen: Value | undefined;
  readonly onChoose: (value: Value | undefined) => void;
}

export function Choice<Value extends string>(props: Props<Value>) {
  const { label, none, choices, inWords, chosen, onChoose } = props;
  return (
    <label>
      <span class="for-ears">{label}</span>
      <select
        value={chosen ?? ''}
        onChange={({ currentTarget }) => onChoose(choices.find((one) => one === currentTarget.value))}
      >
        {none !== undefined && <option value="">{none}</option>}
        {choices.map((value) => (
          <option key={value} value={value}>
            {inWords(value)}
          </option>
        ))}
      </select>
    </label>
  );
}
