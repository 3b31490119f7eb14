// In place of what the visitor may not see or change: why not. To a user in words of roles, to the holder of a key in words of scopes.
import type { Me } from 'tank-monitoring-client';
import { usePage } from '../page.js';
import { mayWrite } from '../session.js';
import { words } from '../words/words.js';
import { Instead } from './trouble.js';

type Scope = Me['scopes'][number];

/** The least role that has it. */
const ROLES: Readonly<Record<Scope, keyof typeof words.users.roles>> = {
  read: 'viewer',
  'runs:write': 'dispatcher',
  'telemetry:write': 'clerk',
  'customers:write': 'clerk',
  'tanks:write': 'clerk',
  recipients: 'clerk',
  activity: 'clerk',
  webhooks: 'admin',
  keys: 'admin',
  users: 'admin',
};

export function NotAllowed({ scope }: { readonly scope: Scope }) {
  const { me } = usePage();
  if (me.kind === 'key') {
    return <Instead title={words.form.notWithKey} note={words.form.needsScope(scope)} />;
  }
  return <Instead title={words.form.notAllowed} note={whyNot(me, scope)} />;
}

function whyNot(me: Me, scope: Scope): string {
  if (!me.scopes.includes(scope)) {
    const [role = ''] = words.users.roles[ROLES[scope]].split(':');
    return words.form.needsRole(role);
  }
  return mayWrite ? words.form.ofOneCustomer : words.form.readOnly;
}
