// Webhook endpoints: what changes them, and what reads them.
import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Customer } from '../customers/customer.entity.js';
import { CONFIG, type Config } from '../platform/config/config.js';
import { DeliveryLog, EndpointRegister } from './endpoint-register.js';
import { EndpointReads } from './endpoint-reads.js';
import { Endpoints } from './endpoints.js';
import { SecretBox } from './secrets.js';
import { WebhookEndpoint } from './webhook-endpoint.entity.js';
import { WebhookEndpointsController } from './webhook-endpoints.controller.js';

/** For the service and for the operator's commands. */
@Module({
  imports: [TypeOrmModule.forFeature([WebhookEndpoint, Customer])],
  providers: [
    Endpoints,
    {
      provide: SecretBox,
      inject: [CONFIG],
      useFactory: ({ webhooks }: Config) => new SecretBox(webhooks.secretKeys),
    },
  ],
  exports: [Endpoints, SecretBox, TypeOrmModule],
})
class WebhooksModule {}

@Module({ imports: [WebhooksModule], controllers: [WebhookEndpointsController], providers: [EndpointReads] })
export class WebhookEndpointsModule {}

@Module({
  imports: [WebhooksModule],
  providers: [EndpointRegister, DeliveryLog],
  exports: [WebhooksModule, EndpointRegister, DeliveryLog],
})
export class WebhookAdminModule {}
