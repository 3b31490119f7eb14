// `npm test`: unit specs beside the code and end-to-end specs over a real PostgreSQL.
import base from './jest.base.config.js';

export default {
  ...base,
  testMatch: ['<rootDir>/src/**/*.spec.ts', '<rootDir>/test/*.e2e-spec.ts'],
  // One worker a core: the specs wait for PostgreSQL more than they compute.
  maxWorkers: '100%',
};
