// POST /v1/tanks; PUT, PATCH and DELETE of /v1/tanks/:id.
import { Controller, Delete, Patch, Post, Put, Req, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { NeedsScope } from '../auth/needs-scope.decorator.js';
import { ApiCreation, ApiDeletion, ApiMerge, ApiReplacement } from '../manage/api-writes.decorator.js';
import { ObjectWrites } from '../manage/object-writes.js';
import { CREATE_TANK, DELETE_TANK, PATCH_TANK, PUT_TANK } from './tank-writes.docs.js';
import { TANK_WRITES } from './tank-writes.js';

@ApiTags('Tanks')
@NeedsScope('tanks:write')
@Controller({ path: 'tanks', version: '1' })
export class TankWritesController {
  constructor(private readonly writes: ObjectWrites) {}

  @Post()
  @ApiCreation(CREATE_TANK)
  create(@Req() request: Request, @Res() response: Response): Promise<void> {
    return this.writes.write(TANK_WRITES, 'POST', request, response);
  }

  @Put(':id')
  @ApiReplacement(PUT_TANK)
  put(@Req() request: Request, @Res() response: Response): Promise<void> {
    return this.writes.write(TANK_WRITES, 'PUT', request, response);
  }

  @Patch(':id')
  @ApiMerge(PATCH_TANK)
  patch(@Req() request: Request, @Res() response: Response): Promise<void> {
    return this.writes.write(TANK_WRITES, 'PATCH', request, response);
  }

  @Delete(':id')
  @ApiDeletion(DELETE_TANK)
  delete(@Req() request: Request, @Res() response: Response): Promise<void> {
    return this.writes.delete(TANK_WRITES, request, response);
  }
}
