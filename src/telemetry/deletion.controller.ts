// DELETE /v1/tanks/:id/telemetry.
import { Controller, Delete, Param, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { NeedsScope } from '../common/auth/needs-scope.decorator.js';
import { ApiProblem, ApiRefusals } from '../common/openapi/problems.decorator.js';
import { ApiId, HEADERS } from '../common/openapi/responses.decorator.js';
import { isDeleted } from '../common/writes/problems.js';
import { CurrentWriter, type Writer } from '../common/writes/writer.js';
import { DeletionService, MAX_DELETED, tooManyToDelete } from './deletion.service.js';
import { DeletionQuery } from './dto/deletion.query.js';
import { DeletionResponse } from './dto/deletion.response.js';

@ApiTags('Telemetry')
@NeedsScope('telemetry:write')
@Controller({ path: 'tanks/:id/telemetry', version: '1' })
export class DeletionController {
  constructor(private readonly deletion: DeletionService) {}

  @Delete()
  @ApiOperation({
    operationId: 'deleteReadings',
    summary: 'Remove readings of a tank',
    description:
      `Those between two instants, both included, at most ${MAX_DELETED.toLocaleString('en')} at once. The tank's state follows. ` +
      'Needs a key with the scope `telemetry:write`.',
  })
  @ApiId('tank', 'example-tank')
  @ApiOkResponse({ type: DeletionResponse, description: 'They are removed.', headers: HEADERS })
  @ApiProblem(
    `A parameter is not valid, or missing; or the range holds more than ${MAX_DELETED.toLocaleString('en')} readings (\`range_too_large\`). Nothing was removed.`,
    tooManyToDelete(),
  )
  @ApiProblem('`deleted`: the tank is deleted.', isDeleted('tank'))
  @ApiRefusals('telemetry:write')
  remove(
    @Param('id') tankId: string,
    @Query() query: DeletionQuery,
    @CurrentWriter() writer: Writer,
  ): Promise<DeletionResponse> {
    return this.deletion.remove(tankId, query, writer);
  }
}
