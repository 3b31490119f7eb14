// Reads forecasts and their record: one statement a request.
import { Injectable } from '@nestjs/common';
import { resolveOwner } from '../common/auth/caller.js';
import { notFound } from '../common/problems/problem.js';
import { Reads, type Statement } from '../platform/database/reads.js';
import { toAccuracyResponse, type ForecastAccuracyResponse } from './dto/accuracy.response.js';
import { toTankForecastResponse } from './dto/forecast.response.js';
import type { TankForecastResponse, TankForecastRow } from './dto/forecast.response.js';
import { emptyTally, type Tally } from './model/record.js';

const FIND_ONE: Statement = {
  name: 'forecast_of_tank',
  text: `
    select tank.id, state.forecast_made_at, known.level, known.percent_per_day, to_json(state.alert_hours) as alert_hours,
           to_json(known.empty_hours) as empty_hours, to_json(known.levels) as levels, to_json(known.accuracy) as accuracy
    from tanks tank join tank_states state on state.tank_key = tank.key
    left join tank_forecasts known on known.tank_key = tank.key
    where tank.id = $1 and not tank.deleted and ($2::text is null or tank.owner_id = $2)`,
};

/** Sums over tanks, in the order of the numbers that are stored: the first two are nights. $1: the owner. */
const PLACES = Array.from({ length: 26 }, (_, i) => `coalesce(sum(known.accuracy[${i + 3}]), 0)`).join(', ');
const ACCURACY: Statement = {
  name: 'forecast_accuracy',
  text: `
    select to_json(array[min(known.accuracy[1]), max(known.accuracy[2]), ${PLACES}]) as accuracy
    from tank_forecasts known join tank_states state on state.tank_key = known.tank_key
    where known.accuracy is not null and state.fleet_group is not null and ($1::text is null or state.owner_id = $1)`,
};

@Injectable()
export class ForecastsService {
  constructor(private readonly reads: Reads) {}

  async get(id: string, boundTo: string | null): Promise<TankForecastResponse> {
    const row = await this.reads.firstRow<TankForecastRow>(FIND_ONE, [id, boundTo]);
    if (row === undefined) throw notFound('There is no tank with this id.');
    return toTankForecastResponse(row);
  }

  async accuracy(ownerId: string | undefined, boundTo: string | null): Promise<ForecastAccuracyResponse> {
    const row = await this.reads.firstRow<{ accuracy: Tally }>(ACCURACY, [resolveOwner(ownerId, boundTo)]);
    return toAccuracyResponse(row?.accuracy ?? emptyTally());
  }
}
