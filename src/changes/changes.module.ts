// The feed of changes: the endpoint, and who waits for what comes next. The background work places them (background/background.ts).
import { Module } from '@nestjs/common';
import { AlertsModule } from '../alerts/alerts.module.js';
import { AuthModule } from '../common/auth/auth.module.js';
import { CustomersModule } from '../customers/customers.module.js';
import { TanksModule } from '../tanks/tanks.module.js';
import { ChangeWatch } from './change-watch.js';
import { ChangesController } from './changes.controller.js';
import { ChangesService } from './changes.service.js';

@Module({
  imports: [AuthModule, CustomersModule, TanksModule, AlertsModule],
  controllers: [ChangesController],
  providers: [ChangesService, ChangeWatch],
})
export class ChangesModule {}
