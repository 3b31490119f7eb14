// What drivers have entered, until the service has it: kept in the browser, so that a dead spot or a reload loses nothing, and sent in its
// order, once, with the time at which it was entered. What the service refuses stays, with the reason, until somebody has seen it.
import { useEffect, useState } from 'preact/hooks';
import { ProblemError, type Stop, type StopPatch, type TankMonitoring } from 'tank-monitoring-client';
import { now } from '../api/clock.js';
import { detailOf, isTrouble } from '../api/troubles.js';
import { keepIn, keptIn } from '../keeping.js';

const NAME = `entries of drivers ${location.pathname}`;
const AGAIN_MS = 10_000;

interface Entry {
  readonly id: string;
  readonly run: string;
  readonly tank: string;
  /** Of the tank. */
  readonly name: string;
  readonly fields: StopPatch;
  /** By the service's clock. */
  readonly at: number;
  /** Why the service has refused it. */
  readonly refusal?: string;
}

let inMemory: readonly Entry[] = [];
const listeners = new Set<() => void>();

/** Where the browser keeps nothing, as long as the page is open. */
const stored = () => (keptIn('localStorage', NAME) as readonly Entry[] | undefined) ?? inMemory;

function store(entries: readonly Entry[]): void {
  inMemory = entries;
  keepIn('localStorage', NAME, entries);
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

/** Of all runs. */
export function useEntries(): readonly Entry[] {
  const [entries, setEntries] = useState(stored);
  useEffect(() => onChange(() => setEntries(stored())), []);
  return entries;
}

/** Here or in another tab. Returns how to stop. */
function onChange(changed: () => void): () => void {
  listeners.add(changed);
  addEventListener('storage', changed);
  return () => {
    listeners.delete(changed);
    removeEventListener('storage', changed);
  };
}

type Sent = (run: string, stop: Stop) => void;

/** At once, when the network is back, and every few seconds until the service has it. Returns how to stop. */
export function keepSending(client: TankMonitoring, onSent: Sent): () => void {
  const sendThem = () => void sendAll(client, onSent);
  const again = setInterval(sendThem, AGAIN_MS);
  const ignore = onChange(sendThem);
  addEventListener('online', sendThem);
  sendThem();
  return () => {
    clearInterval(again);
    ignore();
    removeEventListener('online', sendThem);
  };
}

let isSending = false;

/** One tab at a time, where the browser can tell. Stops where the service is not reached; it is tried again soon. */
async function sendAll(client: TankMonitoring, onSent: Sent): Promise<void> {
  if (isSending || !stored().some(isWaiting)) return;
  isSending = true;
  const inOrder = async () => {
    await client.health.live(); // whose answer sets the clock
    for (let next = stored().find(isWaiting); next !== undefined; next = stored().find(isWaiting))
      await send(client, next, onSent);
  };
  try {
    await (isSecureContext ? navigator.locks.request(NAME, inOrder) : inOrder());
  } catch (error) {
    if (!isTrouble(error)) throw error;
  } finally {
    isSending = false;
  }
}

const isWaiting = ({ refusal }: Entry): boolean => refusal === undefined;

async function send(client: TankMonitoring, entry: Entry, onSent: Sent): Promise<void> {
  const { id, run, tank, fields, at } = entry;
  // Never later than it is at the service, whatever the phone's clock has done meanwhile.
  const time =
    fields.status === 'delivered' ? { delivered_at: new Date(Math.min(at, now())).toISOString() } : {};
  try {
    onSent(run, await client.runs.enter(run, tank, { ...time, ...fields }));
    discard(id);
  } catch (error) {
    if (!(error instanceof ProblemError) || !isFinal(error)) throw error;
    store(stored().map((one) => (one.id === id ? { ...one, refusal: detailOf(error) } : one)));
  }
}

/** It would be refused again; all else may pass. */
function isFinal({ status }: ProblemError): boolean {
  return status >= 400 && status < 500 && ![401, 408, 429].includes(status);
}
