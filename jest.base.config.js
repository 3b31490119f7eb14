// What every kind of test shares: TypeScript as ES modules, compiled by swc with the decorators' metadata.
export default {
  extensionsToTreatAsEsm: ['.ts'],
  transform: { '^.+\\.ts$': '@swc/jest' },
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
  testEnvironment: 'node',
  modulePathIgnorePatterns: ['<rootDir>/.data/'],
  globalSetup: './test/support/global-setup.ts',
  globalTeardown: './test/support/global-teardown.ts',
  testTimeout: 30_000,
};
