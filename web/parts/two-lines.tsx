// A cell with two lines: what matters, and below it, smaller, what belongs to it.
import type { ComponentChildren } from 'preact';

interface Props {
  readonly first: ComponentChildren;
  readonly second: ComponentChildren;
}

export function TwoLines({ first, second }: Props) {
  return (
    <>
      <span class="first">{first}</span>
      <span class="second">{second}</span>
    </>
  );
}
