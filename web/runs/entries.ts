// What drivers have entered, until the service has it: kept in the browser, so that a dead spot or a reload loses nothing, and sent in its
// order, once, with the time at which it was entered. What the service refuses stays, with the reason, until somebody has seen it.
import { useEffect, useState } from 'preact/hooks';
import { ProblemError, type Stop, type StopPatch, type TankMonitoring } from 'tank-monitoring-client';
import { now } from '../api/clock.js';
import { detailOf, isTrouble } from '../api/troubles.js';

const NAME = 'entries of drivers';
const AGAIN_MS = 10_000;

export interface Entry {
  readonly id: string;
  readonly run: string;
  readonly tank: string;
  readonly fields: StopPatch;
  /** By the service's clock. */
  readonly at: number;
  /** Why the service has refused it. */
  readonly refusal?: string;
}

let inMemory: readonly Entry[] = [];
const listeners = new Set<() => void>();

/** Some browsers are told to keep nothing: then they are kept as long as the page is open. */
function stored(): readonly Entry[] {
  try {
    return JSON.parse(localStorage.getItem(NAME) ?? '[]') as readonly Entry[];
  } catch {
    return inMemory;
  }
}

function store(entries: readonly Entry[]): void {
  inMemory = entries;
  try {
    localStorage.setItem(NAME, JSON.stringify(entries));
  } catch {
    // in memory, as above
  }
  for (const told of listeners) told();
}

export function enter(entry: Omit<Entry, 'id' | 'at'>): void {
  store([...stored(), { ...entry, id: `${Date.now()} ${Math.random()}`, at: now() }]);
}

export const discard = (id: string): void => store(stored().filter((entry) => entry.id !== id));

/** As its driver has left it: with what is not sent yet. */
export function withEntries(stop: Stop, entries: readonly Entry[]): Stop {
  const waiting = entries.filter(({ tank, refusal }) => tank === stop.tank_id && refusal === undefined);
  return waiting.reduce<Stop>((before, { fields, at }) => {
    const { status = before.status, delivered = before.delivered, note = before.note } = fields;
    const isDelivered = status === 'delivered';
    const time = fields.status === undefined ? before.delivered_at : new Date(at).toISOString();
    return {
      ...before,
      status,
      note,
      delivered: isDelivered ? delivered : null,
      delivered_at: isDelivered ? time : null,
      measured: fields.status === undefined ? before.measured : null,
    };
  }, stop);
}

/** Of one run; and sends those of all. `onSent`: what is shown is to be asked for anew. */
export function useEntries(client: TankMonitoring, run: string, onSent: () => void): readonly Entry[] {
  const [entries, setEntries] = useState(stored);
  useEffect(() => {
    const sendThem = () => void sendAll(client, onSent);
    const changed = () => {
      setEntries(stored());
      sendThem();
    };
    const again = setInterval(sendThem, AGAIN_MS);
    listeners.add(changed);
    addEventListener('storage', changed); // another tab
    addEventListener('online', sendThem);
    sendThem();
    return () => {
      clearInterval(again);
      listeners.delete(changed);
      removeEventListener('storage', changed);
      removeEventListener('online', sendThem);
    };
  }, [client, run]);
  return entries.filter((entry) => entry.run === run);
}

let isSending = false;

/** One tab at a time. Stops where the service is not reached; it is tried again soon. */
async function sendAll(client: TankMonitoring, onSent: () => void): Promise<void> {
  if (isSending || !stored().some(isWaiting)) return;
  isSending = true;
  try {
    await navigator.locks.request(NAME, async () => {
      await client.health.live(); // whose answer sets the clock
      for (let next = stored().find(isWaiting); next !== undefined; next = stored().find(isWaiting)) {
        await send(client, next);
        onSent();
      }
    });
  } catch (error) {
    if (!isTrouble(error)) throw error;
  } finally {
    isSending = false;
  }
}

const isWaiting = ({ refusal }: Entry): boolean => refusal === undefined;

async function send(client: TankMonitoring, { id, run, tank, fields, at }: Entry): Promise<void> {
  // Never later than it is at the service, whatever the phone's clock has done meanwhile.
  const time =
    fields.status === 'delivered' ? { delivered_at: new Date(Math.min(at, now())).toISOString() } : {};
  try {
    await client.runs.enter(run, tank, { ...time, ...fields });
    discard(id);
  } catch (error) {
    if (!(error instanceof ProblemError) || !isFinal(error)) throw error;
    store(stored().map((entry) => (entry.id === id ? { ...entry, refusal: detailOf(error) } : entry)));
  }
}

/** It would be refused again; all else may pass. */
function isFinal({ status }: ProblemError): boolean {
  return status >= 400 && status < 500 && ![401, 408, 429].includes(status);
}
