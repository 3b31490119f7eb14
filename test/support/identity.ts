// Signing in as people do: a provider in a process of its own, and a browser with cookies that follows where it is sent.
import { afterAll } from '@jest/globals';
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { freePort } from '../faults/support/ports.js';

export interface Account {
  readonly sub: string;
  readonly email?: string;
  readonly email_verified?: boolean;
  readonly name?: string;
  /** What userinfo says instead: a provider that mixes people up. */
  readonly otherSub?: string;
  readonly refuses?: true;
}

export class IdentityProvider {
  readonly issuer: string;
  private process: ChildProcess | undefined;

  private constructor(
    private readonly port: number,
    private readonly publicUrl: string,
    private readonly options: { readonly method?: string; readonly isThin?: boolean },
  ) {
    this.issuer = `http://127.0.0.1:${port}`;
  }

  static async for(publicUrl: string, options: IdentityProvider['options'] = {}): Promise<IdentityProvider> {
    const provider = new IdentityProvider(await freePort(), publicUrl, options);
    afterAll(() => provider.stop());
    return provider;
  }

  /** For a service that signs in with it. */
  get settings(): Record<string, string> {
    return {
      OIDC_ISSUER: this.issuer,
      OIDC_CLIENT_ID: 'tanks',
      OIDC_CLIENT_SECRET: 'a secret: of the/tests',
      PUBLIC_URL: this.publicUrl,
    };
  }

  async start(): Promise<void> {
    const { method = 'client_secret_basic', isThin = false } = this.options;
    const path = fileURLToPath(new URL('identity-provider.js', import.meta.url));
    const program = [String(this.port), `${this.publicUrl}/auth/callback`, method];
    this.process = fork(path, program, {
      env: { ...process.env, THIN: String(isThin), NODE_OPTIONS: '' },
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    await once(this.process, 'message');
  }

  /** Who signs in from now on. */
  async is(account: Account): Promise<void> {
    this.process?.send({ account });
    if (this.process !== undefined) await once(this.process, 'message');
  }

  async stop(): Promise<void> {
    const { process: running } = this;
    this.process = undefined;
    if (running === undefined) return;
    running.kill();
    await once(running, 'exit');
  }
}

/** With a jar of cookies for each origin, and the headers that a browser's page sends. */
export class Browser {
  private readonly jars = new Map<string, Map<string, string>>();

  constructor(readonly url: string) {}

  /** Of the service's. */
  get cookies(): Map<string, string> {
    return this.jarOf(this.url);
  }

  async go(address: string, init: RequestInit = {}): Promise<Response> {
    const url = new URL(address, this.url);
    const jar = this.jarOf(url.origin);
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
    const headers = new Headers(init.headers);
    if (cookie !== '' && !headers.has('Cookie')) headers.set('Cookie', cookie);
    const response = await fetch(url, { redirect: 'manual', ...init, headers });
    for (const line of response.headers.getSetCookie()) keep(jar, line);
    return response;
  }

  /** As a script of the page asks. */
  ask(path: string, { method = 'GET', body, headers = {} }: Asked = {}): Promise<Response> {
    return this.go(path, {
      method,
      headers: {
        'Sec-Fetch-Site': 'same-origin',
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  }

  async statusOf(path: string, asked?: Asked): Promise<number> {
    return (await this.ask(path, asked)).status;
  }

  /** Up to an answer that sends nowhere, and where that was. */
  async follow(address: string, until?: (url: URL) => boolean): Promise<{ url: URL; response: Response }> {
    let url = new URL(address, this.url);
    for (let step = 0; step < 20; step += 1) {
      if (until?.(url) === true) return { url, response: new Response() };
      const response = await this.go(url.href);
      const location = response.headers.get('Location');
      if (location === null) return { url, response };
      url = new URL(location, url);
    }
    throw new Error(`It goes round in circles at ${url.href}`);
  }

  signIn(to = '/fleet'): Promise<{ url: URL; response: Response }> {
    return this.follow(`/auth/login?to=${encodeURIComponent(to)}`);
  }

  private jarOf(address: string): Map<string, string> {
    const { origin } = new URL(address);
    const jar = this.jars.get(origin) ?? new Map<string, string>();
    this.jars.set(origin, jar);
    return jar;
  }
}

interface Asked {
  readonly method?: string;
  readonly body?: object;
  readonly headers?: Readonly<Record<string, string>>;
}

function keep(jar: Map<string, string>, line: string): void {
  const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
  if (/expires=Thu, 01 Jan 1970/i.test(line) || value === '') jar.delete(name);
  else jar.set(name, value);
}
