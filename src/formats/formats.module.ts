// Formats: JSON, CSV and NDJSON by Accept.
import { Module } from '@nestjs/common';
import { APP_INTERCEPTOR } from '@nestjs/core';
import { FormatsInterceptor } from './formats.interceptor.js';

@Module({ providers: [{ provide: APP_INTERCEPTOR, useClass: FormatsInterceptor }] })
export class FormatsModule {}
