// The pages behind the links in mails: a GET shows a button and changes nothing, since scanners of mails open links; a POST acts, also that
// of a mail program (RFC 8058), whatever its body. Open to everyone: the token is the key. No script, no cache, no Referer.
import { Controller, Get, HttpStatus, Param, Post, Res, VERSION_NEUTRAL } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Response } from 'express';
import { Public } from '../common/auth/caller.js';
import { policyHeaders } from '../common/http/security-headers.js';
import { OnlyWithIngest } from '../common/writes/writes.decorator.js';
import { escaped } from './mail.js';
import { WORDS } from './mail-words.js';
import type { Language } from './recipient-state.js';
import { RecipientsService } from './recipients.service.js';

const HEADERS = {
  ...policyHeaders({
    defaultSrc: ["'none'"],
    styleSrc: ["'unsafe-inline'"],
    baseUri: ["'none'"],
    formAction: ["'self'"],
    frameAncestors: ["'none'"],
  }),
  'Cache-Control': 'no-store',
  'Referrer-Policy': 'no-referrer',
  'X-Robots-Tag': 'noindex',
};

const WRONG = {
  title: 'This link is not valid · Dieser Link gilt nicht',
  text: 'It is too old, incomplete, or was replaced. · Er ist zu alt, unvollständig, oder wurde ersetzt.',
  button: '',
};

const NEST_SENDS = { passthrough: true } as const;

@ApiExcludeController()
@Public()
@OnlyWithIngest()
@Controller({ path: 'mail', version: VERSION_NEUTRAL })
export class LinksController {
  constructor(private readonly recipients: RecipientsService) {}

  @Get('confirm/:token')
  async askToConfirm(@Param('token') token: string, @Res(NEST_SENDS) response: Response): Promise<string> {
    return pageFor(response, await this.recipients.languageOf(token, 'confirm'), 'confirm');
  }

  @Post('confirm/:token')
  async confirm(@Param('token') token: string, @Res(NEST_SENDS) response: Response): Promise<string> {
    const { requestId } = response.req;
    return pageFor(response, await this.recipients.follow(token, 'confirm', requestId), 'confirmed');
  }

  @Get('unsubscribe/:token')
  async askToUnsubscribe(
    @Param('token') token: string,
    @Res(NEST_SENDS) response: Response,
  ): Promise<string> {
    return pageFor(response, await this.recipients.languageOf(token, 'unsubscribe'), 'unsubscribe');
  }

  @Post('unsubscribe/:token')
  async unsubscribe(@Param('token') token: string, @Res(NEST_SENDS) response: Response): Promise<string> {
    const { requestId } = response.req;
    return pageFor(response, await this.recipients.follow(token, 'unsubscribe', requestId), 'unsubscribed');
  }
}

const STYLE = `
  :root { color-scheme: light dark; }
  body { max-width: 30rem; margin: 15vh auto 0; padding: 0 1.25rem; font: 1rem/1.5 system-ui, sans-serif; }
  h1 { font-size: 1.5rem; line-height: 1.25; }
  button { padding: .7rem 1.5rem; border: 0; border-radius: .4rem; background: #0b57a4; color: #fff; font: inherit; cursor: pointer; }
`;

function pageFor(
  response: Response,
  language: Language | undefined,
  what: 'confirm' | 'confirmed' | 'unsubscribe' | 'unsubscribed',
): string {
  const { title, text, button } = language === undefined ? WRONG : WORDS[language].page[what];
  const form = button === '' ? '' : `<form method="post"><button>${escaped(button)}</button></form>`;
  response
    .set(HEADERS)
    .status(language === undefined ? HttpStatus.BAD_REQUEST : HttpStatus.OK)
    .type('html');
  return `<!doctype html>
<html lang="${language ?? 'en'}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(title)}</title><style>${STYLE}</style></head>
<body><main><h1>${escaped(title)}</h1><p>${escaped(text)}</p>${form}</main></body></html>
`;
}
