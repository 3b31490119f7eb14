// Whom to call and to write to.

export function Phone({ number }: { readonly number: string }) {
  return <a href={`tel:${number.replaceAll(/[^+\d]/g, '')}`}>{number}</a>;
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
