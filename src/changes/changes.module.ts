// The feed of changes: the endpoint, and who waits for what comes next. The background work places them (alerts/background.ts).
import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AlertsModule } from '../alerts/alerts.module.js';
import { AuthModule } from '../auth/auth.module.js';
import { CustomersModule } from '../customers/customers.module.js';
import { TanksModule } from '../tanks/tanks.module.js';
import { ChangeWatch } from './change-watch.js';
import { Change, ChangeNote } from './change.entity.js';
import { ChangesController } from './changes.controller.js';
import { ChangesService } from './changes.service.js';

@Module({
  imports: [
    TypeOrmModule.forFeature([ChangeNote, Change]),
    AuthModule,
    CustomersModule,
    TanksModule,
    AlertsModule,
  ],
  controllers: [ChangesController],
  providers: [ChangesService, ChangeWatch],
})
export class ChangesModule {}
