// Webhook endpoints, and what is sent to them.
import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { SECRET_BOX } from './secrets.js';
import { WebhookDeliveriesService } from './webhook-deliveries.service.js';
import { WebhookEndpoint } from './webhook-endpoint.entity.js';
import { WebhookEndpointsController } from './webhook-endpoints.controller.js';
import { WebhookEndpointsService } from './webhook-endpoints.service.js';
import { WebhookTests } from './webhook-tests.js';

@Module({
  imports: [TypeOrmModule.forFeature([WebhookEndpoint])],
  controllers: [WebhookEndpointsController],
  providers: [WebhookEndpointsService, WebhookTests, WebhookDeliveriesService, SECRET_BOX],
})
export class WebhooksModule {}
