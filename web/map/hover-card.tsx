// What a mark on the map stands for, beside it while it is pointed at.
import { LevelBar } from '../parts/level.js';
import { States } from '../parts/state.js';
import { now } from '../api/clock.js';
import { whenInWords } from '../outlook.js';
import { percent, placeOf } from '../words.js';
import { clusterInWords, type Mark } from './marks.js';
import type { Size } from './projection.js';

const WIDTH = 240;

export function HoverCard({ mark, size }: { readonly mark: Mark; readonly size: Size }) {
  const { cluster, x, y } = mark;
  const left = Math.min(Math.max(x - WIDTH / 2, 8), Math.max(8, size.width - WIDTH - 8));
  const isBelow = y < size.height / 2;
  const place = isBelow ? { top: `${y + 16}px` } : { bottom: `${size.height - y + 16}px` };
  const [only] = cluster.tanks;
  return (
    <div class="hover-card" aria-hidden="true" style={{ left: `${left}px`, width: `${WIDTH}px`, ...place }}>
      {cluster.tanks.length > 1 || only === undefined ? (
        <p>{clusterInWords(cluster)}</p>
      ) : (
        <>
          <p class="first">{only.tank.name}</p>
          <p class="second">
            {[only.tank.owner_name ?? 'Owner deleted', placeOf(only.tank.location)]
              .filter(Boolean)
              .join(', ')}
          </p>
          {only.tank.fill_percentage !== null && (
            <>
              <LevelBar tank={only.tank} />
              <p>{percent(only.tank.fill_percentage)}</p>
            </>
          )}
          {only.tank.forecast?.alert != null && <p>Alert {whenInWords(only.tank.forecast.alert, now())}</p>}
          <States tank={only.tank} />
        </>
      )}
    </div>
  );
}
