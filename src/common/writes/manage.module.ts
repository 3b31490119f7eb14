// Changes of customers, tanks, sensors and profiles over HTTP: what all have in common.
import { Module } from '@nestjs/common';
import { BodiesModule } from '../bodies/bodies.module.js';
import { ManagedWrites } from './managed-writes.js';

@Module({ imports: [BodiesModule], providers: [ManagedWrites], exports: [BodiesModule, ManagedWrites] })
export class ManageModule {}
