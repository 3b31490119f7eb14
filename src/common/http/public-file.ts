// A file that is public and the same for everybody: it is read, named by an ETag and compressed once, and then sent from memory. Anybody
// may ask for it as often as they like, so a request must cost next to nothing.
import type { Request, Response } from 'express';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { THRESHOLD_BYTES } from './compression.js';
import { createEtag } from './etag.js';

/** Smaller than the default by a tenth, for a third of a second of the largest file; the best takes eight seconds. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } };

/** The first that a caller accepts is sent. Node's threads compress, so the event loop goes on. */
const COMPRESS = {
  br: (bytes: Buffer) => promisify(brotliCompress)(bytes, BROTLI),
  gzip: (bytes: Buffer) => promisify(gzip)(bytes),
};
type Encoding = keyof typeof COMPRESS;

export class PublicFile {
  private readonly bytes: Buffer;
  private readonly etag: string;
  private readonly compressed = new Map<Encoding, Promise<Buffer>>();

  /** `type`: an extension or a media type. */
  constructor(
    content: string | Buffer,
    private readonly type: string,
    private readonly headers: Readonly<Record<string, string>> = {},
  ) {
    this.bytes = Buffer.from(content);
    this.etag = createEtag(this.bytes);
  }

  async send(request: Request, response: Response): Promise<void> {
    response.set(this.headers).setHeader('ETag', this.etag);
    if (request.fresh) {
      response.status(304).end();
      return;
    }
    const encoding = this.bytes.length < THRESHOLD_BYTES ? undefined : findEncoding(request);
    const bytes = encoding === undefined ? this.bytes : await this.compress(encoding);
    response.isEncoded = true;
    if (encoding !== undefined) response.setHeader('Content-Encoding', encoding);
    response.type(this.type).send(bytes);
  }

  /** Once, however many ask at the same time. */
  private compress(encoding: Encoding): Promise<Buffer> {
    const known = this.compressed.get(encoding) ?? COMPRESS[encoding](this.bytes);
    this.compressed.set(encoding, known);
    return known;
  }
}

function findEncoding(request: Request): Encoding | undefined {
  if (request.headers['accept-encoding'] === undefined) return undefined;
  return (['br', 'gzip'] as const).find((one) => request.acceptsEncodings(one) === one);
}
