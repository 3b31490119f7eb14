// Is the question well formed? Turns the parameters of a request into its query object, or tells every bad one at once.
// Before them comes the format that is asked for: what a parameter may be can depend on it.
import { Inject, Injectable, type ArgumentMetadata, type PipeTransform, type Type } from '@nestjs/common';
import { plainToInstance } from 'class-transformer';
import { getMetadataStorage, validateSync } from 'class-validator';
import type { Request, Response } from 'express';
import { LRUCache } from 'lru-cache';
import { CONFIG } from '../config/config.module.js';
import type { Config } from '../config/config.js';
import { FormattedQuery } from '../formats/formatted.query.js';
import { negotiate, type MediaType } from '../formats/media-types.js';
import { expectsBody } from '../http/request-body.js';
import { didYouMean } from '../problems/did-you-mean.js';
import { invalidParameters, type ParameterError } from '../problems/problem.js';
import { PageQuery } from './dto/page.query.js';
import { parseQueryString, queryStringOf, readBody, type RawParameter } from './raw-parameters.js';

/** How many questions are remembered of each list, and how long they may be. */
const MAX_REMEMBERED = 1_000;
const MAX_REMEMBERED_LENGTH = 200;

/** How many bad parameters are named before the others are only counted. */
const MAX_NAMED = 100;

@Injectable()
export class ListQueryPipe implements PipeTransform<Request, object | Promise<object>> {
  private readonly maxBodyBytes: number;
  /** Programs ask the same questions over and over: what was well formed once is so again. */
  private readonly remembered = new Map<Type, LRUCache<string, object>>();

  constructor(@Inject(CONFIG) config: Config) {
    this.maxBodyBytes = config.limits.maxBodyBytes;
  }

  transform(request: Request, { metatype }: ArgumentMetadata): object | Promise<object> {
    if (metatype === undefined || metatype === Object) {
      throw new Error('@ListParameters() needs a parameter whose type is the class of a query.');
    }
    const format = isFormatted(metatype) ? formatFor(request) : 'application/json';
    const text = queryStringOf(request);
    return expectsBody(request)
      ? this.readWithBody(metatype, format, text, request)
      : this.read(metatype, format, text);
  }

  private read(queryType: Type<object>, format: MediaType, text: string): object {
    let known = this.remembered.get(queryType);
    if (known === undefined) {
      known = new LRUCache({ max: MAX_REMEMBERED });
      this.remembered.set(queryType, known);
    }
    const question = format === 'application/json' ? text : `${format} ${text}`;
    let query = known.get(question);
    if (query === undefined) {
      query = Object.freeze(toQuery(queryType, format, parseQueryString(text)));
      if (text.length <= MAX_REMEMBERED_LENGTH) known.set(question, query);
    }
    return query;
  }

  private async readWithBody(
    queryType: Type<object>,
    format: MediaType,
    text: string,
    request: Request,
  ): Promise<object> {
    const inQuery = parseQueryString(text);
    return toQuery(queryType, format, [...inQuery, ...(await readBody(request, this.maxBodyBytes))]);
  }
}

function isFormatted(queryType: Type): boolean {
  return queryType.prototype instanceof FormattedQuery;
}

/** Whatever the answer will be, a refusal included, another Accept may lead to another one. */
function formatFor(request: Request): MediaType {
  const response: Response | undefined = request.res;
  const others = response?.getHeader('Vary');
  response?.setHeader('Vary', others === undefined ? 'Accept' : `${String(others)}, Accept`);
  return negotiate(request.headers.accept);
}

function toQuery(queryType: Type<object>, format: MediaType, parameters: readonly RawParameter[]): object {
  const allowed = parameterNames(queryType);
  const values: Record<string, string> = {};
  const refusals = new Refusals();
  for (const { name, value } of parameters) {
    if (!allowed.includes(name))
      refusals.add(name, () => `is not a parameter of ${placeOf(queryType)}; ${didYouMean(name, allowed)}`);
    else if (Object.hasOwn(values, name)) refusals.add(name, () => 'was sent more than once; send it once');
    else values[name] = value;
  }
  const query = plainToInstance(queryType, values);
  if (query instanceof FormattedQuery) query.format = format;
  for (const { property, constraints } of validateSync(query)) {
    refusals.add(property, () => Object.values(constraints ?? {}).join('; '));
  }
  refusals.throwIfAny();
  return query;
}

function placeOf(queryType: Type): string {
  return queryType.prototype instanceof PageQuery ? 'this list' : 'this address';
}

/** What is wrong with the parameters: the first of them in words, the rest in numbers, however many were sent. */
class Refusals {
  private readonly named: ParameterError[] = [];
  private unnamed = 0;

  add(parameter: string, detail: () => string): void {
    if (this.named.length < MAX_NAMED) this.named.push({ parameter, detail: detail() });
    else this.unnamed++;
  }

  throwIfAny(): void {
    if (this.named.length > 0) throw invalidParameters(this.named, this.unnamed);
  }
}

/** The properties that have a rule are the parameters there are. */
function parameterNames(queryType: Type): readonly string[] {
  const rules = getMetadataStorage().getTargetValidationMetadatas(queryType, '', false, false);
  return [...new Set(rules.map(({ propertyName }) => propertyName))];
}
