// Bodies of requests that write: one bound for all that they hold together, and the pipe that checks them.
import { Module } from '@nestjs/common';
import { InputValidationPipe } from '../validation/validation.pipe.js';
import { Bodies } from './bodies.js';

@Module({ providers: [Bodies, InputValidationPipe], exports: [Bodies, InputValidationPipe] })
export class BodiesModule {}
