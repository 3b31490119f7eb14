// For Jest: instead of a module, a stand-in that exports what the same module exports outside of Jest's registry (environment.js).
import { createHash } from 'node:crypto';
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

function standIn(source, path, { supportsStaticESM, supportsDynamicImport: isSpec }) {
  if (!isSpec) return source; // the global setup gets the module itself
  const found = `outside.require(${JSON.stringify(path)})`;
  if (!supportsStaticESM) return `module.exports = ${found};`;
  const names = Object.keys(require(path));
  const exported = names.map(
    (name, i) => `const value${i} = found['${name}']; export { value${i} as ${name} };`,
  );
  return [`const found = ${found};`, ...exported].join('\n');
}

export default {
  process: (...module) => ({ code: standIn(...module) }),
  getCacheKey: (...module) =>
    createHash('sha256')
      .update(standIn(...module))
      .digest('hex'),
};
