// Serves the fleet page: open to everyone, since it holds no data; it gets them from the API in the visitor's session.
import { Controller, Get, Inject, Param, Req, Res, VERSION_NEUTRAL } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { readFile } from 'node:fs/promises';
import { extname } from 'node:path';
import { TakesSeats } from '../../common/admission/admission.js';
import { sessionCookie, type Cookie } from '../../common/auth/cookies.js';
import { Public } from '../../common/auth/caller.js';
import { CONFIG, type Config } from '../../platform/config/config.js';
import { inProject } from '../../platform/config/project.js';
import { PublicFile } from '../../common/http/public-file.js';
import { policyHeaders } from '../../common/http/security-headers.js';
import { notFound } from '../../common/problems/problem.js';

export const DEMO_KEY = Symbol('the demo key, or null outside the demo');

/** The files that the page refers to, as web/bundle.js names them: by their content. */
const HASHED = /^[a-z]+-[0-9A-Z]{8}\.[a-z]+$/;

/** Stricter than for Swagger UI: nothing inline, nothing from elsewhere but the operator's map, and no script made of text. */
function pageHeaders(tilesUrl: string | undefined): Record<string, string> {
  return policyHeaders({
    defaultSrc: ["'none'"],
    connectSrc: ["'self'"],
    imgSrc: ["'self'", ...(tilesUrl === undefined ? [] : [new URL(tilesUrl).origin])],
    scriptSrc: ["'self'"],
    styleSrc: ["'self'"],
    baseUri: ["'none'"],
    formAction: ["'none'"],
    frameAncestors: ["'none'"],
    requireTrustedTypesFor: ["'script'"],
    trustedTypes: ['worker'], // by its address: a reload in a dead spot
  });
}

@ApiExcludeController()
@Public()
@TakesSeats(0)
@Controller({ path: 'fleet', version: VERSION_NEUTRAL })
export class FleetPageController {
  private readonly headers: Record<string, string>;
  private readonly session: Cookie;
  /** By their marks. */
  private readonly pages = new Map<string, PublicFile>();
  private readonly files = new Map<string, PublicFile>();

  constructor(
    @Inject(DEMO_KEY) private readonly demoKey: string | null,
    @Inject(CONFIG) private readonly config: Config,
  ) {
    this.headers = pageHeaders(config.map.tilesUrl);
    this.session = sessionCookie(config.publicUrl);
  }

  @Get()
  async page(@Req() request: Request, @Res() response: Response): Promise<void> {
    const [path = '', query] = request.originalUrl.split('?', 2);
    // The page's links are relative to /fleet, so that it works below any prefix a proxy may add.
    if (path.endsWith('/')) return response.redirect(`../fleet${query === undefined ? '' : `?${query}`}`);
    const marks = [
      this.demoKey === null ? '' : ' data-demo',
      this.session.in(request) === undefined ? '' : ' data-session', // perhaps one that has ended
      this.config.ingest.isOn ? '' : ' data-read-only', // nothing can be changed, whatever the key may
      this.config.oidc === undefined ? '' : ' data-provider',
      attribute('data-fill-to', String(this.config.fillToPercent)),
      attribute('data-company', this.config.companyName),
      attribute('data-tiles', this.config.map.tilesUrl),
      attribute('data-attribution', this.config.map.attribution),
    ];
    await (await this.pageWith(marks.join(''))).send(request, response);
  }

  /** With and without a session. */
  private async pageWith(marks: string): Promise<PublicFile> {
    const known = this.pages.get(marks);
    if (known !== undefined) return known;
    const page = await readFile(inProject('dist/web/index.html'), 'utf8');
    const content = page.replace('<body>', () => `<body${marks}>`);
    const made = new PublicFile(content, 'html', { ...this.headers, 'Cache-Control': 'no-cache' });
    this.pages.set(marks, made);
    return made;
  }

  /** The demo's visitors are signed in: the page asks for the key. */
  @Get('demo-key')
  key(@Res() response: Response): void {
    if (this.demoKey === null) throw nothingHere();
    response.setHeader('Cache-Control', 'no-store').json({ key: this.demoKey });
  }

  /** The demo's mails, which are files. As strict as a mail program: no script, nothing from elsewhere. */
  @Get('demo-mails/:id')
  async mail(@Param('id') id: string, @Res() response: Response): Promise<void> {
    const { folder } = this.config.mail;
    const path = folder === undefined || !/^[\w-]+$/.test(id) ? undefined : `${folder}/${id}.html`;
    const content = path === undefined ? undefined : await readFile(path, 'utf8').catch(() => undefined);
    if (content === undefined) throw nothingHere();
    response
      .set(
        policyHeaders({ defaultSrc: ["'none'"], styleSrc: ["'unsafe-inline'"], frameAncestors: ["'self'"] }),
      )
      .type('html')
      .setHeader('Cache-Control', 'no-store')
      .send(content);
  }

  @Get(':file')
  async file(@Param('file') name: string, @Req() request: Request, @Res() response: Response): Promise<void> {
    const file = this.files.get(name) ?? (await this.read(name));
    if (file === undefined) throw nothingHere();
    await file.send(request, response);
  }

  private async read(name: string): Promise<PublicFile | undefined> {
    const path = inProject(`dist/web/${name}`);
    const content = HASHED.test(name) ? await readFile(path).catch(() => undefined) : undefined;
    if (content === undefined) return undefined;
    const file = new PublicFile(content, extname(name), {
      ...this.headers,
      'Service-Worker-Allowed': '../fleet', // the page lies beside its folder, not in it
      'Cache-Control': 'public, max-age=31536000, immutable',
    });
    this.files.set(name, file);
    return file;
  }
}

/** For the opening tag of the page's body. */
function attribute(name: string, value: string | undefined): string {
  const escaped = value?.replaceAll('&', '&amp;').replaceAll('"', '&quot;');
  return escaped === undefined ? '' : ` ${name}="${escaped}"`;
}

const nothingHere = () => notFound('There is nothing at this address; the page is at /fleet.');
