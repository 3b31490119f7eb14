// `npm run test:browser`: Swagger UI in a real browser.
import base from './jest.base.config.js';

export default {
  ...base,
  testMatch: ['<rootDir>/test/browser/*.e2e-spec.ts'],
  maxWorkers: 1,
  testTimeout: 120_000,
};
