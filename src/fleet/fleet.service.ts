// Reads the current states of tanks: one statement a request, so that a page and its total agree.
import { Injectable } from '@nestjs/common';
import { resolveOwner } from '../common/auth/caller.js';
import { searchValue } from '../common/search.js';
import { isStorable, Reads, type PageRows } from '../platform/database/reads.js';
import { pageFromRows, type CountedRow, type Page } from '../common/pagination/page.js';
import { notFound } from '../common/problems/problem.js';
import type { FleetQuery, FleetTanksQuery } from './dto/fleet.query.js';
import { toFleetResponse, type FleetResponse, type FleetRow } from './dto/fleet.response.js';
import { TankStatusResponse, toTankStatusResponse } from './dto/tank-status.response.js';
import type {
  ConsumptionResponse,
  TankStatusRow,
  TankStatusWithConsumptionResponse,
} from './dto/tank-status.response.js';
import { listGroups } from './fleet-groups.js';
import {
  FIND_ONE,
  pageOfAlerts,
  pageOfFound,
  pageOfGroups,
  SUMMARY,
  summaryOfFound,
} from './fleet-statements.js';
import { DAY_MS, isoFromPostgres } from '../common/datetime/datetime.js';
import { NUMBERS } from '../rules.js';
import { roundTo } from '../common/rounding.js';

@Injectable()
export class FleetService {
  constructor(private readonly reads: Reads) {}

  async list(query: FleetTanksQuery, boundTo: string | null): Promise<Page<TankStatusResponse>> {
    const rows = await this.readPage(query, boundTo);
    return pageFromRows(TankStatusResponse, rows, toTankStatusResponse, query);
  }

  async get(id: string, boundTo: string | null): Promise<TankStatusWithConsumptionResponse> {
    const row = await this.reads.firstRow<TankStatusRow & FallsRow>(FIND_ONE, [id, boundTo]);
    if (row === undefined) throw notFound('There is no tank with this id.');
    return Object.assign(toTankStatusResponse(row), { consumption: computeConsumption(row) });
  }

  async summary(
    { owner_id, use_case: useCase, q, low_battery, weak_signal }: FleetQuery,
    boundTo: string | null,
  ): Promise<FleetResponse> {
    // No tank has a text that cannot be stored, and none is of the owner ''.
    const owner = resolveOwner(q === undefined || isStorable(q) ? owner_id : '', boundTo);
    const words = q === undefined || owner === '' ? null : searchValue(q);
    const groups = `{${listGroups({ useCase }).join()}}`;
    const ofSensors = [low_battery, weak_signal].map(writeFlag);
    const isOfGroups = owner === null && words === null && ofSensors.every((flag) => flag === null);
    const isLong = words !== null || (owner === null && !isOfGroups);
    const found = summaryOfFound(owner !== null, words !== null);
    const row = isOfGroups
      ? await this.reads.firstRow<FleetRow>(SUMMARY, [groups])
      : await this.reads.firstRow<FleetRow>(found, [groups, owner, words, ...ofSensors], isLong);
    if (row === undefined) throw new Error('The summary of the fleet returned no row.');
    return toFleetResponse(row);
  }

  private readPage(
    query: FleetTanksQuery,
    boundTo: string | null,
  ): Promise<PageRows<TankStatusRow & CountedRow>> {
    const { skip, size, isLarge, sort = 'fill_percentage', use_case: useCase, q = null } = query;
    const owner = resolveOwner(query.owner_id, boundTo);
    const { silent, reported, low } = query;
    const filter = { useCase, reported, low };
    const lastHour = query.lastAlertHour;
    const ofSensors = [query.low_battery, query.weak_signal].map(writeFlag);
    const isOfGroups = owner === null && q === null && ofSensors.every((flag) => flag === null);
    if (isOfGroups && lastHour !== null && [silent, reported, low].every((flag) => flag === undefined)) {
      const groups = `{${listGroups(filter).join()}}`;
      return this.reads.page(pageOfAlerts(sort), [groups, skip, size, lastHour], isLarge);
    }
    if (isOfGroups && lastHour === null) {
      const groups = `{${listGroups({ ...filter, silent }).join()}}`;
      return this.reads.page(pageOfGroups(sort, silent), [groups, skip, size], isLarge);
    }
    // Not by the group: silence is checked for each tank that is found.
    const groups = `{${listGroups(filter).join()}}`;
    const statement = pageOfFound(sort, owner !== null, q !== null);
    const mayTakeLong = q !== null || owner === null;
    const words = q === null ? null : searchValue(q);
    const values = [groups, skip, size, writeFlag(silent), owner, words, lastHour, ...ofSensors];
    return this.reads.page(statement, values, isLarge, mayTakeLong);
  }
}

function writeFlag(flag: boolean | undefined): string | null {
  return flag === undefined ? null : String(flag);
}

/** What the statement sums up of the pairs of readings that count; null without any. */
export interface FallsRow {
  /** Percentage points: the falls minus the small rises. */
  used: number | null;
  covered_ms: number | null;
  since: string | null;
}

/** How fast a tank is being emptied, from the falls between its consecutive readings. */
export function computeConsumption(row: FallsRow & TankStatusRow): ConsumptionResponse | null {
  const { used, covered_ms, since, fill_percentage, min_fill_alert_percentage, low, silent } = row;
  if (silent || used === null || covered_ms === null || since === null || fill_percentage === null)
    return null;
  const days = covered_ms / DAY_MS;
  if (days < NUMBERS.CONSUMPTION_LEAST_DAYS || roundTo(used, 6) < NUMBERS.CONSUMPTION_LEAST_USED) return null;
  const perDay = used / days;
  return {
    percent_per_day: roundTo(perDay, 2),
    days_left: roundTo(fill_percentage / perDay, 1),
    days_to_alert: low ? 0 : roundTo((fill_percentage - min_fill_alert_percentage) / perDay, 1),
    since: isoFromPostgres(since),
  };
}
