// Liveness and readiness, open to probes without a key.
import { Controller, Get, Header, VERSION_NEUTRAL } from '@nestjs/common';
import { ApiField, NUMBER_OR_NULL } from '../common/openapi/properties.js';
import { ApiOkResponse, ApiOperation, ApiPropertyOptional, ApiTags } from '@nestjs/swagger';
import { TakesSeats } from '../common/admission/admission.js';
import { Public } from '../common/auth/caller.js';
import { ApiProblem, HEADERS_TOO_LARGE } from '../common/openapi/problems.decorator.js';
import { databaseUnavailable } from '../common/problems/problem.js';
import type { StandbyReport } from '../platform/database/standbys.js';
import { HealthService } from './health.service.js';

class HealthResponse {
  @ApiField('Always `ok`; otherwise the answer is a 503.', 'ok', { type: 'string', enum: ['ok'] })
  status: 'ok';
}

class StandbyHealth implements StandbyReport {
  @ApiField('Its position in the list of standbys, from 1.', 1, { type: 'integer' })
  standby: number;

  @ApiField('Whether reads go to it; if not, they go to the others or to the primary.', true)
  in_use: boolean;

  @ApiField('Maximum replication lag in seconds; null while it is unknown.', 0.4, NUMBER_OR_NULL)
  lag_seconds: number | null;
}

class ReadyResponse extends HealthResponse {
  @ApiPropertyOptional({
    type: [StandbyHealth],
    description: 'One entry for each standby, where there are any.',
  })
  standbys?: StandbyHealth[];
}

@ApiTags('Health')
@Public()
@TakesSeats(0)
@Controller({ path: 'health', version: VERSION_NEUTRAL })
export class HealthController {
  constructor(private readonly health: HealthService) {}

  @Get('live')
  @Header('Cache-Control', 'no-store')
  @ApiOperation({
    operationId: 'live',
    summary: 'Check liveness',
    description: 'Whether the process is alive. Does not ask the database.',
    security: [],
  })
  @ApiOkResponse({ type: HealthResponse, description: 'The process is alive.' })
  @HEADERS_TOO_LARGE
  live(): HealthResponse {
    return { status: 'ok' };
  }

  @Get('ready')
  @Header('Cache-Control', 'no-store')
  @ApiOperation({
    operationId: 'ready',
    summary: 'Check readiness',
    description:
      'Whether the database answers, has all migrations and, if readings are accepted, may be written to, and whether the clock is right.',
    security: [],
  })
  @ApiOkResponse({ type: ReadyResponse, description: 'Ready: send requests here.' })
  @ApiProblem('Not ready: send requests elsewhere for now.', databaseUnavailable(undefined))
  @HEADERS_TOO_LARGE
  async ready(): Promise<ReadyResponse> {
    await this.health.assertReady();
    const standbys = this.health.standbyReports();
    return standbys === undefined ? { status: 'ok' } : { status: 'ok', standbys };
  }
}
