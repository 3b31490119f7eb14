// Bodies of requests that write: one bound for all that they hold together, and the pipe that checks them.
import { Module } from '@nestjs/common';
import { CONFIG } from '../../platform/config/config.module.js';
import type { Config } from '../../platform/config/config.js';
import { InputValidationPipe } from '../validation/validation.pipe.js';
import { BodyBudget } from './body-budget.js';

const BUDGET = {
  provide: BodyBudget,
  inject: [CONFIG],
  useFactory: ({ ingest }: Config) => new BodyBudget(ingest.maxWaitingBytes, ingest.maxBodyBytes),
};

@Module({ providers: [BUDGET, InputValidationPipe], exports: [BodyBudget, InputValidationPipe] })
export class BodiesModule {}
