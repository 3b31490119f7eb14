// What an address answers is told from the routes there are, so that a new route is told by itself.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  All,
  Controller,
  Delete,
  Get,
  Module,
  Post,
  type MiddlewareConsumer,
  type NestModule,
} from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { AllowedMethods } from './allowed-methods.js';

@Controller('things')
class Things {
  @Get(':id')
  read(): string {
    return 'read';
  }

  @Delete(':id')
  remove(): string {
    return 'removed';
  }

  @Post()
  create(): string {
    return 'created';
  }
}

@Controller()
class Rest {
  @All('{*path}')
  answer(): string {
    return 'nothing';
  }
}

@Module({ controllers: [Things, Rest], providers: [AllowedMethods] })
class ThingsModule implements NestModule {
  configure(consumer: MiddlewareConsumer): void {
    consumer
      .apply((_request: unknown, _response: unknown, next: () => void) => next())
      .forRoutes(Things, 'x');
  }
}

describe('the methods of an address', () => {
  let app: NestExpressApplication;
  let allowedMethods: AllowedMethods;
  beforeAll(async () => {
    app = await NestFactory.create<NestExpressApplication>(ThingsModule, { logger: false });
    await app.init();
    allowedMethods = app.get(AllowedMethods);
  });
  afterAll(() => app.close());

  it.each([
    ['/things/1', ['GET', 'HEAD', 'DELETE', 'OPTIONS']],
    ['/things', ['POST', 'OPTIONS']],
    ['/THINGS/', ['POST', 'OPTIONS']],
    ['/things/1/2', []],
    ['/x', []],
    ['/', []],
  ])('of %s are %j', (path, methods) => {
    expect(allowedMethods.of(path)).toEqual(methods);
  });

  it('of all addresses are those of any', () => {
    expect(allowedMethods.ofAll()).toEqual(['GET', 'HEAD', 'POST', 'DELETE', 'OPTIONS']);
  });
});
