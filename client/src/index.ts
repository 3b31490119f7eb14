// What programs import.
export type { Batcher, BatcherOptions } from './batcher.js';
export type { FollowOptions } from './changes.js';
export { etagOf, ifUnchanged } from './json.js';
export type { PutOptions, WriteOptions } from './objects.js';
export { ConnectionError, ProblemError, type ProblemDetail } from './problem.js';
export { ReadingsRefusedError, type RefusedReading, type SendOptions, type SendProgress } from './send.js';
export { TankMonitoring, type Address } from './tank-monitoring.js';
export type { ClientOptions, RequestOptions } from './transport.js';
export type * from './types.js';
export type { GenericUplink, RetryUplinks } from './uplinks.js';
export { verifyWebhook, WebhookVerificationError, type WebhookHeaders } from './webhook.js';
