// Changes the alert level, the use case or the owner of all tanks that are ticked, says what was changed, and can undo it.
import { useState } from 'preact/hooks';
import { ifUnchanged, type Tank } from 'tank-monitoring-client';
import { detailOf, isTrouble } from '../api/troubles.js';
import { FailureBanner, useAttempt } from '../form/attempts.js';
import { useCustomerChoice } from '../form/customer-field.js';
import { Input, useTyped } from '../form/inputs.js';
import { isLive } from '../form/opened.js';
import { percent } from '../format.js';
import type { Leave } from '../notice.js';
import { usePage } from '../page.js';
import { Button } from '../parts/button.js';
import { Choice } from '../parts/choice.js';
import { go, USE_CASES } from '../route.js';
import { mayChangeTanks } from '../session.js';
import { words } from '../words/words.js';

const LABELS = {
  min_fill_alert_percentage: words.tank.alertLevel,
  use_case: words.fields.use_case,
  owner_id: words.fields.owner_id,
};
type ManyField = keyof typeof LABELS;
const FIELDS = Object.keys(LABELS) as ManyField[];
/** Requests under way at a time. */
const AT_ONCE = 5;

export function ManyBar() {
  const { client, me, route, onDone } = usePage();
  const { chosen } = route;
  const [field, setField] = useState<ManyField>('min_fill_alert_percentage');
  const [typed, setTyped] = useTyped('');
  const [done, setDone] = useState(0);
  const { isBusy, trouble, attempt } = useAttempt();
  const isOwner = field === 'owner_id';
  const owner = useCustomerChoice({ id: isOwner ? typed : '', set: setTyped });
  if (chosen.length === 0 || !mayChangeTanks(me)) return null;
  const choose = (one: ManyField | undefined) => {
    setField(one ?? field);
    setTyped('');
  };
  const value = isOwner ? typed : field === 'use_case' ? typed || null : Number(typed);
  const isReady = isOwner ? owner.name !== undefined : field === 'use_case' || typed !== '';
  const shown = isOwner ? owner.name : field === 'use_case' ? useCaseInWords(typed) : percent(Number(typed));
  const apply = (event: SubmitEvent) => {
    event.preventDefault();
    if (!isReady) return;
    void attempt(async () => {
      setDone(0);
      const before: Tank[] = [];
      const refused: string[] = [];
      await each(chosen, async (id) => {
        const tank = await client.tanks.get(id);
        if (isLive(tank)) {
          try {
            await client.tanks.patch(id, { [field]: value }, ifUnchanged(tank));
            before.push(tank);
          } catch (error) {
            if (!isTrouble(error)) throw error;
            refused.push(`${tank.name} (${detailOf(error)})`);
          }
        }
        setDone((n) => n + 1);
      });
      const said = words.many.changed(before.length, LABELS[field], shown ?? '');
      const undo = async (leave: Leave) => {
        await each(before, async (tank) => {
          await client.tanks.patch(tank.id, { [field]: tank[field] });
        });
        leave(words.many.undone(before.length), route);
      };
      const wrong =
        refused.length === 0 ? '' : ` ${words.many.refused(refused.length, refused.slice(0, 3).join(', '))}`;
      onDone(said + wrong, route, before.length === 0 ? undefined : undo);
    });
  };
  return (
    <form class="plan-bar plan-bar-on many" aria-label={words.many.title} onSubmit={apply}>
      <p role="status">
        <strong>{words.plan.chosen(chosen.length)}</strong>
        <span class="second">{isBusy && words.many.progress(done, chosen.length)}</span>
        {chosen.length === 1 && <span class="second at-desk">{words.many.range}</span>}
      </p>
      <div class="actions">
        <Choice
          label={words.many.title}
          choices={FIELDS}
          inWords={(one) => LABELS[one]}
          chosen={field}
          onChoose={choose}
        />
        {field === 'use_case' ? (
          <Choice
            label={words.many.value}
            none={words.form.notGiven}
            choices={USE_CASES}
            inWords={(one) => words.useCases[one]}
            chosen={USE_CASES.find((one) => one === typed)}
            onChoose={(one) => setTyped(one ?? '')}
          />
        ) : (
          <label>
            <span class="for-ears">{words.many.value}</span>
            <Input
              type={isOwner ? 'text' : 'number'}
              min={0}
              max={100}
              required
              value={typed}
              {...(isOwner ? owner.input : { placeholder: '%', onType: setTyped })}
            />
          </label>
        )}
        <button type="submit" class="main-action" disabled={isBusy}>
          {words.many.apply}
        </button>
        <Button onClick={() => go({ ...route, chosen: [] }, { replace: true })}>{words.plan.clear}</Button>
      </div>
      {isOwner && owner.list}
      <FailureBanner trouble={trouble} />
    </form>
  );
}

function useCaseInWords(value: string): string {
  const known = USE_CASES.find((one) => one === value);
  return known === undefined ? words.form.notGiven : words.useCases[known];
}

async function each<T>(items: readonly T[], act: (item: T) => Promise<void>): Promise<void> {
  const left = [...items];
  const work = async () => {
    for (let item = left.shift(); item !== undefined; item = left.shift()) await act(item);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
}
