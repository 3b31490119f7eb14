// Is the process alive, and can it serve? Open to probes without a key.
import { Controller, Get, Header, VERSION_NEUTRAL } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiProperty, ApiPropertyOptional, ApiTags } from '@nestjs/swagger';
import { Public } from '../auth/public.decorator.js';
import { ApiProblem, HEADERS_TOO_LARGE } from '../openapi/responses.decorator.js';
import type { StandbyReport } from '../database/standbys.js';
import { HealthService } from './health.service.js';

class HealthResponse {
  @ApiProperty({
    type: 'string',
    enum: ['ok'],
    description: 'Always `ok`; anything else is a 503.',
    example: 'ok',
  })
  status: 'ok';
}

class StandbyHealth implements StandbyReport {
  @ApiProperty({ type: 'integer', description: 'Its place in the list of standbys, from 1.', example: 1 })
  standby: number;

  @ApiProperty({
    type: 'boolean',
    description: 'Whether reads go to it; others and the primary take them otherwise.',
    example: true,
  })
  in_use: boolean;

  @ApiProperty({
    type: 'number',
    nullable: true,
    description: 'How old what it has is at most, in seconds; null while that is not known.',
    example: 0.4,
  })
  lag_seconds: number | null;
}

class ReadyResponse extends HealthResponse {
  @ApiPropertyOptional({ type: [StandbyHealth], description: 'Where reads go to standbys: each of them.' })
  standbys?: StandbyHealth[];
}

@ApiTags('Health')
@Public()
@Controller({ path: 'health', version: VERSION_NEUTRAL })
export class HealthController {
  constructor(private readonly health: HealthService) {}

  @Get('live')
  @Header('Cache-Control', 'no-store')
  @ApiOperation({
    operationId: 'live',
    summary: 'Is the process alive?',
    description: 'Says nothing of the database.',
    security: [],
  })
  @ApiOkResponse({ type: HealthResponse, description: 'The process answers.' })
  @HEADERS_TOO_LARGE
  live(): HealthResponse {
    return { status: 'ok' };
  }

  @Get('ready')
  @Header('Cache-Control', 'no-store')
  @ApiOperation({
    operationId: 'ready',
    summary: 'Can it serve?',
    description:
      'A database answers, its migrations are in, and readings may be written where they are taken.',
    security: [],
  })
  @ApiOkResponse({ type: ReadyResponse, description: 'Send requests here.' })
  @ApiProblem(503, 'Send requests elsewhere for now.')
  @HEADERS_TOO_LARGE
  async ready(): Promise<ReadyResponse> {
    await this.health.assertReady();
    const standbys = this.health.standbyReports();
    return standbys === undefined ? { status: 'ok' } : { status: 'ok', standbys };
  }
}
