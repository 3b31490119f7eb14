// @UplinkParametersOf(): the parameters of a message of a network server.
import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { isFlag, readParameters } from '../pagination/few-parameters.js';
import type { Source } from './uplink.js';

export interface UplinkParameters {
  /** What happened, as ChirpStack names it. */
  readonly event: string;
  /** Nothing is stored, noted or counted. */
  readonly isDryRun: boolean;
}

export const UplinkParametersOf = createParamDecorator(
  (source: Source, context: ExecutionContext): UplinkParameters => {
    const request = context.switchToHttp().getRequest<Request>();
    const { event, dry_run: dryRun } =
      source === 'chirpstack'
        ? readParameters(request, { event: () => undefined, dry_run: isFlag })
        : { event: undefined, ...readParameters(request, { dry_run: isFlag }) };
    return { event: event || 'up', isDryRun: dryRun === 'true' };
  },
);
