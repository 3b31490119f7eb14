// The one ValidationPipe: Nest's own, which makes the class that a handler declares of what was sent, with every mistake in one problem.
import { Injectable, ValidationPipe, type ArgumentMetadata } from '@nestjs/common';
import type { ValidationError } from 'class-validator';
import { markInherited } from './names.js';
import { parameterProblem } from './parameter-mistakes.js';

/** What exceptionFactory makes, so that transform() can say what kind of input it was. */
class Mistakes extends Error {
  constructor(readonly errors: readonly ValidationError[]) {
    super('The input is not valid.');
  }
}

@Injectable()
export class InputValidationPipe extends ValidationPipe {
  constructor() {
    super({
      transform: true,
      whitelist: true,
      forbidNonWhitelisted: true,
      validationError: { target: true },
      exceptionFactory: (errors) => new Mistakes(errors),
    });
  }

  override async transform(value: unknown, metadata: ArgumentMetadata): Promise<unknown> {
    const { metatype } = metadata;
    if (metatype === undefined || !this.toValidate(metadata)) return value;
    try {
      return await super.transform(markInherited(value, metatype), metadata);
    } catch (error) {
      throw error instanceof Mistakes ? parameterProblem(error.errors) : error;
    }
  }
}
