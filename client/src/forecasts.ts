// How good forecasts were.
import { askForJson } from './json.js';
import type { RequestOptions, Transport } from './transport.js';
import type { ForecastAccuracy, GetForecastAccuracyQuery } from './types.js';

export class Forecasts {
  constructor(private readonly transport: Transport) {}

  /** Forecasts of the last 365 days, compared with what was really used. */
  accuracy(query: GetForecastAccuracyQuery = {}, options: RequestOptions = {}): Promise<ForecastAccuracy> {
    return askForJson(this.transport, {
      ...options,
      path: '/v1/forecasts/accuracy',
      query,
      isRepeatable: true,
    });
  }
}
