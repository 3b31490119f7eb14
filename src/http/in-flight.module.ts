// The requests in flight, for whoever needs to give one more time.
import { Module } from '@nestjs/common';
import { InFlight } from './in-flight.js';

@Module({ providers: [InFlight], exports: [InFlight] })
export class InFlightModule {}
