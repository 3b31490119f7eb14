// Webhooks, for the operator's commands: which there are, and what was sent to each.
import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { CONFIG } from '../platform/config/config.module.js';
import type { Config } from '../platform/config/config.js';
import { Customer } from '../customers/customer.entity.js';
import { DeliveryLog } from './delivery-log.js';
import { Endpoints } from './endpoints.js';
import { SecretBox } from './secrets.js';
import { WebhookEndpoint } from './webhook-endpoint.entity.js';

@Module({
  imports: [TypeOrmModule.forFeature([WebhookEndpoint, Customer])],
  providers: [
    Endpoints,
    DeliveryLog,
    {
      provide: SecretBox,
      inject: [CONFIG],
      useFactory: ({ webhooks }: Config) => new SecretBox(webhooks.secretKeys),
    },
  ],
  exports: [Endpoints, DeliveryLog],
})
export class WebhooksModule {}
