// Runs: the days of trucks, and what their drivers enter.
import { askForJson } from './json.js';
import { pageOf, walkPages } from './lists.js';
import { write, type PutOptions, type WriteOptions } from './objects.js';
import { address, type RequestOptions, type Transport } from './transport.js';
import type {
  DeletedRun,
  List,
  ListRunsQuery,
  Run,
  RunInput,
  RunPatch,
  RunSummary,
  Stop,
  StopPatch,
  SuggestedRun,
  SuggestionInput,
} from './types.js';

const PATH = '/v1/runs';

export class Runs {
  constructor(private readonly transport: Transport) {}

  /** All of them without their stops, the newest day first. */
  list(
    query: Omit<ListRunsQuery, 'page' | 'size'> = {},
    options: RequestOptions = {},
  ): AsyncGenerator<RunSummary, void, undefined> {
    return walkPages<RunSummary>(this.transport, PATH, query, options, ({ id }) => id);
  }

  /** One page of the list, and how many there are. */
  page(query: ListRunsQuery = {}, options: RequestOptions = {}): Promise<List<RunSummary>> {
    return pageOf(this.transport, PATH, query, options);
  }

  async get(id: string, options: RequestOptions = {}): Promise<Run> {
    return askForJson(this.transport, { ...options, path: PATH + address`/${id}`, isRepeatable: true });
  }

  /** Who is due and fits: a run that is not stored. Send it to `create`. */
  async suggest(wishes: SuggestionInput, options: RequestOptions = {}): Promise<SuggestedRun> {
    return write(this.transport, 'POST', `${PATH}/suggest`, wishes, options, true);
  }

  /** The service makes the id. Lost answers are not asked for again: `put` with an id of yours can be repeated. */
  async create(input: RunInput, options: RequestOptions = {}): Promise<Run> {
    return write(this.transport, 'POST', PATH, input, options);
  }

  async put(id: string, input: RunInput, options: PutOptions = {}): Promise<Run> {
    return write(this.transport, 'PUT', PATH + address`/${id}`, input, options);
  }

  /** Changes the given fields; `stops` is the whole list. */
  async patch(id: string, fields: RunPatch, options: WriteOptions = {}): Promise<Run> {
    return write(this.transport, 'PATCH', PATH + address`/${id}`, fields, options);
  }

  /** Not repeated when the answer is lost: a deleted one is not there. */
  async delete(id: string, options: WriteOptions = {}): Promise<DeletedRun> {
    return write(this.transport, 'DELETE', PATH + address`/${id}`, undefined, options, false);
  }

  /** Puts open stops in the order of a short way. */
  async order(id: string, options: WriteOptions = {}): Promise<Run> {
    return write(this.transport, 'POST', PATH + address`/${id}/order`, undefined, options, true);
  }

  /** What the driver enters at a stop. Repeated, it changes nothing. */
  async enter(id: string, tankId: string, entry: StopPatch, options: WriteOptions = {}): Promise<Stop> {
    return write(this.transport, 'PATCH', PATH + address`/${id}/stops/${tankId}`, entry, options);
  }
}
