// The company's identity provider, by OpenID Connect: the authorization code flow with PKCE, state and nonce. It is asked for nothing
// before somebody signs in.
import { Inject, Injectable } from '@nestjs/common';
import type { ClientAuth, Configuration, IDToken, UserInfoResponse } from 'openid-client';
import { CONFIG, type Config } from '../platform/config/config.js';
import { isStorable } from '../platform/database/reads.js';
import { LOGGER, type Logger } from '../platform/logging/logger.js';
import { SignInRefused } from './sign-in-page.js';
import type { Person } from './users.service.js';

const CALLBACK = '/auth/callback';
/** Of each request to the provider. */
const TIMEOUT_SECONDS = 5;
const MAX_EMAIL = 320;
const MAX_NAME = 200;

/** What only the browser that began has, until it comes back. */
export interface Begun {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
}

@Injectable()
export class Provider {
  private discovered: Promise<Configuration> | undefined;
  /** Providers take the secret in one of two ways, and do not always say in which. */
  private isInBody = false;

  constructor(
    @Inject(CONFIG) private readonly config: Config,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  get isOn(): boolean {
    return this.config.oidc !== undefined;
  }

  /** Where to send the browser. */
  async begin(): Promise<{ address: URL; begun: Begun }> {
    const library = await import('openid-client');
    const server = await this.server();
    const [state, nonce] = [library.randomState(), library.randomNonce()];
    const verifier = library.randomPKCECodeVerifier();
    const address = library.buildAuthorizationUrl(server, {
      redirect_uri: this.callback().href,
      scope: 'openid email profile',
      code_challenge: await library.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      state,
      nonce,
    });
    return { address, begun: { state, nonce, verifier } };
  }

  /** `query`: what the provider sent the browser back with. */
  async end(query: string, begun: Begun): Promise<Person> {
    const server = await this.server();
    try {
      const tokens = await this.redeem(server, query, begun);
      const claims = tokens.claims();
      if (claims === undefined) throw new SignInRefused('failed');
      if (claims['email'] !== undefined) return this.personIn(claims, claims);
      const { fetchUserInfo } = await import('openid-client');
      return this.personIn(claims, await fetchUserInfo(server, tokens.access_token, claims.sub));
    } catch (error) {
      throw this.refusal(error);
    }
  }

  private async redeem(server: Configuration, query: string, { state, nonce, verifier }: Begun) {
    const { authorizationCodeGrant } = await import('openid-client');
    const address = this.callback();
    address.search = query;
    const checks = () => ({ expectedState: state, expectedNonce: nonce, pkceCodeVerifier: verifier });
    const wasInBody = this.isInBody;
    try {
      return await authorizationCodeGrant(server, address, checks());
    } catch (error) {
      if (!isAboutSecret(error)) throw error;
      this.isInBody = !wasInBody; // of several at once, each says the same
      return authorizationCodeGrant(server, address, checks());
    }
  }

  /** Discovered once; a failure is tried again by the next who signs in. */
  private async server(): Promise<Configuration> {
    this.discovered ??= this.discover();
    try {
      return await this.discovered;
    } catch (error) {
      this.discovered = undefined;
      this.logger.warn(
        { reason: explainRefusedSignIn(error) },
        'the identity provider could not be discovered',
      );
      throw new SignInRefused('away');
    }
  }

  private async discover(): Promise<Configuration> {
    const library = await import('openid-client');
    const { issuer = '', clientId = '', clientSecret = '' } = this.config.oidc ?? {};
    const [basic, post] = [library.ClientSecretBasic(clientSecret), library.ClientSecretPost(clientSecret)];
    const authenticate: ClientAuth = (...parts) => (this.isInBody ? post : basic)(...parts);
    const isPlain = issuer.startsWith('http:'); // on this machine only, as the setting is checked
    return library.discovery(new URL(issuer), clientId, {}, authenticate, {
      timeout: TIMEOUT_SECONDS,
      execute: [library.enableNonRepudiationChecks, ...(isPlain ? [library.allowInsecureRequests] : [])],
    });
  }

  private callback(): URL {
    return new URL(CALLBACK, this.config.publicUrl);
  }

  /** `told`: where the address is said, with whether the provider has verified it. */
  private personIn({ iss, sub }: IDToken, told: IDToken | UserInfoResponse): Person {
    const { email, email_verified: isVerified, name } = told;
    const isTrusted = isVerified === undefined && this.config.oidc?.trustEmail === true;
    if (!isText(email, MAX_EMAIL) || (isVerified !== true && !isTrusted))
      throw new SignInRefused('noAddress');
    return { issuer: iss, subject: sub, email, name: isText(name, MAX_NAME) ? name : null };
  }

  private refusal(error: unknown): SignInRefused {
    if (error instanceof SignInRefused) return error;
    this.logger.warn({ reason: explainRefusedSignIn(error) }, 'somebody could not sign in');
    return isAway(error) ? new SignInRefused('away') : new SignInRefused('failed');
  }
}

const isText = (value: unknown, max: number): value is string =>
  typeof value === 'string' && value !== '' && value.length <= max && isStorable(value);

/** The errors of the library have these, some of them. */
interface LibraryError extends Error {
  readonly code?: string;
  readonly error?: string;
  readonly status?: number;
}

const isLibraryError = (error: unknown): error is LibraryError => error instanceof Error;

function isAboutSecret(error: unknown): boolean {
  return isLibraryError(error) && (error.error === 'invalid_client' || error.status === 401);
}

function isAway(error: unknown): boolean {
  if (!isLibraryError(error)) return false;
  const { status = error.cause instanceof Response ? error.cause.status : 0 } = error;
  return error.message === 'fetch failed' || error.code === 'OAUTH_TIMEOUT' || status >= 500;
}

/** An error code as OAuth has them. Anybody can write other texts into the address. */
const ERROR_CODE = /^[a-z_]{1,40}$/;

/** Without what the provider wrote, which may name a person. */
function explainRefusedSignIn(error: unknown): string {
  if (!isLibraryError(error)) return 'unknown';
  if (error.error === undefined) return error.code ?? error.message;
  return ERROR_CODE.test(error.error) ? error.error : 'an error that is no code';
}
