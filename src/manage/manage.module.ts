// Changes of customers and tanks over HTTP: what both have in common.
import { Module } from '@nestjs/common';
import { BodiesModule } from '../bodies/bodies.module.js';
import { ManagedWrites } from './managed-writes.js';

@Module({ imports: [BodiesModule], providers: [ManagedWrites], exports: [BodiesModule, ManagedWrites] })
export class ManageModule {}
