// Bodies of requests that write: one bound for all that they hold together.
import { Module } from '@nestjs/common';
import { Bodies } from './bodies.js';

@Module({ providers: [Bodies], exports: [Bodies] })
export class BodiesModule {}
