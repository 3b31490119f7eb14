// The fleet page: what dispatchers look at.
import { Module, type DynamicModule } from '@nestjs/common';
import { DEMO_KEY, FleetPageController } from './fleet-page.controller.js';

@Module({})
export class FleetPageModule {
  static with(demoKey: string | undefined): DynamicModule {
    return {
      module: FleetPageModule,
      controllers: [FleetPageController],
      providers: [{ provide: DEMO_KEY, useValue: demoKey ?? null }],
    };
  }
}
