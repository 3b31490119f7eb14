// Hands mails over: to the operator's SMTP server or, in the demo, to a folder; and tells whose fault it is when that fails.
import { mkdir, writeFile } from 'node:fs/promises';
import { isIP } from 'node:net';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import MailComposer from 'nodemailer/lib/mail-composer';
import SMTPConnection from 'nodemailer/lib/smtp-connection';
import type { Config } from '../platform/config/config.js';
import type { MailFrom } from '../platform/config/mail-settings.js';
import { writeHtmlMail, writeTextMail, type Mail } from './mail.js';
import type { Language } from './recipient-state.js';

export interface Outcome {
  /** `refused` is for good: the address or the message; `retry`: for now. */
  readonly result: 'sent' | 'refused' | 'retry';
  /** Whether the server itself does not work, or not for us. */
  readonly isServerFault: boolean;
  /** Its last line, or the fault in plain words. */
  readonly reply: string;
  /** For the log, where replies, which may hold addresses, are not. */
  readonly code: number | string | undefined;
}

export interface Patience {
  /** For each answer of the server. */
  readonly answerMs: number;
  /** For the whole mail: a claim outlasts it. */
  readonly mailMs: number;
}

export interface Letter {
  /** Of the notice: names the mail, also when it is sent again. */
  readonly id: string;
  readonly to: string;
  readonly language: Language;
  readonly mail: Mail;
}

type Failure = Error & { readonly code?: string; readonly originalCode?: string; readonly response?: string };

/** nodemailer notes in it how the server answered. */
interface Envelope {
  readonly from: string;
  readonly to: string[];
  readonly accepted?: string[];
  readonly mailError?: Failure;
  readonly rejectedErrors?: Failure[];
}

const MOST_REPLY = 500;
const OF_DEMO: MailFrom = { name: 'Tank Monitoring (demo)', address: 'tanks@localhost' };

export interface Post {
  send(letter: Letter, patience: Patience): Promise<Outcome>;
}

/** Undefined when mail is off. */
export function openPost({
  mail: { server, from = OF_DEMO, folder },
}: Pick<Config, 'mail'>): Post | undefined {
  if (server !== undefined)
    return {
      send: async (letter, patience) =>
        new Delivery(server, from.address, letter.to, patience).run(await compose(letter, from)),
    };
  return folder === undefined ? undefined : { send: (letter) => putInto(folder, letter, from) };
}

async function putInto(folder: string, letter: Letter, from: MailFrom): Promise<Outcome> {
  const { id, mail, language } = letter;
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, `${id}.eml`), await compose(letter, from));
  await writeFile(join(folder, `${id}.html`), writeHtmlMail(mail, language));
  return { result: 'sent', isServerFault: false, reply: `250 written to .data/mail/${id}.eml`, code: 250 };
}

function compose({ id, to, mail, language }: Letter, from: MailFrom): Promise<Buffer> {
  const list = mail.unsubscribe && {
    'List-Unsubscribe': { prepared: true, value: `<${mail.unsubscribe[1]}>` },
    'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
  };
  const subject = { prepared: true, value: encodedWords(mail.subject) };
  return new MailComposer({
    from: { ...from },
    to: { name: '', address: to },
    messageId: `<${id}@${from.address.split('@')[1]}>`,
    headers: { Subject: subject, 'Auto-Submitted': 'auto-generated', ...list },
    text: writeTextMail(mail),
    html: writeHtmlMail(mail, language),
  })
    .compile()
    .build();
}

/** What could be taken for an encoded word is encoded, too. */
function encodedWords(text: string): string {
  if (/^[\x20-\x7e]*$/.test(text) && !text.includes('=?') && text.length < 60) return text;
  const words: string[] = [''];
  for (const character of text) {
    const last = words.at(-1) ?? '';
    if (Buffer.byteLength(last + character) > 45) words.push(character);
    else words[words.length - 1] = last + character;
  }
  return words.map((word) => `=?UTF-8?B?${Buffer.from(word).toString('base64')}?=`).join('\r\n ');
}

/** One mail to one address, over a connection of its own. */
class Delivery {
  private readonly connection: SMTPConnection;
  private readonly envelope: Envelope;
  /** The server's last answer before the envelope; undefined until it is sent. */
  private answerBefore: string | false | undefined;

  constructor(
    private readonly server: NonNullable<Config['mail']['server']>,
    from: string,
    to: string,
    private readonly patience: Patience,
  ) {
    const { host, port, isSecure, requiresTls } = server;
    const { answerMs } = patience;
    this.envelope = { from, to: [to] };
    this.connection = new SMTPConnection({
      host,
      port,
      secure: isSecure,
      requireTLS: requiresTls && !isSecure,
      connectionTimeout: answerMs,
      greetingTimeout: answerMs,
      socketTimeout: answerMs,
      dnsTimeout: answerMs,
      allowInternalNetworkInterfaces: true,
    });
  }

  async run(message: Buffer): Promise<Outcome> {
    let timer: NodeJS.Timeout | undefined;
    const broken = new Promise<never>((_, reject) => {
      this.connection.on('error', reject);
      this.connection.on('end', () => reject(new Error('Connection closed')));
      const late = Object.assign(new Error('Timeout'), { code: 'ETIMEDOUT' });
      timer = setTimeout(() => reject(late), this.patience.mailMs);
    });
    broken.catch(() => undefined);
    try {
      const reply = await Promise.race([broken, this.converse(message)]);
      this.connection.quit();
      return { result: 'sent', isServerFault: false, reply: this.plain(reply), code: 250 };
    } catch (error) {
      this.connection.close();
      return this.failed(error as Failure);
    } finally {
      clearTimeout(timer);
    }
  }

  private async converse(message: Buffer): Promise<string> {
    const { connection } = this;
    const { login } = this.server;
    await promisify(connection.connect.bind(connection))();
    if (login !== undefined) await promisify(connection.login.bind(connection))({ ...login });
    this.answerBefore = connection.lastServerResponse;
    const info = await promisify(connection.send.bind(connection))(this.envelope, message);
    return info?.response ?? '';
  }

  private failed(error: Failure): Outcome {
    const { mailError, rejectedErrors = [], accepted = [] } = this.envelope;
    const { response, code, originalCode } = mailError ?? rejectedErrors[0] ?? error;
    const isAnswered = accepted.length + rejectedErrors.length > 0;
    const isAfterMail = isAnswered || this.connection.lastServerResponse !== this.answerBefore;
    const isBeforeRcpt = this.answerBefore === undefined || mailError !== undefined || !isAfterMail;
    const isPolicy = /^5\d\d[ -]5\.7\.|^530\b/.test(response ?? '');
    const isServerFault = isPolicy || isBeforeRcpt;
    const status = Number(response?.slice(0, 3)) || undefined;
    const isForGood = status !== undefined && status >= 500 && !isServerFault;
    return {
      result: isForGood ? 'refused' : 'retry',
      isServerFault,
      reply: this.plain(code === 'ETLS' || !response ? explainFault(code, originalCode, response) : response),
      code: status ?? originalCode ?? code,
    };
  }

  /** The last line, without what is the operator's: passwords, and hosts. */
  private plain(reply: string): string {
    const { host, login } = this.server;
    const domain = isIP(host) === 0 ? `.${host.split('.').slice(-2).join('.')}`.toLowerCase() : '[]';
    const isHost = (name: string): boolean =>
      isIP(name.replace(/[.:]$/, '')) > 0 || name.toLowerCase().endsWith(domain);
    const secrets = [
      login?.pass,
      login && Buffer.from(login.pass).toString('base64'),
      login?.user,
      host,
      hostname(),
    ]
      .filter((secret) => secret !== undefined && secret.length > 2)
      .toSorted((a = '', b = '') => b.length - a.length);
    const address = this.envelope.to[0] ?? '';
    const line = reply.trim().split(/\r?\n/).at(-1) ?? '';
    const hidden = line
      .split(address)
      .map((part) =>
        secrets
          .reduce<string>((text, secret = '') => text.replaceAll(secret, '…'), part)
          .replaceAll(/[\w.:-]+/g, (name) => (isHost(name) ? '…' : name)),
      )
      .join(address);
    return hidden.replaceAll(/\p{C}/gu, ' ').slice(0, MOST_REPLY);
  }
}

const UNTRUSTED = /CERT|SELF_SIGNED|UNABLE_TO|ERR_TLS/;

function explainFault(code: string | undefined, original = '', response = ''): string {
  if (UNTRUSTED.test(original)) return `the certificate of the mail server is not trusted (${original})`;
  if (original === 'ECONNREFUSED') return 'no connection: the mail server refused it';
  if (code === 'EDNS') return 'no connection: the name of the mail server was not found';
  if (code === 'ETIMEDOUT' || original === 'ETIMEDOUT') return 'no answer of the mail server in time';
  if (code === 'ETLS' || original.startsWith('ERR_SSL'))
    return `no encrypted connection to the mail server could be made (${response || original})`;
  return 'the connection to the mail server ended';
}
