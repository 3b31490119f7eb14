// `npm run test:faults`: the service as a process of its own while its surroundings fail.
import base from './jest.base.config.js';

export default {
  ...base,
  testMatch: ['<rootDir>/test/faults/*.e2e-spec.ts'],
  maxWorkers: 1,
  testTimeout: 120_000,
};
