// What a mark on the map stands for, beside it while it is pointed at.
import type { TankStatus } from 'tank-monitoring-client';
import { LevelBar } from '../parts/level.js';
import { States } from '../parts/state.js';
import { now } from '../api/clock.js';
import { whenInWords } from '../outlook.js';
import { percent, placeOf } from '../format.js';
import { clusterInWords, onlyOf, type Mark } from './marks.js';
import type { Size } from './projection.js';
import { words } from '../words/words.js';

const WIDTH = 240;

export function HoverCard({ mark, size }: { readonly mark: Mark; readonly size: Size }) {
  const { cluster, x, y } = mark;
  const left = Math.min(Math.max(x - WIDTH / 2, 8), Math.max(8, size.width - WIDTH - 8));
  const isBelow = y < size.height / 2;
  const place = isBelow ? { top: `${y + 16}px` } : { bottom: `${size.height - y + 16}px` };
  const only = onlyOf(cluster);
  return (
    <div class="hover-card" aria-hidden="true" style={{ left: `${left}px`, width: `${WIDTH}px`, ...place }}>
      {only === undefined ? <p>{clusterInWords(cluster)}</p> : <OneTank tank={only.tank} />}
    </div>
  );
}

function OneTank({ tank }: { readonly tank: TankStatus }) {
  const { fill_percentage: level, forecast } = tank;
  return (
    <>
      <p class="first">{tank.name}</p>
      <p class="second">
        {[tank.owner_name ?? words.ownerDeleted, placeOf(tank.location)].filter(Boolean).join(', ')}
      </p>
      {level !== null && <LevelBar tank={tank} />}
      {level !== null && <p>{percent(level)}</p>}
      {forecast?.alert != null && <p>{words.map.alert(whenInWords(forecast.alert, now()))}</p>}
      <States tank={tank} />
    </>
  );
}
