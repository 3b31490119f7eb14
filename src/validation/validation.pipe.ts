// The one ValidationPipe: Nest's own, which makes the class that a handler declares of what was sent, with every mistake in one problem.
import { Injectable, ValidationPipe, type ArgumentMetadata } from '@nestjs/common';
import * as classTransformer from 'class-transformer';
import * as classValidator from 'class-validator';
import type { ValidationError } from 'class-validator';
import { faultsOf, invalidFields } from './field-mistakes.js';
import { prepared } from './names.js';
import { parameterProblem } from './parameter-mistakes.js';

export const VALIDATION = {
  whitelist: true,
  forbidNonWhitelisted: true,
  validationError: { target: true },
};

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
      ...VALIDATION,
      transform: true,
      // Nest would load them by import(), which in the bundle gives a module without its names.
      validatorPackage: classValidator,
      transformerPackage: classTransformer,
      exceptionFactory: (errors) => new Mistakes(errors),
    });
  }

  override async transform(value: unknown, metadata: ArgumentMetadata): Promise<unknown> {
    const { metatype, type } = metadata;
    if (metatype === undefined || !this.toValidate(metadata)) return value;
    const sent = prepared(value, metatype);
    try {
      return await super.transform(sent.value, metadata);
    } catch (error) {
      if (!(error instanceof Mistakes)) throw error;
      throw type === 'query'
        ? parameterProblem(error.errors, sent.dropped)
        : invalidFields(faultsOf(error.errors));
    }
  }
}
