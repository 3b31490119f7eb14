// /auth: people sign in, with the company's identity provider or with an API key, and out. What goes wrong on the way through the
// provider is a page, since a person looks at it.
import {
  Body,
  Controller,
  Get,
  HttpCode,
  Inject,
  Post,
  Query,
  Req,
  Res,
  UseGuards,
  VERSION_NEUTRAL,
} from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { LRUCache } from 'lru-cache';
import { hkdfSync } from 'node:crypto';
import { CallerCheck } from '../common/auth/caller-check.js';
import { Cookie, OwnPageGuard, sessionCookie } from '../common/auth/cookies.js';
import { limitOf, Public } from '../common/auth/caller.js';
import { RateLimits } from '../common/auth/rate-limits.js';
import { Sessions, STAY_SECONDS } from '../common/auth/sessions.js';
import { ReadsBody } from '../common/bodies/body.interceptor.js';
import { allowTime } from '../common/http/connections.js';
import { Problem, unknownAddress } from '../common/problems/problem.js';
import { CREATED_OBJECT } from '../common/writes/object-body.js';
import { CONFIG, type Config } from '../platform/config/config.js';
import { isSameEmail } from '../platform/config/email.js';
import { LOGGER, type Logger } from '../platform/logging/logger.js';
import { SecretBox } from '../webhooks/secrets.js';
import { KeySignInInput } from './dto/key.input.js';
import { MeResponse, toMeResponse } from './dto/me.response.js';
import { Provider, type Begun } from './provider.js';
import { pageWith, SignInRefused } from './sign-in-page.js';
import { UsersService } from './users.service.js';

const SECONDS_TO_COME_BACK = 600;
/** For as long as the cookie is good; the oldest go where there are more. */
const ENDED = { max: 10_000, ttl: SECONDS_TO_COME_BACK * 1_000 };
/** The provider is asked up to four times. */
const WITHIN_MS = 25_000;
const PURPOSE = 'a sign-in under way';
const HOME = '/fleet';

/** Browsers drop larger ones, and proxies refuse what has many. */
const MAX_COOKIE = 4_000;

/** Sealed, in a cookie. */
interface UnderWay extends Begun {
  readonly to: unknown;
  readonly until: number;
}

@ApiExcludeController()
@Public()
@Controller({ path: 'auth', version: VERSION_NEUTRAL })
export class SignInController {
  private readonly session: Cookie;
  private readonly underWay: Cookie;
  private readonly box: SecretBox;
  /** What was ended here, or was tried to: whoever keeps a copy of the cookie asks the provider no second time. */
  private readonly ended = new LRUCache<string, true>(ENDED);

  constructor(
    private readonly provider: Provider,
    private readonly users: UsersService,
    private readonly sessions: Sessions,
    private readonly check: CallerCheck,
    private readonly limits: RateLimits,
    @Inject(CONFIG) private readonly config: Config,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    this.session = sessionCookie(config.publicUrl);
    this.underWay = new Cookie('signing-in', /^[A-Za-z0-9_-]+$/, config.publicUrl);
    // A secret that all instances have.
    const key = hkdfSync('sha256', config.oidc?.clientSecret ?? '', '', PURPOSE, 32);
    this.box = new SecretBox([Buffer.from(key).toString('base64')]);
  }

  @Get('login')
  async login(@Query('to') to: unknown, @Res() response: Response): Promise<void> {
    if (!this.provider.isOn) throw unknownAddress();
    allowTime(response, WITHIN_MS);
    response.req.leaveSeats?.(); // a slow provider holds nobody's seat
    try {
      const { address, begun } = await this.provider.begin();
      const until = Date.now() + SECONDS_TO_COME_BACK * 1000;
      this.keep(response, [{ ...begun, to, until }, ...this.underWayIn(response.req)]);
      response.redirect(address.href);
    } catch (error) {
      this.explain(response, error);
    }
  }

  @Get('callback')
  async callback(@Req() request: Request, @Res() response: Response): Promise<void> {
    if (!this.provider.isOn) throw unknownAddress();
    allowTime(response, WITHIN_MS);
    try {
      const [, query = ''] = request.originalUrl.split('?', 2);
      const begun = this.take(new URLSearchParams(query).get('state'), response);
      await this.check.countTry(request, response); // the provider is asked for each
      request.leaveSeats?.();
      const person = await this.provider.end(query, begun);
      this.check.giveBack(request);
      const isAdmin = this.config.oidc?.admins.some((email) => isSameEmail(email, person.email)) === true;
      const { id } = await this.users.signIn(person, isAdmin, request.requestId);
      const token = await this.sessions.begin({ kind: 'user', id }, false, this.session.in(request));
      const caller = await this.sessions.callerOf(token);
      if (caller === null) {
        await this.sessions.end(token);
        throw new SignInRefused('noCustomer');
      }
      request.caller = caller;
      this.session.set(response, token);
      response.redirect(safePath(begun.to));
    } catch (error) {
      this.explain(response, error);
    }
  }

  @Post('key')
  @HttpCode(200)
  @UseGuards(OwnPageGuard)
  @ReadsBody(CREATED_OBJECT)
  async withKey(
    @Body() { key, stay = false }: KeySignInInput,
    @Res({ passthrough: true }) response: Response,
  ): Promise<MeResponse> {
    const { req: request } = response;
    const caller = await this.check.authenticateKey(key, request, response);
    request.caller = caller;
    if (this.limits.isOn) await this.limits.spend(limitOf(caller), response);
    const token = await this.sessions.begin(caller, stay, this.session.in(request));
    this.session.set(response, token, stay ? STAY_SECONDS : undefined);
    return toMeResponse(caller);
  }

  @Post('logout')
  @HttpCode(204)
  @UseGuards(OwnPageGuard)
  async logout(@Res({ passthrough: true }) response: Response): Promise<void> {
    const token = this.session.in(response.req);
    this.session.clear(response);
    if (token !== undefined) await this.sessions.end(token);
  }

  /** What this browser began, in one tab or several, and may still end. */
  private underWayIn(request: Request): UnderWay[] {
    const sealed = this.underWay.in(request) ?? '';
    const text = this.box.open(Buffer.from(sealed, 'base64url'), PURPOSE) ?? '[]';
    return (JSON.parse(text) as UnderWay[]).filter(({ until }) => until >= Date.now()); // sealed by us
  }

  /** As many of the newest as a cookie holds; where one is too much, without its place. */
  private keep(response: Response, all: readonly UnderWay[]): void {
    const [newest, ...others] = all;
    if (newest === undefined) {
      this.underWay.clear(response);
      return;
    }
    const value = this.box.seal(JSON.stringify(all), PURPOSE).toString('base64url');
    if (value.length <= MAX_COOKIE) this.underWay.set(response, value, SECONDS_TO_COME_BACK);
    else this.keep(response, others.length > 0 ? all.slice(0, -1) : [{ ...newest, to: HOME }]);
  }

  /** Each is good for one try; one that comes from elsewhere takes nothing away. */
  private take(state: string | null, response: Response): UnderWay {
    const all = this.underWayIn(response.req);
    const begun = all.find((one) => one.state === state);
    if (begun === undefined || this.ended.has(begun.state)) throw new SignInRefused('notBegunHere');
    this.ended.set(begun.state, true);
    this.keep(
      response,
      all.filter((one) => one !== begun),
    );
    return begun;
  }

  private explain(response: Response, error: unknown): void {
    const isTooOften = error instanceof Problem && error.status === 429;
    if (isTooOften) response.set(error.headers);
    const refused =
      error instanceof SignInRefused ? error : new SignInRefused(isTooOften ? 'tooOften' : 'broken');
    if (refused.reason === 'broken') this.logger.error({ err: error }, 'somebody could not sign in');
    response.status(refused.status).type('html').send(pageWith(refused.reason, response.req));
  }
}

/** A place on the page, as a browser reads it; the page's first for anything else. */
function safePath(asked: unknown): string {
  if (typeof asked !== 'string' || asked.length > 2_000 || !asked.startsWith(HOME)) return HOME;
  const origin = 'https://this.invalid';
  const url = URL.canParse(asked, origin) ? new URL(asked, origin) : undefined;
  const isHere = url?.origin === origin && url.pathname.startsWith(HOME);
  return isHere ? url.pathname + url.search + url.hash : HOME;
}
