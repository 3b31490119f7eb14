// Changes of customers and tanks over HTTP: what both have in common.
import { Module } from '@nestjs/common';
import { BodiesModule } from '../bodies/bodies.module.js';
import { ChangeLog } from './change-log.js';

@Module({ imports: [BodiesModule], providers: [ChangeLog], exports: [BodiesModule, ChangeLog] })
export class ManageModule {}
