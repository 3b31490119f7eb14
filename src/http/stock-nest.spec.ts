// Stock behaviour stays stock: a small ordinary Nest module answers on our adapter as it does on Nest's own, byte for byte.
// Whatever is done for speed here must not be noticed by whoever adds what Nest's manual shows.
import { beforeAll, describe, expect, it } from '@jest/globals';
import {
  BadRequestException,
  Body,
  Catch,
  Controller,
  Get,
  Header,
  HttpCode,
  HttpException,
  Injectable,
  Module,
  NotFoundException,
  Param,
  Post,
  Query,
  Redirect,
  RequestMethod,
  Res,
  Sse,
  StreamableFile,
  UseFilters,
  UseGuards,
  UseInterceptors,
  VersioningType,
  type ArgumentsHost,
  type CallHandler,
  type CanActivate,
  type ExceptionFilter,
  type ExecutionContext,
  type MessageEvent,
  type MiddlewareConsumer,
  type NestInterceptor,
  type NestMiddleware,
  type NestModule,
} from '@nestjs/common';
import { APP_INTERCEPTOR, HttpAdapterHost, NestFactory } from '@nestjs/core';
import type { ExpressAdapter, NestExpressApplication } from '@nestjs/platform-express';
import type { NextFunction, Request, Response } from 'express';
import { request, type IncomingHttpHeaders } from 'node:http';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { catchError, delay, from, map, of, throwError, type Observable } from 'rxjs';
import { createApp } from './create-app.js';
import { ServiceAdapter } from './service-adapter.js';

@Injectable()
class ClassMiddleware implements NestMiddleware {
  use(asked: Request, response: Response, next: NextFunction): void {
    response.setHeader('X-Class-Middleware', asked.originalUrl);
    next();
  }
}

function functionalMiddleware(asked: Request, response: Response, next: NextFunction): void {
  response.setHeader('X-Functional-Middleware', asked.baseUrl + asked.url);
  if (asked.query['refuse'] === undefined) next();
  else next(new BadRequestException('refused by a middleware'));
}

/** Global, as the pagination interceptor is. */
@Injectable()
class GlobalInterceptor implements NestInterceptor {
  intercept(_: ExecutionContext, next: CallHandler<unknown>): Observable<unknown> {
    return next.handle();
  }
}

/** Its transform() is its own affair. */
class WithTransform implements NestInterceptor {
  intercept(_: ExecutionContext, next: CallHandler<unknown>): Observable<unknown> {
    return next.handle().pipe(map((value) => ({ intercepted: value })));
  }

  transform(): never {
    throw new Error('Nobody but this interceptor may call this.');
  }
}

class Catching implements NestInterceptor {
  intercept(_: ExecutionContext, next: CallHandler<unknown>): Observable<unknown> {
    return next.handle().pipe(catchError((error: Error) => of({ caught: error.message })));
  }
}

class Answering implements NestInterceptor {
  intercept(): Observable<unknown> {
    return of({ answered: 'without the handler' });
  }
}

class Refusing implements CanActivate {
  canActivate(): Observable<boolean> {
    return of(false);
  }
}

@Catch(HttpException)
class OwnFilter implements ExceptionFilter<HttpException> {
  catch(error: HttpException, host: ArgumentsHost): void {
    host.switchToHttp().getResponse<Response>().status(418).json({ filtered: error.message });
  }
}

@Controller({ path: 'values', version: '1' })
class Values {
  @Get('object')
  object(): object {
    return { name: 'é', nested: [1, null, true], left_out: undefined, at: new Date(0) };
  }
  @Get('array')
  array(): unknown[] {
    return [{ a: 1 }, 'b'];
  }
  @Get('text')
  text(): string {
    return '<p>a text</p>';
  }
  @Get('number')
  number(): number {
    return 42;
  }
  @Get('null')
  nothing(): null {
    return null;
  }
  @Get('undefined')
  undefined(): void {}
  @Get('promise')
  promise(): Promise<object> {
    return Promise.resolve({ promised: true });
  }
  @Get('observable')
  observable(): Observable<object> {
    return of({ observed: true });
  }
  @Get('observables')
  observables(): Observable<number> {
    return from([1, 2, 3]).pipe(delay(1));
  }
  @Get('promised-observable')
  promisedObservable(): Promise<Observable<object>> {
    return Promise.resolve(of({ observed: 'later' }));
  }
  @Get('failing-observable')
  failingObservable(): Observable<never> {
    return throwError(() => new NotFoundException('not observed'));
  }
  @Get('parameters/:id')
  parameters(@Param('id') id: string, @Query() query: object): object {
    return { id, query };
  }
  @Post('created')
  created(@Body() body: unknown): object {
    return { body: body ?? null };
  }
  @Post('accepted')
  @HttpCode(202)
  accepted(): object {
    return { accepted: true };
  }
}

@Controller({ path: 'headers', version: '1' })
class Headers {
  @Get('json-type')
  @Header('Content-Type', 'application/vnd.example+json')
  jsonType(): object {
    return { own: 'type' };
  }
  @Get('csv-type')
  @Header('Content-Type', 'text/csv')
  @Header('Cache-Control', 'no-store')
  csvType(): string {
    return 'a,b\n1,2\n';
  }
  @Get('object-as-text')
  @Header('Content-Type', 'text/plain')
  objectAsText(): object {
    return { json: true };
  }
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
  @Get('dynamic-redirect')
  @Redirect('/v1/values/object')
  dynamicRedirect(): object {
    return { url: '/v1/values/array', statusCode: 307 };
  }
}

@Controller({ path: 'streams', version: '1' })
class Streams {
  @Get('file')
  file(): StreamableFile {
    return new StreamableFile(Buffer.from('some bytes'), { type: 'text/plain', disposition: 'inline' });
  }
  @Get('stream')
  @Header('Content-Type', 'application/x-ndjson')
  stream(): StreamableFile {
    return new StreamableFile(Readable.from(['{"a":1}\n', '{"a":2}\n']));
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

@Controller({ path: 'failures', version: '1' })
class Failures {
  @Get('http')
  http(): never {
    throw new NotFoundException('not here');
  }
  @Get('custom')
  custom(): never {
    throw new HttpException({ own: 'body' }, 409);
  }
  @Get('defect')
  defect(): never {
    throw new Error('a secret');
  }
  @Get('late')
  async late(): Promise<never> {
    await Promise.resolve();
    throw new BadRequestException(['one', 'two']);
  }
  @Get('filtered')
  @UseFilters(OwnFilter)
  filtered(): never {
    throw new BadRequestException('for the filter');
  }
  @Get('typed')
  @Header('Content-Type', 'text/csv')
  typed(): never {
    throw new BadRequestException('JSON all the same');
  }
  @Get('forbidden')
  @UseGuards(Refusing)
  forbidden(): string {
    return 'never';
  }
}

@Controller({ path: 'interceptors', version: '1' })
class Interceptors {
  @Get('transform')
  @UseInterceptors(WithTransform)
  transform(): object {
    return { value: 1 };
  }
  @Get('transform-observable')
  @UseInterceptors(WithTransform, WithTransform)
  transformObservable(): Observable<number> {
    return of(1);
  }
  @Get('catching')
  @UseInterceptors(Catching)
  catching(): never {
    throw new Error('an error');
  }
  @Get('answering')
  @UseInterceptors(WithTransform, Answering)
  answering(): never {
    throw new Error('never called');
  }
}

@Module({
  controllers: [Values, Headers, Streams, Failures, Interceptors],
  providers: [{ provide: APP_INTERCEPTOR, useClass: GlobalInterceptor }],
})
class OrdinaryModule implements NestModule {
  configure(consumer: MiddlewareConsumer): void {
    consumer
      .apply(functionalMiddleware, ClassMiddleware)
      .forRoutes({ path: 'values/*path', version: '1', method: RequestMethod.ALL });
    consumer.apply(ClassMiddleware).exclude('v1/interceptors/catching').forRoutes(Interceptors);
  }
}

interface Question {
  readonly method: string;
  readonly path: string;
  readonly headers?: Record<string, string>;
}

interface Answer {
  readonly status: number | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

const PATHS = [
  '/v1/values/object',
  '/v1/values/array',
  '/v1/values/text',
  '/v1/values/number',
  '/v1/values/null',
  '/v1/values/undefined',
  '/v1/values/promise',
  '/v1/values/observable',
  '/v1/values/observables',
  '/v1/values/promised-observable',
  '/v1/values/failing-observable',
  '/v1/values/parameters/a%20b?x=1&y[]=2',
  '/v1/values/object?refuse',
  '/v1/headers/json-type',
  '/v1/headers/csv-type',
  '/v1/headers/object-as-text',
  '/v1/headers/own-etag',
  '/v1/headers/passthrough',
  '/v1/headers/redirect',
  '/v1/headers/dynamic-redirect',
  '/v1/streams/file',
  '/v1/streams/stream',
  '/v1/streams/failing',
  '/v1/streams/by-hand',
  '/v1/streams/piped',
  '/v1/streams/events',
  '/v1/failures/http',
  '/v1/failures/custom',
  '/v1/failures/defect',
  '/v1/failures/late',
  '/v1/failures/filtered',
  '/v1/failures/typed',
  '/v1/failures/forbidden',
  '/v1/interceptors/transform',
  '/v1/interceptors/transform-observable',
  '/v1/interceptors/catching',
  '/v1/interceptors/answering',
  '/v1/nowhere',
  '/v1/values/%E0%A4%A',
];

const QUESTIONS: readonly Question[] = [
  ...PATHS.flatMap((path) => ['GET', 'HEAD'].map((method) => ({ method, path }))),
  ...['created', 'accepted', 'object'].flatMap((name) =>
    ['POST', 'OPTIONS'].map((method) => ({ method, path: `/v1/values/${name}` })),
  ),
  ...['"another"', '*', 'W/"44-UMO8EXntZgzS/Lgm06lzvBjwKSA"'].map((tag) => ({
    method: 'GET',
    path: '/v1/values/object',
    headers: { 'if-none-match': tag },
  })),
];

const nameOf = ({ method, path, headers }: Question): string =>
  `${method} ${path}${headers === undefined ? '' : ` ${JSON.stringify(headers)}`}`;

/** What the application says to all the questions. */
async function answersOf(app: NestExpressApplication): Promise<Map<string, Answer>> {
  app.enableVersioning({ type: VersioningType.URI });
  // A layer of Express's own, as any middleware from npm.
  app.use('/v1/failures', (_: Request, response: Response, next: NextFunction) => {
    response.setHeader('X-Express-Middleware', 'ran');
    next();
  });
  const adapter = app.get(HttpAdapterHost<ExpressAdapter>).httpAdapter;
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

function ask(url: string, { method, path, headers }: Question): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const asked = request(
      `${url}${path}`,
      { method, headers: { ...headers, connection: 'close' } },
      (response) => {
        const { date: _, ...rest } = response.headers;
        text(response).then((body) => resolve({ status: response.statusCode, headers: rest, body }), reject);
      },
    );
    asked.once('error', reject);
    asked.end();
  });
}

describe('an ordinary Nest module', () => {
  let stock: ReadonlyMap<string, Answer>;
  let ours: ReadonlyMap<string, Answer>;
  beforeAll(async () => {
    // Stock Nest is asked while it still is stock.
    stock = await answersOf(
      await NestFactory.create<NestExpressApplication>(OrdinaryModule, { logger: false }),
    );
    ours = await answersOf(await createApp(OrdinaryModule, new ServiceAdapter(), { logger: false }));
  });

  it.each(QUESTIONS.map(nameOf))('answers as on the stock adapter: %s', (question) => {
    expect(ours.get(question)).toEqual(stock.get(question));
  });

  it('is asked what it was meant to be asked', () => {
    const statuses = [...stock.values()].map(({ status }) => status);
    expect(new Set(statuses)).toEqual(
      new Set([200, 201, 202, 203, 206, 301, 304, 307, 400, 403, 404, 409, 418, 500]),
    );
    expect(stock.get('GET /v1/values/object')?.headers).toMatchObject({
      'x-request-hook': 'ran',
      'x-functional-middleware': '/v1/values/object',
      'x-class-middleware': '/v1/values/object',
    });
    expect(stock.get('GET /v1/interceptors/transform')?.body).toBe('{"intercepted":{"value":1}}');
  });
});
