// Serves the fleet page: open to everyone, since it holds no data; it gets them from the API with the visitor's key.
import { Controller, Get, Inject, Param, Req, Res, VERSION_NEUTRAL } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { extname } from 'node:path';
import { Public } from '../auth/public.decorator.js';
import type { Config } from '../config/config.js';
import { CONFIG } from '../config/config.module.js';
import { policyHeaders } from '../http/security-headers.js';
import { notFound } from '../problems/problem.js';
import { FleetPageFiles } from './fleet-page.files.js';

export const DEMO_KEY = Symbol('the demo key, or null outside the demo');

/** Stricter than for Swagger UI: nothing inline, nothing from elsewhere, and no script made of text. */
const PAGE_HEADERS = policyHeaders({
  defaultSrc: ["'none'"],
  connectSrc: ["'self'"],
  imgSrc: ["'self'"],
  scriptSrc: ["'self'"],
  styleSrc: ["'self'"],
  baseUri: ["'none'"],
  formAction: ["'none'"],
  frameAncestors: ["'none'"],
  requireTrustedTypesFor: ["'script'"],
  trustedTypes: ["'none'"],
});

@ApiExcludeController()
@Public()
@Controller({ path: 'fleet', version: VERSION_NEUTRAL })
export class FleetPageController {
  constructor(
    private readonly files: FleetPageFiles,
    @Inject(DEMO_KEY) private readonly demoKey: string | null,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  @Get()
  async page(@Req() request: Request, @Res() response: Response): Promise<void> {
    const [path = '', query] = request.originalUrl.split('?', 2);
    // The page's links are relative to /fleet, so that it works below any prefix a proxy may add.
    if (path.endsWith('/')) return response.redirect(`../fleet${query === undefined ? '' : `?${query}`}`);
    const marks = [
      this.demoKey === null ? '' : ' data-demo',
      this.config.ingest.isOn ? '' : ' data-read-only', // nothing can be changed, whatever the key may
    ];
    const page = await this.files.page();
    response
      .set(PAGE_HEADERS)
      .type('html')
      .setHeader('Cache-Control', 'no-cache')
      .send(page.replace('<body>', `<body${marks.join('')}>`));
  }

  @Get(':file')
  async file(@Param('file') name: string, @Res() response: Response): Promise<void> {
    const content = await this.files.hashed(name);
    if (content === undefined) throw notFound('There is nothing at this address; the page is at /fleet.');
    response
      .set(PAGE_HEADERS)
      .type(extname(name))
      .setHeader('Cache-Control', 'public, max-age=31536000, immutable')
      .send(content);
  }
}

/** The demo's visitors are signed in: the page asks for the key. Registered in the demo only. */
@ApiExcludeController()
@Public()
@Controller({ path: 'fleet', version: VERSION_NEUTRAL })
export class DemoKeyController {
  constructor(@Inject(DEMO_KEY) private readonly demoKey: string) {}

  @Get('demo-key')
  answer(@Res() response: Response): void {
    response.setHeader('Cache-Control', 'no-store').json({ key: this.demoKey });
  }
}
