// Jest loads every module anew for every spec file, which for a service of two thousand modules takes seconds. So what is tested, the
// built service, and the packages it shares with the specs are loaded once in each of Jest's processes, outside of its registry:
// `outside.js` puts a stand-in in their place, which asks here.
import { TestEnvironment } from 'jest-environment-node';
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
/** What spec files hand on to those that the same process runs later. */
const kept = new Map();

export default class extends TestEnvironment {
  async setup() {
    await super.setup();
    Object.assign(this.global, { outside: { require, kept }, Reflect }); // the decorators' metadata is outside, too
  }
}
