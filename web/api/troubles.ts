// What can go wrong with a request: the service says so (a problem), or nothing comes back at all.

/** What a problem may have beside its detail. */
export interface Facts {
  readonly code?: string;
  /** What is wrong with which field of the body. */
  readonly errors?: readonly { readonly pointer?: string; readonly detail: string }[];
  /** The tank that has the device already. */
  readonly tank_id?: string;
}

/** The service's own answer, RFC 9457. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  constructor(
    readonly status: number,
    readonly detail: string,
    readonly requestId: string | undefined,
    /** When it is worth asking again, if the service said so. */
    readonly retryAfterSeconds: number | undefined,
    readonly facts: Facts,
  ) {
    super(detail);
  }
}

/** No network, no service, or no answer in time. */
export class Unreachable extends Error {
  override readonly name = 'Unreachable';
}

export type Trouble = Refusal | Unreachable;

export async function refusalFrom(response: Response): Promise<Refusal> {
  const problem = await problemIn(response);
  const seconds = Number(response.headers.get('Retry-After') ?? NaN);
  return new Refusal(
    response.status,
    problem.detail ?? `The service answered ${response.status} ${response.statusText}.`,
    problem.request_id ?? response.headers.get('X-Request-Id') ?? undefined,
    Number.isFinite(seconds) ? Math.max(1, seconds) : undefined,
    problem,
  );
}

/** A proxy in between may answer with something else than a problem. */
async function problemIn(response: Response): Promise<Facts & { detail?: string; request_id?: string }> {
  try {
    const body: unknown = await response.json();
    return typeof body === 'object' && body !== null ? body : {};
  } catch {
    return {};
  }
}

export function isTrouble(error: unknown): error is Trouble {
  return error instanceof Refusal || error instanceof Unreachable;
}

/** What is not there is an answer, too. */
export async function orUndefined<T>(answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof Refusal && error.status === 404) return undefined;
    throw error;
  }
}
