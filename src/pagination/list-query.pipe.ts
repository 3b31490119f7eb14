// Turns the parameters of a request into its query object, or reports every bad one at once. The format that is asked for comes
// first: what a parameter may be can depend on it. A long read then waits for its turn.
import { Inject, Injectable, type ArgumentMetadata, type PipeTransform, type Type } from '@nestjs/common';
import { plainToInstance } from 'class-transformer';
import { getMetadataStorage, validateSync } from 'class-validator';
import type { Request, Response } from 'express';
import { LRUCache } from 'lru-cache';
import { LARGE_PAGES, LONG_READS, type KeyTurns } from '../auth/key-turns.js';
import { CONFIG } from '../config/config.module.js';
import type { Config } from '../config/config.js';
import { FormattedQuery } from '../formats/formatted.query.js';
import { negotiate, type MediaType } from '../formats/media-types.js';
import { expectsBody } from '../http/request-body.js';
import { didYouMean } from '../problems/did-you-mean.js';
import { invalidParameters, type ParameterError } from '../problems/problem.js';
import { PageQuery } from './dto/page.query.js';
import { parseQueryString, queryStringOf, readBody, type RawParameter } from './raw-parameters.js';

/** How many query strings are cached of each list, and how long they may be. */
const MAX_CACHED = 1_000;
const MAX_CACHED_LENGTH = 200;

/** How many bad parameters are named before the others are only counted. */
const MAX_NAMED = 100;

@Injectable()
export class ListQueryPipe implements PipeTransform<Request, object | Promise<object>> {
  /** Programs send the same queries over and over: what was valid once is so again. */
  private readonly cached = new Map<Type, LRUCache<string, object>>();

  constructor(
    @Inject(CONFIG) private readonly config: Config,
    @Inject(LONG_READS) private readonly longReads: KeyTurns,
    @Inject(LARGE_PAGES) private readonly largePages: KeyTurns,
  ) {}

  transform(request: Request, { metatype }: ArgumentMetadata): object | Promise<object> {
    if (metatype === undefined || metatype === Object) {
      throw new Error('@ListParameters() needs a parameter whose type is the class of a query.');
    }
    const isFormatted = metatype.prototype instanceof FormattedQuery;
    const format = isFormatted ? formatFor(request) : 'application/json';
    const text = queryStringOf(request);
    if (expectsBody(request)) return this.readWithBody(metatype, format, text, request);
    return this.inTurn(this.read(metatype, format, text), request);
  }

  private inTurn(query: object, request: Request): object | Promise<object> {
    const { caller, res: response } = request;
    if (!(query instanceof FormattedQuery) || !query.isLong || response === undefined) return query;
    const turns = query instanceof PageQuery && query.isLarge ? this.largePages : this.longReads;
    return turns.enter(caller?.keyPrefix ?? '', response).then((leave) => {
      response.once('prefinish', leave).once('close', leave); // when it is written, though not yet read, or will never be
      return query;
    });
  }

  private read(queryType: Type<object>, format: MediaType, text: string): object {
    let known = this.cached.get(queryType);
    if (known === undefined) {
      known = new LRUCache({ max: MAX_CACHED });
      this.cached.set(queryType, known);
    }
    const cacheKey = format === 'application/json' ? text : `${format} ${text}`;
    let query = known.get(cacheKey);
    if (query === undefined) {
      query = Object.freeze(toQuery(queryType, format, parseQueryString(text)));
      if (text.length <= MAX_CACHED_LENGTH) known.set(cacheKey, query);
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
    const inBody = await readBody(request, this.config.limits.maxBodyBytes);
    return this.inTurn(toQuery(queryType, format, [...inQuery, ...inBody]), request);
  }
}

/** Every answer, errors included, may depend on Accept. */
function formatFor(request: Request): MediaType {
  const response: Response | undefined = request.res;
  const others = response?.getHeader('Vary');
  response?.setHeader('Vary', others === undefined ? 'Accept' : `${String(others)}, Accept`);
  return negotiate(request.headers.accept);
}

function toQuery(queryType: Type<object>, format: MediaType, parameters: readonly RawParameter[]): object {
  const allowed = parameterNames(queryType);
  const values: Record<string, string> = {};
  const place = queryType.prototype instanceof PageQuery ? 'this list' : 'this address';
  const errors: ParameterError[] = [];
  let unnamed = 0;
  const refuse = (parameter: string, detail: () => string): void => {
    if (errors.length < MAX_NAMED) errors.push({ parameter, detail: detail() });
    else unnamed++;
  };
  for (const { name, value } of parameters) {
    if (!allowed.includes(name))
      refuse(name, () => `is not a parameter of ${place}; ${didYouMean(name, allowed)}`);
    else if (Object.hasOwn(values, name)) refuse(name, () => 'was sent more than once; send it once');
    else values[name] = value;
  }
  const query = plainToInstance(queryType, values);
  if (query instanceof FormattedQuery) query.format = format;
  for (const { property, constraints } of validateSync(query)) {
    refuse(property, () => Object.values(constraints ?? {}).join('; '));
  }
  if (errors.length > 0) throw invalidParameters(errors, unnamed);
  return query;
}

/** The properties that have a rule are the parameters there are. */
function parameterNames(queryType: Type): readonly string[] {
  const rules = getMetadataStorage().getTargetValidationMetadatas(queryType, '', false, false);
  return [...new Set(rules.map(({ propertyName }) => propertyName))];
}
