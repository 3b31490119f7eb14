// Reads tanks: one statement a request, so that a page and its total are of one snapshot.
import { Injectable } from '@nestjs/common';
import { Reads, type Statement } from '../database/reads.js';
import { isStorable } from '../database/text.js';
import { selectList } from '../fields/resource.js';
import type { ListQuery } from '../pagination/dto/list.query.js';
import { pageFromRows, type CountedRow, type Page } from '../pagination/page.js';
import { pageOfCounted, pageOfFew, type Listed } from '../pagination/page-statements.js';
import { notFound } from '../problems/problem.js';
import {
  showTank,
  TankResponse,
  toTankResponse,
  type DeletedTankResponse,
  type TankRow,
} from './dto/tank.response.js';
import { TANK } from './tank.fields.js';

const COLUMNS = selectList(TANK);

const FIND_ONE: Statement = {
  name: 'tank_by_id',
  text: `select ${COLUMNS} from tanks tank where id = $1 and ($2::text is null or owner_id = $2)`,
};

/** `$1` is a JSON array of ids. */
const FIND_ALL: Statement = {
  name: 'tanks_by_ids',
  text: `
    select ${COLUMNS} from tanks tank
    where id = any (array(select value collate "C" from json_array_elements_text($1::json)))
      and not deleted and ($2::text is null or owner_id = $2)`,
};

const TANKS: Listed = { table: 'tanks', alias: 'tank', columns: COLUMNS };

const LIST = pageOfCounted('tanks_page', TANKS, 'tanks_locate($1, $2, $3)', 'not deleted');

/** A key bound to a customer lists that customer's tanks, through an index of their own. */
const LIST_OF_BOUND_KEY = pageOfFew('tanks_page_of_bound_key', TANKS, 'owner_id = $5 and not deleted');

@Injectable()
export class TanksService {
  constructor(private readonly reads: Reads) {}

  async list(query: ListQuery, boundTo: string | null): Promise<Page<TankResponse>> {
    const { since, until, skip, size, isLarge } = query;
    const values = [since, until, skip, size];
    const [statement, all] = boundTo === null ? [LIST, values] : [LIST_OF_BOUND_KEY, [...values, boundTo]];
    const rows = await this.reads.rows<TankRow & CountedRow>(statement, all, isLarge);
    return pageFromRows(TankResponse, rows, (row) => row.id !== null, toTankResponse, query);
  }

  async get(id: string, boundTo: string | null): Promise<TankResponse | DeletedTankResponse> {
    const row = isStorable(id) ? await this.reads.firstRow<TankRow>(FIND_ONE, [id, boundTo]) : undefined;
    if (row === undefined) throw notFound('There is no tank with this id.');
    return showTank(row);
  }

  /** Those that are there, by their ids. */
  async findAll(ids: readonly string[], boundTo: string | null): Promise<Map<string, TankResponse>> {
    if (ids.length === 0) return new Map();
    const rows = await this.reads.rows<TankRow>(FIND_ALL, [JSON.stringify(ids), boundTo], true);
    return new Map(rows.map((row) => [row.id, toTankResponse(row)]));
  }
}
