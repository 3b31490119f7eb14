// Changes of customers, tanks, sensors and profiles over HTTP: what all have in common.
import { Module } from '@nestjs/common';
import { ManagedWrites } from './managed-writes.js';

@Module({ providers: [ManagedWrites], exports: [ManagedWrites] })
export class ManageModule {}
