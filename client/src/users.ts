// People who have signed in, and what they may do.
import { askForJson } from './json.js';
import { pageOf, walk, type WalkQuery } from './lists.js';
import { write, type WriteOptions } from './objects.js';
import { address, type RequestOptions, type Transport } from './transport.js';
import type { DeletedUser, List, ListUsersQuery, User, UserPatch } from './types.js';

const PATH = '/v1/users';

export class Users {
  constructor(private readonly transport: Transport) {}

  /** All of them, newest first. */
  list(
    query: WalkQuery<ListUsersQuery> = {},
    options: RequestOptions = {},
  ): AsyncGenerator<User, void, undefined> {
    return walk<User>(this.transport, PATH, query, options, ({ id }) => id);
  }

  /** One page of the list, and how many there are. */
  page(query: ListUsersQuery = {}, options: RequestOptions = {}): Promise<List<User>> {
    return pageOf(this.transport, PATH, query, options);
  }

  async get(id: string, options: RequestOptions = {}): Promise<User> {
    return askForJson(this.transport, { ...options, path: PATH + address`/${id}`, isRepeatable: true });
  }

  /** Gives a role, and binds to a customer or not. */
  async patch(id: string, fields: UserPatch, options: WriteOptions = {}): Promise<User> {
    return write(this.transport, 'PATCH', PATH + address`/${id}`, fields, options);
  }

  /** Ends the user's sessions. Not repeated when the answer is lost: a deleted one is not there. */
  async delete(id: string, options: WriteOptions = {}): Promise<DeletedUser> {
    return write(this.transport, 'DELETE', PATH + address`/${id}`, undefined, options, false);
  }
}
