// Small pieces of text: facts, cells with two lines, and whom to call and to write to.
import type { ComponentChildren } from 'preact';

export function Fact({ name, children }: { readonly name: string; readonly children: ComponentChildren }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

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

interface PhoneProps {
  readonly number: string;
  readonly class?: string;
  /** The number, unless given. */
  readonly children?: ComponentChildren;
}

export function Phone({ number, class: looks, children = number }: PhoneProps) {
  return (
    <a href={`tel:${number.replaceAll(/[^+\d]/g, '')}`} class={looks}>
      {children}
    </a>
  );
}

/** To this address and no other: a `?` in it would begin more fields, such as bcc. A long one goes on in a new line after its @. */
export function Email({ address }: { readonly address: string }) {
  const [name, ...host] = address.split('@');
  return (
    <a href={`mailto:${encodeURIComponent(address).replaceAll('%40', '@')}`}>
      {name}@<wbr />
      {host.join('@')}
    </a>
  );
}
