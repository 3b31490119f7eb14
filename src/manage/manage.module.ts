// Changes of customers and tanks over HTTP: what both have in common.
import { Module } from '@nestjs/common';
import { BodiesModule } from '../bodies/bodies.module.js';
import { ObjectWrites } from './object-writes.js';

@Module({ imports: [BodiesModule], providers: [ObjectWrites], exports: [ObjectWrites] })
export class ManageModule {}
