// Lists: what turns the page or the rows that a handler returned into what the caller asked for.
import { Module } from '@nestjs/common';
import { APP_INTERCEPTOR } from '@nestjs/core';
import { RowsWriter } from '../formats/rows-writer.js';
import { PaginationInterceptor } from './pagination.interceptor.js';

@Module({ providers: [RowsWriter, { provide: APP_INTERCEPTOR, useClass: PaginationInterceptor }] })
export class PaginationModule {}
