// `npm run test:faults`: the service as a process of its own while its surroundings fail.
import base from './jest.base.config.js';

export default {
  ...base,
  testMatch: ['<rootDir>/test/faults/*.e2e-spec.ts'],
  maxWorkers: 1,
  testTimeout: 120_000,
  // Node 20 may spin for ever in its own cleanup when a test left something open (uv_run below CleanupHandles).
  forceExit: true,
};
