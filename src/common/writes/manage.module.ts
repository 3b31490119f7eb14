// Changes of customers, tanks, sensors and profiles over HTTP: what all have in common.
import { Global, Module } from '@nestjs/common';
import { ManagedWrites } from './managed-writes.js';

@Global()
@Module({ providers: [ManagedWrites], exports: [ManagedWrites] })
export class ManageModule {}
