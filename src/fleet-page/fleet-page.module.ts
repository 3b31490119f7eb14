// The fleet page: what dispatchers look at.
import { Module, type DynamicModule } from '@nestjs/common';
import { DEMO_KEY, DemoKeyController, FleetPageController } from './fleet-page.controller.js';
import { FleetPageFiles } from './fleet-page.files.js';

@Module({})
export class FleetPageModule {
  static with(demoKey: string | undefined): DynamicModule {
    return {
      module: FleetPageModule,
      // The demo's own address comes before the one that takes any name.
      controllers: demoKey === undefined ? [FleetPageController] : [DemoKeyController, FleetPageController],
      providers: [FleetPageFiles, { provide: DEMO_KEY, useValue: demoKey ?? null }],
    };
  }
}
