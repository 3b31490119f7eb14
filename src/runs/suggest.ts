// Suggests a run: tanks that are due, the soonest empty first, as far as the truck goes; then what could be filled nearby.
import { Inject, Injectable } from '@nestjs/common';
import { setImmediate as others } from 'node:timers/promises';
import { DAY_MS, HOUR_MS } from '../common/datetime/datetime.js';
import { roundTo } from '../common/rounding.js';
import { searchValue } from '../common/search.js';
import { HAS_WORDS, tanksWithWords } from '../fleet/fleet-statements.js';
import { CONFIG, type Config } from '../platform/config/config.js';
import { Reads, type Statement } from '../platform/database/reads.js';
import { inUnit } from '../tanks/capacity.js';
import type { CapacityUnit } from '../tanks/tank.entity.js';
import { MOST_STOPS, toPlace, toStopTank } from './dto/run.response.js';
import type {
  LeftOutReason,
  LeftOutResponse,
  StopTankRow,
  SuggestedRunResponse,
} from './dto/run.response.js';
import type { SuggestionInput } from './dto/run.input.js';
import { measureRoute, kilometers, type Place } from './route.js';
import { STATE_AND_OWNER, TANK_NOW } from './run-statements.js';

const DAYS_AHEAD = 7;
const NEARBY_KM = 10;
/** Points that a tank nearby must have room for. */
const NEARBY_ROOM = 25;
/** Differences of levels are compared after rounding, which the statement leaves to us. */
const ROUNDING = 0.000_001;
/** Each may be compared with 200 stops; then others are answered. */
const TANKS_AT_ONCE = 500;
/** A degree of latitude has more kilometers everywhere. */
const KM_PER_DEGREE = 111;

/** The fields that decide, read of all candidates, who may be very many; names are read only for the tanks that are shown. */
interface Candidate {
  readonly tank_id: string;
  readonly capacity: number;
  readonly capacity_unit: CapacityUnit;
  readonly latitude: number | null;
  readonly longitude: number | null;
  readonly fill_percentage: number;
  readonly low: boolean;
  readonly silent: boolean;
  readonly alert_hour: number | null;
  readonly empty_hour: number | null;
  /** One with an open stop there. */
  readonly run_id: string | null;
}

/** A tank that becomes a stop, and why. */
interface Chosen {
  readonly tank: Candidate;
  readonly amount: number;
  readonly reason: string;
}

const EMPTY_HOUR = 'case when state.forecast_made_at is not null then state.empty_hours[1] end';
const IS_DUE = 'coalesce(state.low or state.alert_hours[1] <= $1, false)';

/** $1: the last hour of an alert; $2: the owner; $3: the words; others follow. */
function candidates(name: string, hasWords: boolean, condition: string, order: string): Statement {
  return {
    name: `runs_${name}${hasWords ? '_with_words' : ''}`,
    text: `
      with ${hasWords ? tanksWithWords('$3', null) : ''} found as (
        select tank.id as tank_id, tank.capacity, tank.capacity_unit, tank.latitude, tank.longitude, state.fill_percentage,
               state.low, coalesce(state.silent_at < now(), false) as silent, state.alert_hours[1] as alert_hour,
               ${EMPTY_HOUR} as empty_hour,
               (select stop.run_id from run_stops stop where stop.tank_id = tank.id and stop.status = 'open'
                order by stop.date, stop.run_id limit 1) as run_id
        from tank_states state join tanks tank on tank.key = state.tank_key
        where state.fleet_group is not null and state.reported_at is not null and ($2::text is null or state.owner_id = $2)
          and ${hasWords ? `state.${HAS_WORDS}` : '$3::text is null'} and ${condition}
      )
      select * from found ${order}`,
  };
}

const due = (hasWords: boolean): Statement =>
  candidates(
    'due',
    hasWords,
    IS_DUE,
    'order by empty_hour nulls last, low desc, alert_hour nulls last, tank_id',
  );

/** $4: the highest level; $5, $6: between which latitudes. */
const roomy = (hasWords: boolean): Statement =>
  candidates(
    'roomy',
    hasWords,
    `not ${IS_DUE} and state.fill_percentage <= $4 and tank.latitude between $5 and $6 and tank.longitude is not null
     and (state.silent_at < now()) is not true`,
    'where run_id is null order by tank_id',
  );

/** $1: a JSON array of their ids. */
const TANKS: Statement = {
  name: 'runs_tanks',
  text: `
    select tank.id, ${TANK_NOW} as tank from tanks tank ${STATE_AND_OWNER}
    where tank.id = any (array(select value collate "C" from json_array_elements_text($1::json)))`,
};

/** $1: as above. */
const NAMES: Statement = {
  name: 'runs_tank_names',
  text: `
    select id, name from tanks
    where id = any (array(select value collate "C" from json_array_elements_text($1::json)))`,
};

@Injectable()
export class Suggestions {
  constructor(
    private readonly reads: Reads,
    @Inject(CONFIG) private readonly config: Pick<Config, 'fillToPercent'>,
  ) {}

  async suggest(input: SuggestionInput): Promise<SuggestedRunResponse> {
    const lastDay = input.until === undefined ? dayOf(input.date) + DAYS_AHEAD : dayOf(input.until);
    const lastHour = ((lastDay + 1) * DAY_MS) / HOUR_MS - 1;
    const [owner, words] = [input.owner_id ?? null, input.q ?? null];
    const asked = [lastHour, owner, words === null ? null : searchValue(words)];
    const find = (statement: (hasWords: boolean) => Statement, values: (number | string | null)[]) =>
      this.reads.rows<Candidate>(statement(words !== null), values, true);
    const fillTo = input.fill_to ?? this.config.fillToPercent;
    const truck = new Truck(input, fillTo);
    truck.takeDue(await find(due, asked));
    const box = truck.latitudes;
    if (box !== undefined && !truck.isFull)
      await truck.takeNearby(await find(roomy, [...asked, fillTo - NEARBY_ROOM + ROUNDING, ...box]));
    return this.show(input, truck);
  }

  private async show(input: SuggestionInput, { chosen, leftOut }: Truck): Promise<SuggestedRunResponse> {
    const leftOutShown = leftOut.slice(0, MOST_STOPS);
    const rows = await this.reads.rows<{ id: string; tank: StopTankRow }>(
      TANKS,
      [idsOf(chosen.map(({ tank }) => tank))],
      true,
    );
    const tanks = new Map(rows.map(({ id, tank }) => [id, toStopTank(tank)]));
    const named = await this.reads.rows<{ id: string; name: string }>(NAMES, [idsOf(leftOutShown)], true);
    const names = new Map(named.map(({ id, name }) => [id, name]));
    const { date, capacity = null, capacity_unit = 'liters', start = null } = input;
    const planned = chosen.reduce((sum, { amount }) => sum + amount, 0);
    const places = chosen.map(({ tank }) => toPlace(tank.latitude, tank.longitude));
    return {
      object: 'run',
      date,
      name: null,
      capacity: capacity === null ? null : roundTo(capacity, 2),
      capacity_unit,
      start,
      status: 'planned',
      planned: roundTo(planned, 2),
      delivered: 0,
      distance_km: measureRoute(start, places),
      stop_count: chosen.length,
      open_count: chosen.length,
      discrepancies: 0,
      stops: chosen.map(({ tank: { tank_id: id }, amount, reason }) => ({
        tank_id: id,
        planned: amount,
        status: 'open',
        delivered: null,
        delivered_at: null,
        note: null,
        measured: null,
        tank: tanks.get(id) ?? null,
        reason,
      })),
      left_out: leftOutShown.map(({ tank_id, reason, run_id }) => ({
        tank_id,
        name: names.get(tank_id) ?? '',
        reason,
        run_id,
      })),
      left_out_total: leftOut.length,
    };
  }
}

/** What is chosen, one after the other, while there is room. */
export class Truck {
  readonly chosen: Chosen[] = [];
  readonly leftOut: Omit<LeftOutResponse, 'name'>[] = [];
  private readonly unit: CapacityUnit;
  /** Hundredths of the unit, so that sums are exact. */
  private room: number;

  constructor(
    { capacity = null, capacity_unit: unit = 'liters' }: SuggestionInput,
    private readonly fillTo: number,
  ) {
    this.unit = unit;
    this.room = capacity === null ? Infinity : Math.round(roundTo(capacity, 2) * 100);
  }

  get isFull(): boolean {
    return this.chosen.length >= MOST_STOPS;
  }

  /** Within which latitudes something may be nearby; undefined where nothing can. */
  get latitudes(): readonly [south: number, north: number] | undefined {
    const all = this.chosen.flatMap(({ tank }) => tank.latitude ?? []);
    const margin = NEARBY_KM / KM_PER_DEGREE;
    return all.length === 0 ? undefined : [Math.min(...all) - margin, Math.max(...all) + margin];
  }

  takeDue(tanks: readonly Candidate[]): void {
    for (const tank of tanks) {
      const reason = this.obstacleTo(tank);
      if (reason === undefined) this.take(tank, whyDue(tank));
      else {
        const { tank_id, run_id } = tank;
        this.leftOut.push({ tank_id, reason, run_id: reason === 'planned' ? run_id : null });
      }
    }
  }

  /** The nearest to one that is due first; those as near stay in their order. */
  async takeNearby(tanks: readonly Candidate[]): Promise<void> {
    const stops = this.chosen.flatMap(({ tank }) => toPlace(tank.latitude, tank.longitude) ?? []);
    const near: { tank: Candidate; distance: number }[] = [];
    for (const [i, tank] of tanks.entries()) {
      if (i % TANKS_AT_ONCE === TANKS_AT_ONCE - 1) await others();
      if (roundTo(this.fillTo - tank.fill_percentage, 6) < NEARBY_ROOM) continue;
      const distance = nearest(toPlace(tank.latitude, tank.longitude), stops);
      if (distance <= NEARBY_KM) near.push({ tank, distance });
    }
    near.sort((a, b) => a.distance - b.distance);
    for (const { tank } of near) if (this.obstacleTo(tank) === undefined) this.take(tank, 'nearby');
  }

  private amountFor({ capacity, capacity_unit: unit, fill_percentage: fill }: Candidate): number {
    return roundTo((inUnit(capacity, unit, this.unit) * roundTo(this.fillTo - fill, 6)) / 100, 2);
  }

  /** The first reason that holds. */
  private obstacleTo(tank: Candidate): LeftOutReason | undefined {
    if (tank.silent) return 'silent';
    if (tank.run_id !== null) return 'planned';
    const amount = this.amountFor(tank);
    if (amount <= 0) return 'full';
    return this.isFull || Math.round(amount * 100) > this.room ? 'does_not_fit' : undefined;
  }

  private take(tank: Candidate, reason: string): void {
    const amount = this.amountFor(tank);
    this.room -= Math.round(amount * 100);
    this.chosen.push({ tank, amount, reason });
  }
}

function whyDue({ empty_hour: empty, low, alert_hour: alert }: Candidate): string {
  if (empty !== null) return `empty by ${dayIn(empty)}`;
  return low || alert === null ? 'low' : `alert by ${dayIn(alert)}`;
}

const idsOf = (tanks: readonly { readonly tank_id: string }[]): string =>
  JSON.stringify(tanks.map(({ tank_id: id }) => id));

const dayIn = (hour: number): string => new Date(hour * HOUR_MS).toISOString().slice(0, 10);
const dayOf = (date: string): number => Date.parse(`${date}T00:00:00Z`) / DAY_MS;

function nearest(place: Place | null, stops: readonly Place[]): number {
  if (place === null) return Infinity;
  let least = Infinity;
  for (const stop of stops)
    if (Math.abs(stop.latitude - place.latitude) * KM_PER_DEGREE <= NEARBY_KM)
      least = Math.min(least, kilometers(place, stop));
  return least;
}
