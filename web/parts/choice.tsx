// One of a few, chosen from a list.

interface Props<Value extends string> {
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
      {label}
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
