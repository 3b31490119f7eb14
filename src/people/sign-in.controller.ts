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
import { hkdfSync } from 'node:crypto';
import { CallerCheck } from '../common/auth/caller-check.js';
import { Cookie, OwnPageGuard, sessionCookie } from '../common/auth/cookies.js';
import { Public } from '../common/auth/caller.js';
import { RateLimits } from '../common/auth/rate-limits.js';
import { Sessions, STAY_SECONDS } from '../common/auth/sessions.js';
import { ReadsBody } from '../common/bodies/body.interceptor.js';
import { allowTime } from '../common/http/connections.js';
import { unknownAddress } from '../common/problems/problem.js';
import { CREATED_OBJECT } from '../common/writes/object-body.js';
import { CONFIG, type Config } from '../platform/config/config.js';
import { LOGGER, type Logger } from '../platform/logging/logger.js';
import { SecretBox } from '../webhooks/secrets.js';
import { KeySignInInput } from './dto/key.input.js';
import { MeResponse, toMeResponse } from './dto/me.response.js';
import { Provider, SignInRefused, type Begun } from './provider.js';
import { Users } from './users.js';

const SECONDS_TO_COME_BACK = 600;
/** The provider is asked up to four times. */
const WITHIN_MS = 25_000;
const PURPOSE = 'a sign-in under way';
const HOME = '/fleet';

/** Sealed, in a cookie. */
interface UnderWay extends Begun {
  readonly to: string;
  readonly until: number;
}

@ApiExcludeController()
@Public()
@Controller({ path: 'auth', version: VERSION_NEUTRAL })
export class SignInController {
  private readonly session: Cookie;
  private readonly underWay: Cookie;
  private readonly box: SecretBox;

  constructor(
    private readonly provider: Provider,
    private readonly users: Users,
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
    try {
      const { address, begun } = await this.provider.begin();
      const until = Date.now() + SECONDS_TO_COME_BACK * 1000;
      const sealed = this.box.seal(JSON.stringify({ ...begun, to: placeOf(to), until }), PURPOSE);
      this.underWay.set(response, sealed.toString('base64url'), SECONDS_TO_COME_BACK);
      response.redirect(address.href);
    } catch (error) {
      this.explain(response, error);
    }
  }

  @Get('callback')
  async callback(@Req() request: Request, @Res() response: Response): Promise<void> {
    if (!this.provider.isOn) throw unknownAddress();
    allowTime(response, WITHIN_MS);
    this.underWay.clear(response); // it is good for one try
    try {
      const begun = this.opened(this.underWay.in(request));
      const [, query = ''] = request.originalUrl.split('?', 2);
      const person = await this.provider.end(query, begun);
      const isAdmin = this.config.oidc?.admins.includes(person.email.toLowerCase()) === true;
      const { id } = await this.users.signIn(person, isAdmin, request.requestId);
      const token = await this.sessions.begin({ kind: 'user', id }, false, this.session.in(request));
      const caller = await this.sessions.callerOf(token);
      if (caller === null) {
        await this.sessions.end(token);
        throw new SignInRefused(403, 'The customer that you belong to is not there any more.');
      }
      request.caller = caller;
      this.session.set(response, token);
      response.redirect(begun.to);
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
    const caller = await this.check.recognizeKey(key, request, response);
    request.caller = caller;
    if (this.limits.isOn) await this.limits.spend(`key:${caller.id}`, response);
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

  /** Of this browser, and not too old. */
  private opened(sealed: string | undefined): UnderWay {
    const text = this.box.open(Buffer.from(sealed ?? '', 'base64url'), PURPOSE);
    const underWay = text === undefined ? undefined : (JSON.parse(text) as UnderWay); // sealed by us
    if (underWay === undefined || underWay.until < Date.now())
      throw new SignInRefused(
        400,
        'This sign-in was not begun in this browser, or more than 10 minutes ago.',
      );
    return underWay;
  }

  private explain(response: Response, error: unknown): void {
    const isTold = error instanceof SignInRefused;
    if (!isTold) this.logger.error({ err: error }, 'somebody could not sign in');
    const words = isTold ? error.message : 'Signing in does not work right now. Try again in a moment.';
    response
      .status(isTold ? error.status : 503)
      .type('html')
      .send(pageWith(words));
  }
}

/** A place on the page, as a browser reads it; the page's first for anything else. */
function placeOf(asked: unknown): string {
  if (typeof asked !== 'string' || asked.length > 2_000 || !asked.startsWith(HOME)) return HOME;
  const origin = 'https://this.invalid';
  const url = URL.canParse(asked, origin) ? new URL(asked, origin) : undefined;
  const isHere = url?.origin === origin && url.pathname.startsWith(HOME);
  return isHere ? url.pathname + url.search + url.hash : HOME;
}

const pageWith = (words: string): string => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Not signed in</title>
<body style="font: 1rem/1.5 system-ui, sans-serif; max-width: 36rem; margin: 4rem auto; padding: 0 1rem">
<h1>You are not signed in</h1>
<p>${words}</p>
<p><a href="login">Try again</a> or <a href="../fleet">go to the start</a></p>
</body>
</html>
`;
