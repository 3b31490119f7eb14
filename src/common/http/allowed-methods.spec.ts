// What an address answers is told from the controllers' routes, so that a new one is told by itself.
import { describe, expect, it } from '@jest/globals';
import { AllowedMethods } from './allowed-methods.js';

const allowedMethods = new AllowedMethods();
allowedMethods.learn(() => ({
  '/v1/things': { post: {} },
  '/v1/things/{id}': { get: {}, delete: {} },
}));

describe('the methods of an address', () => {
  it.each([
    ['/v1/things/1', ['GET', 'HEAD', 'DELETE', 'OPTIONS']],
    ['/v1/things', ['POST', 'OPTIONS']],
    ['/V1/THINGS/', ['POST', 'OPTIONS']],
    ['/docs', ['GET', 'HEAD', 'OPTIONS']],
    ['/', ['GET', 'HEAD', 'OPTIONS']],
    ['/v1/things/1/2', []],
    ['/v1/things//', []],
    ['//v1/things', []],
    ['/x', []],
  ])('of %s are %j', (path, methods) => {
    expect(allowedMethods.of(path)).toEqual(methods);
  });

  it('of all addresses are those of any', () => {
    expect(allowedMethods.ofAll()).toEqual(['GET', 'HEAD', 'POST', 'DELETE', 'OPTIONS']);
  });
});
