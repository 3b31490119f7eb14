// Tanks by name, for those a mark on the map cannot stand for.
import { useEffect, useRef } from 'preact/hooks';
import type { TankStatus } from 'tank-monitoring-client';
import { usePage } from '../page.js';
import { Button } from '../parts/button.js';
import { Link } from '../parts/link.js';
import { States } from '../parts/state.js';
import { words } from '../words/words.js';

const SHOWN = 50;

interface Props {
  readonly title?: string;
  readonly tanks: readonly TankStatus[];
  readonly onClose?: () => void;
}

export function TankLinks({ title, tanks, onClose }: Props) {
  const { route } = usePage();
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), [title]);
  return (
    <div class="tank-links">
      {title !== undefined && (
        <div class="panel-head">
          <h2 ref={heading} tabIndex={-1}>
            {title}
          </h2>
          <Button onClick={onClose}>{words.close}</Button>
        </div>
      )}
      <ul>
        {tanks.slice(0, SHOWN).map((tank) => (
          <li key={tank.tank_id}>
            <Link to={{ ...route, tank: tank.tank_id }} data-tank={tank.tank_id}>
              {tank.name}
            </Link>
            <span class="second">{tank.owner_name ?? words.ownerDeleted}</span>
            <States tank={tank} />
          </li>
        ))}
      </ul>
      {tanks.length > SHOWN && <p class="second">{words.map.more(tanks.length - SHOWN)}</p>}
    </div>
  );
}
