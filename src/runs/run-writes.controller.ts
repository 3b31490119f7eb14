// POST /v1/runs; PUT, PATCH and DELETE of /v1/runs/:id; POST to its order; PATCH of one of its stops.
import { Body, Controller, Delete, Param, Patch, Post, Put, Query, UseGuards } from '@nestjs/common';
import { ApiParam, ApiTags } from '@nestjs/swagger';
import { NeedsScope } from '../common/auth/needs-scope.decorator.js';
import { NoParameters } from '../common/validation/no-parameters.js';
import {
  ApiAction,
  ApiCreation,
  ApiDeletion,
  ApiMerge,
  ApiReplacement,
  NoFields,
} from '../common/writes/api-writes.decorator.js';
import type { WriteResult } from '../common/writes/managed-writes.js';
import { LARGE_OBJECT, PART_OF_LARGE_OBJECT } from '../common/writes/object-body.js';
import { CurrentWriter, type Writer } from '../common/writes/writer.js';
import { markRepeatedTanks, RunInput, RunPatch, StopPatch } from './dto/run.input.js';
import { DeletedRunResponse, RunResponse, StopResponse } from './dto/run.response.js';
import { RunsGuard } from './runs.controller.js';
import { alreadyPlanned, isDelivered, RunsService } from './runs.service.js';

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
const SENT = { prepare: markRepeatedTanks, rules: LARGE_OBJECT } as const;
const PLANNED = '`already_planned`: another run of the day has an open stop at a tank.';
const DELIVERED = '`delivered`: a stop that was delivered stays.';
const TAKEN = alreadyPlanned('example-tank', '019b7a6e-5a10-7b22-8c33-1d2e3f4a5b6c');

@ApiTags('Runs')
@NeedsScope('runs:write')
@UseGuards(RunsGuard)
@Controller({ path: 'runs', version: '1' })
export class RunWritesController {
  constructor(private readonly runs: RunsService) {}

  @Post()
  @ApiCreation(RUN, { body: { type: RunInput, example: EXAMPLE, ...SENT }, conflicts: [PLANNED, TAKEN] })
  create(@Body() body: RunInput, @CurrentWriter() writer: Writer): Promise<WriteResult<RunResponse>> {
    return this.runs.create(body, writer);
  }

  @Put(':id')
  @ApiReplacement(RUN, {
    summary: 'Create or replace a run',
    body: { type: RunInput, example: { ...EXAMPLE, date: '2026-11-25' }, ...SENT },
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
  @ApiMerge(RUN, {
    description:
      'A merge patch (RFC 7396). `stops` is the whole list in its new order; a stop that stays keeps what was entered.',
    body: { type: RunPatch, example: { name: 'Truck 3' }, ...SENT },
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
  ): Promise<WriteResult<RunResponse>> {
    return this.runs.order(id, writer);
  }

  @Patch(':id/stops/:tank_id')
  @ApiMerge(
    { ...RUN, object: 'stop', idOf: 'run', name: 'Stop', response: StopResponse },
    {
      description:
        'What the driver enters: `delivered` with how much and when, `skipped`, or `open` again, and a note. The answer has the `ETag` of the run.',
      body: {
        type: StopPatch,
        example: { status: 'delivered', delivered: 1790 },
        rules: PART_OF_LARGE_OBJECT,
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
