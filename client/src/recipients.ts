// Recipients: who is told by e-mail, and what was sent to each.
import { askForJson } from './json.js';
import { pageOf, walk, type WalkQuery } from './lists.js';
import { write, type WriteOptions } from './objects.js';
import { address, type RequestOptions, type Transport } from './transport.js';
import type {
  DeletedRecipient,
  List,
  ListNoticesQuery,
  ListRecipientsQuery,
  Notice,
  NoticeTest,
  Recipient,
  RecipientInput,
  RecipientPatch,
} from './types.js';

const PATH = '/v1/recipients';

export class Recipients {
  constructor(private readonly transport: Transport) {}

  /** All of them, newest first. */
  list(
    query: WalkQuery<ListRecipientsQuery> = {},
    options: RequestOptions = {},
  ): AsyncGenerator<Recipient, void, undefined> {
    return walk<Recipient>(this.transport, PATH, query, options, ({ id }) => id);
  }

  /** One page of the list, and how many there are. */
  page(query: ListRecipientsQuery = {}, options: RequestOptions = {}): Promise<List<Recipient>> {
    return pageOf(this.transport, PATH, query, options);
  }

  async get(id: string, options: RequestOptions = {}): Promise<Recipient> {
    return askForJson(this.transport, { ...options, path: PATH + address`/${id}`, isRepeatable: true });
  }

  /** Not repeated when the answer is lost: the same address again is a `duplicate`. */
  async create(input: RecipientInput, options: RequestOptions = {}): Promise<Recipient> {
    return write(this.transport, 'POST', PATH, input, options);
  }

  /** Changes the given fields; null clears one. */
  async patch(id: string, fields: RecipientPatch, options: WriteOptions = {}): Promise<Recipient> {
    return write(this.transport, 'PATCH', PATH + address`/${id}`, fields, options);
  }

  /** Not repeated when the answer is lost: a deleted one is not there. */
  async delete(id: string, options: WriteOptions = {}): Promise<DeletedRecipient> {
    return write(this.transport, 'DELETE', PATH + address`/${id}`, undefined, options, false);
  }

  /** Sends the mail with the link to confirm once more. */
  async sendConfirmation(id: string, options: RequestOptions = {}): Promise<Recipient> {
    return write(this.transport, 'POST', PATH + address`/${id}/confirmation`, undefined, options);
  }

  /** Sends a test mail now, and says what the mail server answered. */
  async test(id: string, options: RequestOptions = {}): Promise<NoticeTest> {
    return write(this.transport, 'POST', PATH + address`/${id}/test`, undefined, options);
  }

  /** What was sent or is to be, newest first. */
  notices(
    id: string,
    query: WalkQuery<ListNoticesQuery> = {},
    options: RequestOptions = {},
  ): AsyncGenerator<Notice, void, undefined> {
    return walk<Notice>(
      this.transport,
      PATH + address`/${id}/notices`,
      query,
      options,
      (notice) => notice.id,
    );
  }

  /** One page of the notices, and how many there are. */
  noticesPage(id: string, query: ListNoticesQuery = {}, options: RequestOptions = {}): Promise<List<Notice>> {
    return pageOf(this.transport, PATH + address`/${id}/notices`, query, options);
  }
}
