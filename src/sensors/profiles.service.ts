// Reads sensor profiles: one statement a request, so that a page and its total are of one snapshot.
import { Injectable } from '@nestjs/common';
import { Reads, type Statement } from '../database/reads.js';
import { isStorable } from '../database/text.js';
import type { ListQuery } from '../pagination/dto/list.query.js';
import { pageFromRows, type CountedRow, type Page } from '../pagination/page.js';
import { pageOfFew, type Listed } from '../pagination/page-statements.js';
import { notFound, type Problem } from '../problems/problem.js';
import {
  SensorProfileResponse,
  toSensorProfileResponse,
  type SensorProfileRow,
} from './dto/sensor-profile.response.js';
import { PROFILE_COLUMNS } from './sensor-lookup.js';

export const COLUMNS = `profile.id, profile.name, profile.created_at, profile.updated_at, ${PROFILE_COLUMNS}`;

const FIND_ONE: Statement = {
  name: 'sensor_profile_by_id',
  text: `select ${COLUMNS} from sensor_profiles profile where id = $1`,
};

const PROFILES: Listed = { table: 'sensor_profiles', alias: 'profile', columns: COLUMNS };
const LIST = pageOfFew('sensor_profiles_page', PROFILES, 'true');

@Injectable()
export class ProfilesService {
  constructor(private readonly reads: Reads) {}

  async list(query: ListQuery): Promise<Page<SensorProfileResponse>> {
    const { since, until, skip, size, isLarge } = query;
    const values = [since, until, skip, size];
    const rows = await this.reads.rows<SensorProfileRow & CountedRow>(LIST, values, isLarge);
    return pageFromRows(
      SensorProfileResponse,
      rows,
      (row) => row.id !== null,
      toSensorProfileResponse,
      query,
    );
  }

  async get(id: string): Promise<SensorProfileResponse> {
    const row = isStorable(id) ? await this.reads.firstRow<SensorProfileRow>(FIND_ONE, [id]) : undefined;
    if (row === undefined) throw noProfile();
    return toSensorProfileResponse(row);
  }
}

export function noProfile(): Problem {
  return notFound('There is no sensor profile with this id.');
}
