// Lists: the pipe that reads their parameters and the interceptor that builds their envelope.
import { Module } from '@nestjs/common';
import { APP_INTERCEPTOR, APP_PIPE } from '@nestjs/core';
import { ListQueryPipe } from './list-query.pipe.js';
import { PaginationInterceptor } from './pagination.interceptor.js';

@Module({
  providers: [
    { provide: APP_PIPE, useClass: ListQueryPipe },
    { provide: APP_INTERCEPTOR, useClass: PaginationInterceptor },
  ],
})
export class PaginationModule {}
