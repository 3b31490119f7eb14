// GET /v1/runs and /v1/runs/:id, and POST /v1/runs/suggest, which stores nothing.
import {
  All,
  Body,
  Controller,
  Get,
  Header,
  HttpCode,
  Injectable,
  Param,
  Post,
  Query,
  Res,
  UseGuards,
  type CanActivate,
  type ExecutionContext,
} from '@nestjs/common';
import { ApiExcludeEndpoint, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { PRICES, TakesSeats } from '../common/admission/admission.js';
import { callerIn } from '../common/auth/caller.js';
import { ANY_KEY, NeedsScope } from '../common/auth/needs-scope.decorator.js';
import { etagOf } from '../common/http/etag.js';
import { ApiAnswer, ApiId, ApiList } from '../common/openapi/responses.decorator.js';
import { methodNotAllowed } from '../common/problems/problem.js';
import type { Page } from '../common/pagination/page.js';
import { ApiQuestion } from '../common/writes/api-writes.decorator.js';
import { boundKey } from '../common/writes/problems.js';
import { RunListResponse, RunResponse, SuggestedRunResponse, taggedPart } from './dto/run.response.js';
import type { RunSummaryResponse } from './dto/run.response.js';
import { RunsQuery } from './dto/runs.query.js';
import { SuggestionInput } from './dto/suggestion.input.js';
import { RunsService } from './runs.service.js';
import { Suggestions } from './suggest.js';

export const EXAMPLE_ID = '019b7a6e-5a10-7b22-8c33-1d2e3f4a5b6c';

/** A truck serves many customers: no key of one of them sees any of it. */
@Injectable()
export class RunsGuard implements CanActivate {
  canActivate(context: ExecutionContext): true {
    if (callerIn(context).customerId === null) return true;
    throw boundKey('This key is bound to a customer, and a truck serves many: it sees and changes no runs.');
  }
}

@ApiTags('Runs')
@NeedsScope('read')
@UseGuards(RunsGuard)
@Controller({ path: 'runs', version: '1' })
export class RunsController {
  constructor(
    private readonly runs: RunsService,
    private readonly suggestions: Suggestions,
  ) {}

  @Post('suggest')
  @HttpCode(200)
  @TakesSeats(PRICES.longRead)
  @ApiQuestion(
    {
      operationId: 'suggestRun',
      summary: 'Suggest a run',
      description:
        'Tanks that are due, the soonest empty first, as far as the truck goes, then tanks nearby. Nothing is stored: send it back to create it.',
      body: { type: SuggestionInput, example: { date: '2026-11-24', capacity: 10_000 } },
    },
    ['A run that is not stored.', SuggestedRunResponse],
  )
  suggest(@Body() body: SuggestionInput): Promise<SuggestedRunResponse> {
    return this.suggestions.suggest(body);
  }

  /** Otherwise it would be taken for an id. */
  @All('suggest')
  @NeedsScope(ANY_KEY)
  @HttpCode(204)
  @ApiExcludeEndpoint()
  refuse(@Res({ passthrough: true }) response: Response): void {
    if (response.req.method !== 'OPTIONS') throw methodNotAllowed(response.req.method, 'POST, OPTIONS');
    response.setHeader('Allow', 'POST, OPTIONS');
  }

  @Get()
  @ApiOperation({
    operationId: 'listRuns',
    summary: 'List runs',
    description: 'The newest day first, without their stops.',
  })
  @ApiList(RunListResponse, 'A page of runs.')
  list(@Query() query: RunsQuery): Promise<Page<RunSummaryResponse>> {
    return this.runs.list(query);
  }

  @Get(':id')
  @Header('Cache-Control', 'no-store')
  @ApiOperation({
    operationId: 'getRun',
    summary: 'Retrieve a run',
    description: 'With its stops, their tanks as they are now, and what sensors saw of deliveries.',
  })
  @ApiId('run', EXAMPLE_ID)
  @ApiAnswer(
    RunResponse,
    'The run. Its `ETag` leaves out `tank`, `measured`, `discrepancies` and `distance_km`, so no cache may keep it.',
    { isUnstored: true },
  )
  async get(@Param('id') id: string, @Res({ passthrough: true }) response: Response): Promise<RunResponse> {
    const run = await this.runs.get(id);
    response.setHeader('ETag', etagOf(JSON.stringify(taggedPart(run))));
    return run;
  }
}
