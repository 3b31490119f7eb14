// `npm run test:scale`: the service behind a pooler, beside standbys, on partitions and on a cluster. Needs Debian's servers;
// what is not installed is skipped with a message that says what it needs.
import base from './jest.base.config.js';

export default {
  ...base,
  testMatch: ['<rootDir>/test/scale/*.e2e-spec.ts'],
  maxWorkers: 1,
  testTimeout: 600_000,
};
