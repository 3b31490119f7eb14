// Is the process alive, and can it serve? Open to probes without a key.
import { Controller, Get, Header, VERSION_NEUTRAL } from '@nestjs/common';
import {
  ApiExtraModels,
  ApiOkResponse,
  ApiOperation,
  ApiProperty,
  ApiResponse,
  ApiTags,
  getSchemaPath,
} from '@nestjs/swagger';
import { Public } from '../auth/public.decorator.js';
import { ProblemResponse } from '../problems/dto/problem.response.js';
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

@ApiTags('Health')
@ApiExtraModels(ProblemResponse)
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
  live(): HealthResponse {
    return { status: 'ok' };
  }

  @Get('ready')
  @Header('Cache-Control', 'no-store')
  @ApiOperation({
    operationId: 'ready',
    summary: 'Can it serve?',
    description: 'The database answers and its migrations are in.',
    security: [],
  })
  @ApiOkResponse({ type: HealthResponse, description: 'Send requests here.' })
  @ApiResponse({
    status: 503,
    description: 'Send requests elsewhere for now.',
    content: { 'application/problem+json': { schema: { $ref: getSchemaPath(ProblemResponse) } } },
  })
  async ready(): Promise<HealthResponse> {
    await this.health.assertReady();
    return { status: 'ok' };
  }
}
