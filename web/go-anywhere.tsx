// Ctrl-K: type a part of a view's, a tank's or a customer's name, and go there. `/` goes to the search of what is shown.
import { useEffect, useState } from 'preact/hooks';
import { useFound } from './form/found.js';
import { Input, useTyped } from './form/inputs.js';
import { usePage } from './page.js';
import { Dialog } from './parts/dialog.js';
import { Link } from './parts/link.js';
import { SETTINGS, START, type Route } from './route.js';
import { words } from './words/words.js';

const VIEWS = ['list', 'plan', 'map', 'runs', 'events', 'customers', 'uplinks'] as const;
const SHOWN = 8;

interface Place {
  readonly name: string;
  readonly more?: string | null;
  readonly to: Route;
}

const PLACES: readonly Place[] = [
  ...VIEWS.map((view) => ({ name: words.views[view], to: { ...START, view } })),
  ...SETTINGS.map((setting) => ({
    name: words.settings.parts[setting],
    more: words.views.settings,
    to: { ...START, view: 'settings' as const, setting },
  })),
];

export function GoAnywhere() {
  const [isOpen, setIsOpen] = useState(false);
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const isTyping =
        event.target instanceof Element && event.target.closest('input, select, textarea') !== null;
      if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'k') {
        event.preventDefault();
        setIsOpen(true);
      } else if (event.key === '/' && !isTyping && document.querySelector('dialog[open]') === null) {
        event.preventDefault();
        document.querySelector<HTMLElement>('main > :not([hidden]) input[type="search"]')?.focus();
      }
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  }, []);
  if (!isOpen) return null;
  return (
    <Dialog title={words.page.goAnywhere} class="anywhere" isTitleHidden onClose={() => setIsOpen(false)}>
      {(close) => <Places close={close} />}
    </Dialog>
  );
}

function Places({ close }: { readonly close: () => void }) {
  const { client, me } = usePage();
  const [typed, setTyped] = useTyped('');
  const text = typed.trim();
  const found = useFound('tank', text, async (q, signal) => {
    const [tanks, customers] = await Promise.all([
      client.fleet.tanks.page({ q, size: SHOWN }, { signal }),
      client.customers.page({ q, size: SHOWN }, { signal }),
    ]);
    return [
      ...tanks.data.map(({ tank_id, name, owner_name }) => ({
        name,
        more: owner_name,
        to: { ...START, tank: tank_id },
      })),
      ...customers.data.map(({ id, name }) => ({
        name,
        more: words.fields.customer_id,
        to: { ...START, view: 'customers' as const, customer: id },
      })),
    ];
  });
  const isNamed = ({ name, to }: Place) =>
    name.toLowerCase().includes(text.toLowerCase()) && (me.customer_id === null || to.view !== 'runs');
  const places = [...PLACES.filter(isNamed), ...(found ?? [])].slice(0, 2 * SHOWN);
  return (
    <>
      <form onSubmit={goFirst}>
        <label>
          <span class="for-ears">{words.page.goAnywhere}</span>
          <Input
            autoComplete="off"
            spellcheck={false}
            placeholder={words.page.goAnywhereHint}
            value={typed}
            onType={setTyped}
          />
        </label>
      </form>
      {/* oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-noninteractive-element-interactions -- links are what is clicked */}
      <ul class="plain" onClick={({ target }) => target instanceof Element && target.closest('a') && close()}>
        {places.map(({ name, more, to }) => (
          <li key={JSON.stringify([to.view, to.setting, to.tank, to.customer])}>
            <Link to={to}>
              {name} <span class="second">{more}</span>
            </Link>
          </li>
        ))}
      </ul>
    </>
  );
}

function goFirst(event: SubmitEvent): void {
  event.preventDefault();
  document.querySelector<HTMLElement>('dialog.anywhere a')?.click();
}
