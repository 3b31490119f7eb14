// Lists: what turns the page or the rows that a handler returned into what the caller asked for.
import { Module } from '@nestjs/common';
import { APP_INTERCEPTOR } from '@nestjs/core';
import { FormatsInterceptor } from '../formats/formats.interceptor.js';
import { PaginationInterceptor } from './pagination.interceptor.js';

@Module({
  providers: [
    { provide: APP_INTERCEPTOR, useClass: FormatsInterceptor }, // the first has the last word
    { provide: APP_INTERCEPTOR, useClass: PaginationInterceptor },
  ],
})
export class PaginationModule {}
