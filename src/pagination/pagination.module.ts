// Lists: the interceptor that builds their envelope.
import { Module } from '@nestjs/common';
import { APP_INTERCEPTOR } from '@nestjs/core';
import { PaginationInterceptor } from './pagination.interceptor.js';

@Module({
  providers: [{ provide: APP_INTERCEPTOR, useClass: PaginationInterceptor }],
})
export class PaginationModule {}
