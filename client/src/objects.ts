// Objects that can be listed, and written under an id.
import { askForJson, NO_ETAG } from './json.js';
import { pageOf, walk, type ListQuery, type WalkQuery } from './lists.js';
import { address, type Request, type RequestOptions, type Transport } from './transport.js';
import type { List } from './types.js';

export interface WriteOptions extends RequestOptions {
  /** Only if the object still has this ETag (see `ifUnchanged`), or `*`: if it is there. Otherwise a `ProblemError` with the status 412. */
  readonly ifMatch?: string;
}

export interface PutOptions extends WriteOptions {
  /** Only if there is no such object. */
  readonly ifNoneMatch?: '*' | undefined;
}

/** With a condition it is not repeated: the second try of one that was done would find it changed. */
export async function write<T extends object>(
  transport: Transport,
  method: NonNullable<Request['method']>,
  path: string,
  body: object | undefined,
  given: PutOptions,
  isRepeatable = method !== 'POST',
): Promise<T> {
  const { ifMatch, ifNoneMatch, ...options } = given;
  // Without a condition, what somebody else has changed would be lost.
  if ('ifMatch' in given && ifMatch === undefined) throw new TypeError(`ifMatch is undefined. ${NO_ETAG}`);
  return askForJson<T>(transport, {
    ...options,
    method,
    path,
    headers: {
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
      ...(ifMatch !== undefined && { 'If-Match': ifMatch }),
      ...(ifNoneMatch !== undefined && { 'If-None-Match': ifNoneMatch }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    isRepeatable: isRepeatable && ifMatch === undefined && ifNoneMatch === undefined,
  });
}

export abstract class Objects<
  T extends { readonly id: string; readonly created_at: string },
  Deleted extends object,
  Input extends object,
  Patch extends object,
  Query extends ListQuery,
> {
  constructor(
    protected readonly transport: Transport,
    private readonly path: `/v1/${string}`,
  ) {}

  /** All of them, newest first; those that others write meanwhile make it skip and repeat nothing. */
  list(query?: WalkQuery<Query>, options: RequestOptions = {}): AsyncGenerator<T, void, undefined> {
    return walk<T>(this.transport, this.path, query ?? {}, options, ({ id }) => id);
  }

  /** One page of the list, and how many there are. */
  page(query?: Query, options: RequestOptions = {}): Promise<List<T>> {
    return pageOf(this.transport, this.path, query ?? {}, options);
  }

  /** Creates or replaces it under an id of yours: what is left out gets its default. It can be repeated, and restores a deleted one. */
  async put(id: string, input: Input, options: PutOptions = {}): Promise<T> {
    return write(this.transport, 'PUT', this.addressOf(id), input, options);
  }

  /** Changes the given fields; null clears one. */
  async patch(id: string, fields: Patch, options: WriteOptions = {}): Promise<T> {
    return write(this.transport, 'PATCH', this.addressOf(id), fields, options);
  }

  protected async bringBack(id: string, options: WriteOptions): Promise<T> {
    return write(this.transport, 'POST', `${this.addressOf(id)}/restore`, undefined, options, true);
  }

  delete(id: string, options: WriteOptions = {}): Promise<Deleted> {
    return this.remove(id, options, true);
  }

  protected async remove(id: string, options: WriteOptions, isRepeatable: boolean): Promise<Deleted> {
    return write(this.transport, 'DELETE', this.addressOf(id), undefined, options, isRepeatable);
  }

  protected async find<Found extends object>(id: string, options: RequestOptions): Promise<Found> {
    return askForJson(this.transport, { ...options, path: this.addressOf(id), isRepeatable: true });
  }

  /** The service makes the id. Not repeated when the answer is lost: nobody knows whether it was created. */
  protected make(input: Input, options: RequestOptions): Promise<T> {
    return write(this.transport, 'POST', this.path, input, options);
  }

  private addressOf(id: string): string {
    return this.path + address`/${id}`;
  }
}
