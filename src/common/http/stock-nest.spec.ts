// Stock behaviour stays stock: a small ordinary Nest module answers on our adapter as it does on Nest's own, byte for byte.
// What is compared is what a request or response object with another birth could change: their methods, streams and events.
import { beforeAll, describe, expect, it } from '@jest/globals';
import {
  Body,
  Controller,
  Get,
  Header,
  Injectable,
  Module,
  NotFoundException,
  Param,
  ParseIntPipe,
  Post,
  Query,
  Redirect,
  Res,
  Sse,
  StreamableFile,
  UseInterceptors,
  UsePipes,
  ValidationPipe,
  VersioningType,
  type CallHandler,
  type ExecutionContext,
  type MessageEvent,
  type MiddlewareConsumer,
  type NestInterceptor,
  type NestModule,
} from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { ExpressAdapter, type NestExpressApplication } from '@nestjs/platform-express';
import { Type } from 'class-transformer';
import { IsInt, IsString } from 'class-validator';
import type { NextFunction, Request, Response } from 'express';
import { request, type IncomingHttpHeaders } from 'node:http';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { from, map, of, type Observable } from 'rxjs';
import { ServiceAdapter } from './service-adapter.js';

@Controller({ path: 'values', version: '1' })
class Values {
  @Get('object')
  object(): object {
    return { name: 'é', nested: [1, null, true], left_out: undefined, at: new Date(0) };
  }
  @Get('text')
  text(): string {
    return '<p>a text</p>';
  }
  @Get('undefined')
  undefined(): void {}
  @Get('parameters/:id')
  parameters(@Param('id') id: string, @Query() query: object): object {
    return { id, query };
  }
  @Post('created')
  created(@Body() body: unknown): object {
    return { body: body ?? null };
  }
  @Get('missing')
  missing(): never {
    throw new NotFoundException('not here');
  }
  @Get('defect')
  defect(): never {
    throw new Error('a secret');
  }
}

class NewThing {
  @IsString()
  name = '';
  @Type(() => Number)
  @IsInt()
  count = 0;
}

/** As Nest's manual has it. */
@Injectable()
class Wrapping implements NestInterceptor {
  intercept(_context: ExecutionContext, next: CallHandler<unknown>): Observable<object> {
    return next.handle().pipe(map((data) => ({ data })));
  }
}

@Controller({ path: 'verbs', version: '1' })
class Verbs {
  @Get('intercepted')
  @UseInterceptors(Wrapping)
  intercepted(): object {
    return { plain: true };
  }
  @Get('piped/:count')
  piped(@Param('count', ParseIntPipe) count: number): object {
    return { next: count + 1 };
  }
  @Post('validated')
  @UsePipes(new ValidationPipe({ transform: true, whitelist: true }))
  validated(@Body() body: NewThing): object {
    return { sent: body, isInstance: body instanceof NewThing };
  }
  @Get('observable')
  observable(): Observable<object> {
    return of({ first: true }, { last: true });
  }
}

@Controller({ path: 'headers', version: '1' })
class Headers {
  @Get('own-etag')
  @Header('ETag', '"own"')
  ownEtag(): object {
    return { tagged: true };
  }
  @Get('passthrough')
  passthrough(@Res({ passthrough: true }) response: Response): object {
    response.status(203).setHeader('X-Passed', 'through');
    return { passed: true };
  }
  @Get('redirect')
  @Redirect('/v1/values/object', 301)
  redirect(): void {}
}

@Controller({ path: 'streams', version: '1' })
class Streams {
  @Get('file')
  file(): StreamableFile {
    return new StreamableFile(Buffer.from('some bytes'), { type: 'text/plain', disposition: 'inline' });
  }
  @Get('failing')
  failing(): StreamableFile {
    return new StreamableFile(
      new Readable({
        read: (): never => {
          throw new Error('no such file');
        },
      }),
    );
  }
  @Get('by-hand')
  byHand(@Res() response: Response): void {
    response.status(206).type('text').write('by ');
    response.end('hand');
  }
  @Get('piped')
  piped(@Res() response: Response): void {
    Readable.from(['pi', 'ped']).pipe(response);
  }
  @Sse('events')
  events(): Observable<MessageEvent> {
    return from([{ data: 'one' }, { data: { two: 2 } }]);
  }
}

@Module({ controllers: [Values, Verbs, Headers, Streams] })
class OrdinaryModule implements NestModule {
  configure(consumer: MiddlewareConsumer): void {
    consumer
      .apply((asked: Request, response: Response, next: NextFunction) => {
        response.setHeader('X-Middleware', `${asked.baseUrl}${asked.url} ${asked.originalUrl} ${asked.ip}`);
        next();
      })
      .forRoutes(Values);
  }
}

interface Question {
  readonly method: string;
  readonly path: string;
  readonly headers?: Record<string, string>;
  readonly body?: string;
}

interface Answer {
  readonly status: number | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

const PATHS = [
  '/v1/values/object',
  '/v1/values/text',
  '/v1/values/undefined',
  '/v1/values/parameters/a%20b?x=1&y[]=2',
  '/v1/values/missing',
  '/v1/values/defect',
  '/v1/verbs/intercepted',
  '/v1/verbs/piped/41',
  '/v1/verbs/piped/x',
  '/v1/verbs/observable',
  '/v1/headers/own-etag',
  '/v1/headers/passthrough',
  '/v1/headers/redirect',
  '/v1/streams/file',
  '/v1/streams/failing',
  '/v1/streams/by-hand',
  '/v1/streams/piped',
  '/v1/streams/events',
  '/v1/nowhere',
  '/v1/values/%E0%A4%A',
];

const QUESTIONS: readonly Question[] = [
  ...PATHS.flatMap((path) => ['GET', 'HEAD'].map((method) => ({ method, path }))),
  ...['POST', 'OPTIONS'].map((method) => ({ method, path: '/v1/values/created' })),
  ...['{"name":"a","count":"2","other":1}', '{"name":1}', '{"name":'].map((body) => ({
    method: 'POST',
    path: '/v1/verbs/validated',
    body,
  })),
  ...['"another"', '*', 'W/"44-UMO8EXntZgzS/Lgm06lzvBjwKSA"'].map((tag) => ({
    method: 'GET',
    path: '/v1/values/object',
    headers: { 'if-none-match': tag },
  })),
];

const nameOf = ({ method, path, headers, body }: Question): string =>
  [method, path, ...(headers === undefined ? [] : [JSON.stringify(headers)]), body ?? ''].join(' ').trim();

/** What the module answers to all the questions on this adapter. */
async function answersOn(adapter: ExpressAdapter): Promise<Map<string, Answer>> {
  const app = await NestFactory.create<NestExpressApplication>(OrdinaryModule, adapter, { logger: false });
  app.enableVersioning({ type: VersioningType.URI });
  // A layer of Express's own, as any middleware from npm.
  app.use('/v1/headers', (_: Request, response: Response, next: NextFunction) => {
    response.setHeader('X-Express-Middleware', 'ran');
    next();
  });
  adapter.setOnRequestHook((_, response, done) => {
    response.setHeader('X-Request-Hook', 'ran');
    done();
  });
  await app.listen(0, '127.0.0.1');
  const url = await app.getUrl();
  const answers = new Map<string, Answer>();
  for (const question of QUESTIONS) answers.set(nameOf(question), await ask(url, question));
  await app.close();
  return answers;
}

function ask(url: string, { method, path, headers, body = '{"sent":true}' }: Question): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const asked = request(
      `${url}${path}`,
      { method, headers: { ...headers, 'content-type': 'application/json', connection: 'close' } },
      (response) => {
        const { date: _, ...rest } = response.headers;
        text(response).then(
          (got) => resolve({ status: response.statusCode, headers: rest, body: got }),
          reject,
        );
      },
    );
    asked.once('error', reject);
    asked.end(method === 'POST' ? body : undefined);
  });
}

describe('an ordinary Nest module', () => {
  let stock: ReadonlyMap<string, Answer>;
  let ours: ReadonlyMap<string, Answer>;
  beforeAll(async () => {
    stock = await answersOn(new ExpressAdapter());
    ours = await answersOn(new ServiceAdapter());
  });

  it.each(QUESTIONS.map(nameOf))('answers as on the stock adapter: %s', (question) => {
    expect(ours.get(question)).toEqual(stock.get(question));
  });

  it('is asked what it was meant to be asked', () => {
    const statuses = [...stock.values()].map(({ status }) => status);
    expect(new Set(statuses)).toEqual(new Set([200, 201, 203, 206, 301, 304, 400, 404, 500]));
    expect(stock.get('GET /v1/values/object')?.headers).toMatchObject({
      'x-request-hook': 'ran',
      'x-middleware': '/v1/values/object /v1/values/object 127.0.0.1',
    });
    expect(stock.get('POST /v1/values/created')?.body).toBe('{"body":{"sent":true}}');
    const bodiesOf = (start: string) =>
      [...stock].flatMap(([name, { body }]) => (name.startsWith(start) ? [body] : []));
    expect(bodiesOf('GET /v1/verbs').slice(0, 2)).toEqual(['{"data":{"plain":true}}', '{"next":42}']);
    expect(bodiesOf('GET /v1/verbs/observable')).toEqual(['{"last":true}']);
    expect(bodiesOf('POST /v1/verbs')[0]).toBe('{"sent":{"name":"a","count":2},"isInstance":true}');
  });
});
