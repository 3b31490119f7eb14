// The background work and its metrics, inside the service and in a `worker` of its own.
import { Module, type DynamicModule } from '@nestjs/common';
import { Forecasting } from '../forecasts/forecasting.js';
import { NoticeWorker } from '../notices/notice-worker.js';
import { CONFIG, type Config } from '../platform/config/config.js';
import { MqttModule } from '../sensors/mqtt/mqtt.module.js';
import { DeliveryQueue } from '../webhooks/delivery-queue.js';
import { DeliveryWorker } from '../webhooks/delivery-worker.js';
import { SECRET_BOX } from '../webhooks/secrets.js';
import { Sender } from '../webhooks/send.js';
import { Background } from './background.js';
import { BackgroundMetrics } from './background-metrics.js';

const SENDER = {
  provide: Sender,
  inject: [CONFIG],
  useFactory: ({ webhooks }: Config) => new Sender(webhooks),
};

@Module({
  providers: [
    Background,
    Forecasting,
    NoticeWorker,
    DeliveryWorker,
    DeliveryQueue,
    SECRET_BOX,
    SENDER,
    BackgroundMetrics,
  ],
})
export class BackgroundModule {
  static with({ mqtt }: Config): DynamicModule {
    return { module: BackgroundModule, imports: mqtt === undefined ? [] : [MqttModule] };
  }
}
