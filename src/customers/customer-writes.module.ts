// Changes of customers over HTTP. Left out where nothing is written.
import { Module } from '@nestjs/common';
import { ManageModule } from '../common/writes/manage.module.js';
import { CustomersModule } from './customers.module.js';
import { CustomerWritesController } from './customer-writes.controller.js';

@Module({ imports: [ManageModule, CustomersModule], controllers: [CustomerWritesController] })
export class CustomerWritesModule {}
