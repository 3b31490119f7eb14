// How often one key, or one address without a valid key, may call. Off unless configured. Counts are kept in this process,
// or in Redis when REDIS_URL is set, so that several instances share them.
import { Inject, Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import type { Response } from 'express';
import type { Redis } from 'ioredis';
import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';
import type { RateLimiterAbstract } from 'rate-limiter-flexible';
import { CONFIG, type Config } from '../../platform/config/config.js';
import { LOGGER, type Logger } from '../../platform/logging/logger.js';
import { rateLimited } from '../problems/problem.js';

/** How long one command to Redis may take before this instance counts by itself. */
const REDIS_TIMEOUT_MS = 500;

@Injectable()
export class RateLimits implements OnModuleInit, OnApplicationShutdown {
  readonly isOn: boolean;
  private readonly policy: string;
  private limiter: RateLimiterAbstract;
  private redis: Redis | undefined;

  constructor(
    @Inject(CONFIG) private readonly config: Config,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    const { requests, windowSeconds } = config.rateLimit;
    this.isOn = requests > 0;
    this.policy = `"default";q=${requests};w=${windowSeconds}`;
    this.limiter = new RateLimiterMemory({ points: requests, duration: windowSeconds });
  }

  async onModuleInit(): Promise<void> {
    if (this.isOn && this.config.redisUrl !== undefined) await this.shareThrough(this.config.redisUrl);
  }

  onApplicationShutdown(): void {
    this.redis?.disconnect();
  }

  /** Counts one request of the subject, reports what is left in headers, and refuses it when nothing is. */
  async spend(subject: string, response: Response): Promise<void> {
    const outcome = await this.limiter.consume(subject).catch((used: unknown) => {
      if (used instanceof RateLimiterRes) return used; // what the library throws when the points are used up
      throw used;
    });
    const seconds = Math.ceil(outcome.msBeforeNext / 1000);
    response.setHeader('RateLimit-Policy', this.policy);
    response.setHeader('RateLimit', `"default";r=${Math.max(outcome.remainingPoints, 0)};t=${seconds}`);
    if (outcome.consumedPoints > this.config.rateLimit.requests) throw rateLimited(Math.max(seconds, 1));
    // Asking whether something changed, and hearing that it did not, is free.
    response.once('finish', () => {
      if (response.statusCode === 304 && isNoStar(response)) this.giveBack(subject);
    });
  }

  /** For what turned out not to count. */
  giveBack(subject: string): void {
    this.limiter.reward(subject, 1).catch(() => undefined);
  }

  private async shareThrough(redisUrl: string): Promise<void> {
    const { Redis: RedisClient } = await import('ioredis');
    this.redis = new RedisClient(redisUrl, {
      enableOfflineQueue: false,
      commandTimeout: REDIS_TIMEOUT_MS,
      maxRetriesPerRequest: 0,
    });
    this.logOutages(this.redis);
    this.limiter = new RateLimiterRedis({
      storeClient: this.redis,
      keyPrefix: 'tank-monitoring',
      points: this.config.rateLimit.requests,
      duration: this.config.rateLimit.windowSeconds,
      insuranceLimiter: this.limiter, // Redis may fail; the service then limits alone, and goes on
    });
  }

  /** Once per outage, not once per attempt to end it. */
  private logOutages(redis: Redis): void {
    let isOut = false;
    redis.on('ready', () => (isOut = false));
    redis.on('error', (error: Error) => {
      if (!isOut)
        this.logger.warn({ reason: error.message }, 'Redis is out of reach; counting requests per instance');
      isOut = true;
    });
  }
}

/** `If-None-Match: *` matches anything: the caller may have nothing. */
function isNoStar({ req }: Response): boolean {
  return req.headers['if-none-match']?.trim() !== '*';
}
