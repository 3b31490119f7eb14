// What a mark on the map stands for, beside it while it is pointed at.
import type { Map } from 'leaflet';
import type { TankStatus } from 'tank-monitoring-client';
import { now } from '../api/clock.js';
import { percent, placeOf } from '../format.js';
import { whenInWords } from '../outlook.js';
import { LevelBar, States } from '../parts/state.js';
import { severalInWords, type PlacedMark } from './marks.js';
import { words } from '../words/words.js';

const WIDTH = 240;

export function HoverCard({ mark, map }: { readonly mark: PlacedMark; readonly map: Map }) {
  const { x: width, y: height } = map.getSize();
  const { x, y } = map.layerPointToContainerPoint(mark.point);
  const left = Math.min(Math.max(x - WIDTH / 2, 8), Math.max(8, width - WIDTH - 8));
  const place = y < height / 2 ? { top: `${y + 16}px` } : { bottom: `${height - y + 16}px` };
  return (
    <div class="hover-card" aria-hidden="true" style={{ left: `${left}px`, width: `${WIDTH}px`, ...place }}>
      {mark.tank === undefined ? <p>{severalInWords(mark)}</p> : <OneTank tank={mark.tank} />}
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
