// Removing readings over HTTP. Left out where nothing is written.
import { Module } from '@nestjs/common';
import { ManageModule } from '../common/writes/manage.module.js';
import { DeletionController } from './deletion.controller.js';
import { DeletionService } from './deletion.service.js';

@Module({ imports: [ManageModule], controllers: [DeletionController], providers: [DeletionService] })
export class DeletionModule {}
