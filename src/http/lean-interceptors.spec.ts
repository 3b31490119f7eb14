// Interceptors that only change a value are called without rxjs; all others must notice no difference, and neither may a caller.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  Controller,
  Get,
  Module,
  UseInterceptors,
  type CallHandler,
  type ExecutionContext,
} from '@nestjs/common';
import type { NestInterceptor } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { catchError, map, of, type Observable } from 'rxjs';
import { CHANGES_VALUE, runInterceptorsLean, type ValueInterceptor } from './lean-interceptors.js';

class Transforming implements ValueInterceptor {
  constructor(private readonly name: string) {}

  /** Never called: that is the point. */
  intercept(): Observable<unknown> {
    throw new Error('run through rxjs');
  }

  [CHANGES_VALUE](value: unknown, context: ExecutionContext): unknown {
    return { [this.name]: value, handler: context.getHandler().name };
  }
}

class Ordinary implements NestInterceptor {
  intercept(_: ExecutionContext, next: CallHandler<unknown>): Observable<unknown> {
    return next.handle().pipe(
      map((value) => ({ ordinary: value })),
      catchError((error: Error) => of({ caught: error.message })),
    );
  }
}

class Mixed extends Ordinary implements ValueInterceptor {
  [CHANGES_VALUE](value: unknown): unknown {
    return { ordinary: value };
  }
}

@Controller()
class Answers {
  @Get('transformed')
  @UseInterceptors(new Transforming('outer'), new Transforming('inner'))
  transformed(): string {
    return 'answer';
  }

  @Get('observed')
  @UseInterceptors(new Transforming('outer'), new Transforming('inner'))
  observed(): Observable<string> {
    return of('answer');
  }

  @Get('ordinary')
  @UseInterceptors(Ordinary)
  ordinary(): string {
    throw new Error('an error');
  }

  @Get('mixed')
  @UseInterceptors(Ordinary, Mixed)
  mixed(): Promise<string> {
    return Promise.resolve('answer');
  }
}

@Module({ controllers: [Answers] })
class AnswersModule {}

describe('interceptors', () => {
  let app: NestExpressApplication;
  beforeAll(async () => {
    runInterceptorsLean();
    app = await NestFactory.create<NestExpressApplication>(AnswersModule, { logger: false });
    await app.listen(0, '127.0.0.1');
  });
  afterAll(() => app.close());

  const ask = async (path: string): Promise<unknown> => (await fetch(`${await app.getUrl()}/${path}`)).json();

  it('are called with the value, innermost first, when all of them only transform', async () => {
    expect(await ask('transformed')).toEqual({
      outer: { inner: 'answer', handler: 'transformed' },
      handler: 'transformed',
    });
  });

  it('are called with what an Observable brings', async () => {
    expect(await ask('observed')).toEqual({
      outer: { inner: 'answer', handler: 'observed' },
      handler: 'observed',
    });
  });

  it('run as Nest runs them when they handle the stream themselves', async () => {
    expect(await ask('ordinary')).toEqual({ caught: 'an error' });
  });

  it('run as Nest runs them when only some of them transform', async () => {
    expect(await ask('mixed')).toEqual({ ordinary: { ordinary: 'answer' } });
  });
});
