// The one kind of ValidationPipe: Nest's own, which makes the class that a handler declares of what was sent, with every mistake in one problem.
import { Injectable, ValidationPipe, type ArgumentMetadata } from '@nestjs/common';
import * as classTransformer from 'class-transformer';
import * as classValidator from 'class-validator';
import type { ValidationError } from 'class-validator';
import { didYouMean } from '../problems/did-you-mean.js';
import { invalidParameters, type Problem } from '../problems/problem.js';
import { MAX_FAULTS } from './fault.js';
import { findFieldFaults, invalidFields } from './field-mistakes.js';
import { knownNames, prepared, unmarked } from './names.js';
import { keepsRules } from './rules.js';

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

  /** What keeps all rules needs no more. class-validator finds the words for the rest. */
  protected override validate(
    object: object,
    options?: classValidator.ValidatorOptions,
  ): Promise<ValidationError[]> | ValidationError[] {
    return keepsRules(object) ? [] : super.validate(object, options);
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
        : invalidFields(findFieldFaults(error.errors));
    }
  }
}

/** `dropped`: how many more there are. */
function parameterProblem(errors: readonly ValidationError[], dropped: number): Problem {
  const named = errors.slice(0, MAX_FAULTS).map((error) => ({
    parameter: unmarked(error.property),
    detail: describeError(error),
  }));
  return invalidParameters(named, errors.length - named.length + dropped);
}

function describeError({ property, constraints = {}, target }: ValidationError): string {
  if (!('whitelistValidation' in constraints)) return Object.values(constraints).join('; ');
  const known = knownNames(target);
  const hint = known.length === 0 ? 'it has none' : didYouMean(unmarked(property), known);
  return `is not a parameter of this ${known.includes('page') ? 'list' : 'operation'}; ${hint}`;
}
