// A Nest application on our adapter: what stands between stock Nest and the service is put together here.
import type { NestApplicationOptions } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { runInterceptorsLean } from './lean-interceptors.js';
import type { ServiceAdapter } from './service-adapter.js';

type RootModule = Parameters<typeof NestFactory.create>[0];

export function createApp(
  rootModule: RootModule,
  adapter: ServiceAdapter,
  options: NestApplicationOptions,
): Promise<NestExpressApplication> {
  runInterceptorsLean();
  return NestFactory.create<NestExpressApplication>(rootModule, adapter, options);
}
