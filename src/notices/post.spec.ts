// One mail to servers that refuse, hang or die at every step, or whose certificate is not to be trusted.
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { EventEmitter, once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeCertificate } from '../../test/faults/support/certificates.js';
import { MailServer } from '../../test/support/mail-server.js';
import { openPost, type Outcome } from './post.js';

const LETTER = {
  id: 'notice',
  to: 'ada@example.com',
  language: 'en',
  mail: { subject: 'Boiler house is low: 18 %', intro: [], parts: [], foot: [] },
} as const;
const LOGIN = { user: 'tanks', pass: 's3cret-word' };
const PATIENT = { answerMs: 60_000, mailMs: 60_000 };

const opened: { readonly close: () => void }[] = [];
afterEach(() => {
  jest.useRealTimers();
  for (const one of opened.splice(0)) one.close();
});

interface Way {
  readonly isSecure?: boolean;
  readonly requiresTls?: boolean;
}

function send(port: number, { isSecure = false, requiresTls = false }: Way = {}) {
  const server = { host: '127.0.0.1', port, isSecure, requiresTls, login: LOGIN };
  const from = { name: '', address: 'tanks@example.com' };
  return openPost({ mail: { server, from, folder: undefined } })?.send(LETTER, PATIENT);
}

type Step = 'greeting' | 'EHLO' | 'STARTTLS' | 'AUTH' | 'MAIL' | 'RCPT' | 'DATA' | '.';

const GOOD: Readonly<Record<string, string>> = {
  greeting: '220 here',
  EHLO: '250-here\r\n250 AUTH PLAIN',
  AUTH: '235 2.7.0 in',
  MAIL: '250 2.1.0 yes',
  RCPT: '250 2.1.5 yes',
  DATA: '354 go on',
  '.': '250 2.0.0 queued',
  QUIT: '221 bye',
};

/** Tells when a server has come to the step at which it hangs. */
const hung = new EventEmitter();

/** Follows a script, and at one step does something else: it answers that, says nothing more, or ends the connection. */
async function scripted(step: Step, fault: string): Promise<number> {
  const server: Server = createServer((socket: Socket) => {
    const say = (heard: string) => {
      const isAt = heard === step || (heard === 'HELO' && step === 'EHLO');
      if (isAt && fault === 'dies') return socket.destroy();
      if (isAt && fault === 'hangs') return hung.emit('now', socket.pause());
      const answer = heard === 'EHLO' && step === 'STARTTLS' ? '250-here\r\n250 STARTTLS' : GOOD[heard];
      return socket.write(`${isAt ? fault : (answer ?? '502 5.5.1 what')}\r\n`);
    };
    let isMessage = false;
    socket.setEncoding('latin1').on('error', () => undefined);
    socket.on('data', (text: string) => {
      if (isMessage && !text.endsWith('\r\n.\r\n')) return;
      const heard = isMessage ? '.' : (/^[A-Z]+/.exec(text)?.[0] ?? '');
      isMessage = heard === 'DATA' && step !== 'DATA';
      say(heard);
    });
    opened.push({ close: () => socket.destroy() });
    say('greeting');
  });
  opened.push(server);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return (server.address() as AddressInfo).port;
}

async function selfSigned(): Promise<{ key: Buffer; cert: Buffer }> {
  const folder = await mkdtemp(join(tmpdir(), 'tank-mail-'));
  const { keyFile, certificateFile } = await makeCertificate(folder, 'mail', 'localhost');
  const pair = { key: await readFile(keyFile), cert: await readFile(certificateFile) };
  await rm(folder, { recursive: true });
  return pair;
}

const BY_SERVER = { result: 'retry', isServerFault: true };
const FOR_NOW = { result: 'retry', isServerFault: false };
const FOR_GOOD = { result: 'refused', isServerFault: false };

const STEPS = ['greeting', 'EHLO', 'STARTTLS', 'AUTH', 'MAIL', 'RCPT', 'DATA', '.'] as const;
const isAfterRcpt = (step: Step): boolean => ['RCPT', 'DATA', '.'].includes(step);

describe('a server', () => {
  it.each(
    STEPS.flatMap((step) => {
      const [now, never] = isAfterRcpt(step) ? [FOR_NOW, FOR_GOOD] : [BY_SERVER, BY_SERVER];
      return [
        [step, '451 4.3.0 later', now],
        [step, '550 5.1.0 never', never],
        [step, '554 5.7.1 not you', BY_SERVER],
        [step, 'dies', now],
      ] as const;
    }),
  )('that at %s says or does %j', async (step, fault, outcome) => {
    const words = fault === 'dies' ? 'the connection to the mail server ended' : fault;
    const reply: unknown = expect.stringContaining(words);
    expect(await send(await scripted(step, fault))).toMatchObject({ ...outcome, reply });
  });

  it.each(STEPS)('that hangs at %s', async (step) => {
    jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate'] });
    const hangs = once(hung, 'now');
    const outcome = send(await scripted(step, 'hangs'));
    await hangs;
    jest.advanceTimersByTime(PATIENT.mailMs);

    const reply = 'no answer of the mail server in time';
    expect(await outcome).toMatchObject({ ...(isAfterRcpt(step) ? FOR_NOW : BY_SERVER), reply });
  });
});

describe('a certificate that is not trusted, or none', () => {
  const UNTRUSTED = /^the certificate of the mail server is not trusted \(\w*SELF_SIGNED\w*\)$/;

  const ofItsOwn = selfSigned();
  it.each([
    ['STARTTLS', {}, {}, UNTRUSTED],
    ['STARTTLS', {}, { requiresTls: true }, UNTRUSTED],
    ['smtps', { secure: true }, { isSecure: true, requiresTls: true }, UNTRUSTED],
    ['no TLS', { disabledCommands: ['STARTTLS'] }, { requiresTls: true }, /^no encrypted connection/],
    ['no TLS', { disabledCommands: ['STARTTLS'] }, { isSecure: true }, /^no encrypted connection/],
  ])('with %s %j %j: no password and no mail goes', async (_, options, way, reply) => {
    const mailServer = await MailServer.start({ ...(await ofItsOwn), disabledCommands: [], ...options });
    const outcome = (await send(mailServer.port, way)) as Outcome;
    await mailServer.stop();
    expect(outcome).toMatchObject({ ...BY_SERVER, reply: expect.stringMatching(reply) });
    expect(mailServer.steps.filter((step) => !step.startsWith('connect'))).toEqual([]);
  });
});
