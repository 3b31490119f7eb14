// Is the question well formed? Turns the parameters of a list into its query object, or tells every bad one at once.
import { Inject, Injectable, type ArgumentMetadata, type PipeTransform, type Type } from '@nestjs/common';
import { plainToInstance } from 'class-transformer';
import { getMetadataStorage, validateSync } from 'class-validator';
import type { Request } from 'express';
import { LRUCache } from 'lru-cache';
import { CONFIG } from '../config/config.module.js';
import type { Config } from '../config/config.js';
import { didYouMean } from '../problems/did-you-mean.js';
import { invalidParameters, type ParameterError } from '../problems/problem.js';
import { ListQuery } from './dto/list.query.js';
import { hasBody, parseQueryString, queryStringOf, readBody, type RawParameter } from './raw-parameters.js';

/** How many questions are remembered of each list, and how long they may be. */
const MAX_REMEMBERED = 1_000;
const MAX_REMEMBERED_LENGTH = 200;

@Injectable()
export class ListQueryPipe implements PipeTransform<Request, ListQuery | Promise<ListQuery>> {
  private readonly maxBodyBytes: number;
  /** Programs ask the same questions over and over: what was well formed once is so again. */
  private readonly remembered = new Map<Type, LRUCache<string, ListQuery>>();

  constructor(@Inject(CONFIG) config: Config) {
    this.maxBodyBytes = config.limits.maxBodyBytes;
  }

  transform(request: Request, { metatype }: ArgumentMetadata): ListQuery | Promise<ListQuery> {
    if (!isListQuery(metatype)) throw new Error('@ListParameters() needs a parameter of a ListQuery type.');
    const text = queryStringOf(request);
    return hasBody(request) ? this.readWithBody(metatype, text, request) : this.read(metatype, text);
  }

  private read(queryType: Type<ListQuery>, text: string): ListQuery {
    let known = this.remembered.get(queryType);
    if (known === undefined) {
      known = new LRUCache({ max: MAX_REMEMBERED });
      this.remembered.set(queryType, known);
    }
    let query = known.get(text);
    if (query === undefined) {
      query = Object.freeze(toQuery(queryType, parseQueryString(text)));
      if (text.length <= MAX_REMEMBERED_LENGTH) known.set(text, query);
    }
    return query;
  }

  private async readWithBody(queryType: Type<ListQuery>, text: string, request: Request): Promise<ListQuery> {
    const inQuery = parseQueryString(text);
    return toQuery(queryType, [...inQuery, ...(await readBody(request, this.maxBodyBytes))]);
  }
}

function isListQuery(metatype: Type | undefined): metatype is Type<ListQuery> {
  return metatype !== undefined && (metatype === ListQuery || metatype.prototype instanceof ListQuery);
}

function toQuery<T extends ListQuery>(queryType: Type<T>, parameters: readonly RawParameter[]): T {
  if (parameters.length === 0) return new queryType();
  const allowed = parameterNames(queryType);
  const values: Record<string, string> = {};
  const errors: ParameterError[] = [];
  for (const { name, value } of parameters) {
    if (!allowed.includes(name))
      errors.push({
        parameter: name,
        detail: `is not a parameter of this list; ${didYouMean(name, allowed)}`,
      });
    else if (Object.hasOwn(values, name))
      errors.push({ parameter: name, detail: 'was sent more than once; send it once' });
    else values[name] = value;
  }
  const query = plainToInstance(queryType, values);
  for (const { property, constraints } of validateSync(query)) {
    errors.push({ parameter: property, detail: Object.values(constraints ?? {}).join('; ') });
  }
  if (errors.length > 0) throw invalidParameters(errors);
  return query;
}

const namesByType = new Map<Type, readonly string[]>();

/** The properties that have a rule are the parameters there are. */
function parameterNames(queryType: Type): readonly string[] {
  let names = namesByType.get(queryType);
  if (names === undefined) {
    const rules = getMetadataStorage().getTargetValidationMetadatas(queryType, '', false, false);
    names = [...new Set(rules.map(({ propertyName }) => propertyName))];
    namesByType.set(queryType, names);
  }
  return names;
}
