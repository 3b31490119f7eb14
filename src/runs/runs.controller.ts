// /v1/runs: lists, shows, creates, changes, orders and deletes runs; suggests one, which stores nothing.
import {
  All,
  Body,
  Controller,
  Delete,
  Get,
  Header,
  HttpCode,
  Injectable,
  Param,
  Patch,
  Post,
  Put,
  Query,
  Res,
  UseGuards,
} from '@nestjs/common';
import type { CanActivate, ExecutionContext } from '@nestjs/common';
import { ApiExcludeEndpoint, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { PRICES, TakesSeats } from '../common/admission/admission.js';
import { ANY_KEY, callerIn, NeedsScope } from '../common/auth/caller.js';
import { ReadsBody } from '../common/bodies/body.interceptor.js';
import { HasLeft } from '../common/http/has-left.js';
import { TaggedBy } from '../common/http/tagged-by.js';
import { ApiFields } from '../common/openapi/bodies.decorator.js';
import { ApiAnswer, ApiId, ApiList, ApiOk } from '../common/openapi/responses.decorator.js';
import type { Page } from '../common/pagination/page.js';
import { methodNotAllowed } from '../common/problems/problem.js';
import { NoParameters } from '../common/validation/no-parameters.js';
import {
  ApiAction,
  ApiCreation,
  ApiDeletion,
  ApiMerge,
  ApiReplacement,
  NoFields,
} from '../common/writes/api-writes.decorator.js';
import { CurrentWriter, type Writer, type WriteResult } from '../common/writes/recorded-writes.js';
import { OPTIONAL_BODY, Writes } from '../common/writes/writes.decorator.js';
import { CREATED_OBJECT, LARGE_OBJECT, PART_OF_LARGE_OBJECT } from '../common/writes/object-body.js';
import { boundKey } from '../common/writes/problems.js';
import {
  markRepeatedTanks,
  RunInput,
  RunPatch,
  RunsQuery,
  StopPatch,
  SuggestionInput,
} from './dto/run.input.js';
import {
  DeletedRunResponse,
  RunListResponse,
  RunResponse,
  StopResponse,
  SuggestedRunResponse,
  taggedPart,
  type RunSummaryResponse,
} from './dto/run.response.js';
import { RunsService, alreadyPlanned, isDelivered } from './runs.service.js';
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

const RUN = {
  object: 'run',
  name: 'Run',
  scope: 'runs:write',
  response: RunResponse,
  deleted: DeletedRunResponse,
} as const;
const EXAMPLE = {
  date: '2026-11-24',
  name: 'Truck 2',
  capacity: 10_000,
  stops: [{ tank_id: 'example-tank', planned: 1800 }],
};
const SENT = { ...LARGE_OBJECT, prepare: markRepeatedTanks };
const PLANNED = '`already_planned`: another run of the day has an open stop at a tank.';
const DELIVERED = '`delivered`: a stop that was delivered stays.';
const TAKEN = alreadyPlanned('example-tank', EXAMPLE_ID);

@ApiTags('Runs')
@NeedsScope('read')
@UseGuards(RunsGuard)
@TaggedBy(taggedPart)
@Controller({ path: 'runs', version: '1' })
export class RunsController {
  constructor(
    private readonly runs: RunsService,
    private readonly suggestions: Suggestions,
  ) {}

  @Post('suggest')
  @HttpCode(200)
  @TakesSeats(PRICES.hugePage)
  @ReadsBody(CREATED_OBJECT)
  @ApiOperation({
    operationId: 'suggestRun',
    summary: 'Suggest a run',
    description:
      'Tanks that are due, the soonest empty first, as far as the truck goes, then tanks nearby. Nothing is stored: send it back to create it.',
  })
  @ApiFields('read', { type: SuggestionInput, example: { date: '2026-11-24', capacity: 10_000 } })
  @ApiOk('A run that is not stored.', [SuggestedRunResponse])
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
  @TakesSeats(PRICES.longRead)
  @ApiList(RunListResponse, 'A page of runs.')
  list(@Query() query: RunsQuery): Promise<Page<RunSummaryResponse>> {
    return this.runs.list(query);
  }

  @Get(':id')
  @TakesSeats(PRICES.largePage)
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
  get(@Param('id') id: string): Promise<RunResponse> {
    return this.runs.get(id);
  }

  @Post()
  @Writes('runs:write', SENT)
  @ApiCreation(RUN, {
    body: { type: RunInput, example: EXAMPLE, isLarge: true },
    conflicts: [PLANNED, TAKEN],
  })
  create(@Body() body: RunInput, @CurrentWriter() writer: Writer): Promise<WriteResult<RunResponse>> {
    return this.runs.create(body, writer);
  }

  @Put(':id')
  @Writes('runs:write', SENT)
  @ApiReplacement(RUN, {
    summary: 'Create or replace a run',
    body: { type: RunInput, example: { ...EXAMPLE, date: '2026-11-25' }, isLarge: true },
    conflicts: [`${PLANNED} ${DELIVERED}`, TAKEN],
  })
  put(
    @Param('id') id: string,
    @Body() body: RunInput,
    @CurrentWriter() writer: Writer,
  ): Promise<WriteResult<RunResponse>> {
    return this.runs.replace(id, body, writer);
  }

  @Patch(':id')
  @Writes('runs:write', SENT)
  @ApiMerge(RUN, {
    description:
      'A merge patch (RFC 7396). `stops` is the whole list in its new order; a stop that stays keeps what was entered.',
    body: { type: RunPatch, example: { name: 'Truck 3' }, isLarge: true },
    conflicts: [`${PLANNED} ${DELIVERED}`, TAKEN],
  })
  patch(
    @Param('id') id: string,
    @Body() body: RunPatch,
    @CurrentWriter() writer: Writer,
  ): Promise<WriteResult<RunResponse>> {
    return this.runs.patch(id, body, writer);
  }

  @Delete(':id')
  @Writes('runs:write')
  @ApiDeletion(RUN, {
    exampleId: 'old-run',
    description: 'It is gone. One with a stop that was delivered stays.',
    conflicts: [DELIVERED, isDelivered()],
  })
  remove(
    @Param('id') id: string,
    @Query() _none: NoParameters,
    @CurrentWriter() writer: Writer,
  ): Promise<WriteResult<DeletedRunResponse>> {
    return this.runs.remove(id, writer);
  }

  @Post(':id/order')
  @Writes('runs:write', OPTIONAL_BODY)
  @ApiAction(
    RUN,
    {
      operationId: 'orderRun',
      summary: 'Put the stops of a run in order',
      description:
        'Stops that are not open first, as they were; then open ones so that the way is short: the shortest of up to 10, within 5 percent of it up to 100; last open ones without coordinates.',
    },
    ['The run, in its new order or as it was.', RunResponse],
  )
  order(
    @Param('id') id: string,
    @Body() _none: NoFields,
    @CurrentWriter() writer: Writer,
    @HasLeft() hasLeft: () => boolean,
  ): Promise<WriteResult<RunResponse>> {
    return this.runs.order(id, writer, hasLeft);
  }

  @Patch(':id/stops/:tank_id')
  @Writes('runs:write', PART_OF_LARGE_OBJECT)
  @ApiMerge(
    { ...RUN, object: 'stop', idOf: 'run', name: 'Stop', response: StopResponse },
    {
      description:
        'What the driver enters: `delivered` with how much and when, `skipped`, or `open` again, and a note. The answer has the `ETag` of the run.',
      body: {
        type: StopPatch,
        example: { status: 'delivered', delivered: 1790 },
        isLarge: true,
      },
      conflicts: [PLANNED, TAKEN],
    },
  )
  @ApiParam({
    name: 'tank_id',
    description: 'Identifier of the tank.',
    schema: { type: 'string', example: 'example-tank' },
  })
  enter(
    @Param('id') id: string,
    @Param('tank_id') tankId: string,
    @Body() body: StopPatch,
    @CurrentWriter() writer: Writer,
  ): Promise<WriteResult<StopResponse>> {
    return this.runs.enter(id, tankId, body, writer);
  }
}
