// Which addresses the controllers have, and with which methods. The OpenAPI document, which says so too, takes a tenth of a second to build.
import { RequestMethod, VERSION_NEUTRAL } from '@nestjs/common';
import { METHOD_METADATA, PATH_METADATA, VERSION_METADATA } from '@nestjs/common/constants.js';
import { MetadataScanner, ModulesContainer, Reflector } from '@nestjs/core';
import { NEEDS_INGEST } from '../auth/caller.js';

export type Routes = Readonly<Record<string, Readonly<Record<string, object>>>>;

const scanner = new MetadataScanner();
const reflector = new Reflector();

/** Writes addresses like the document: `/v1/tanks/{id}`, with `get`. `hasWrites`: changes are listed, too. */
export function listRoutes(modules: ModulesContainer, hasWrites: boolean): Routes {
  const routes: Record<string, Record<string, object>> = {};
  const controllers = [...modules.values()].flatMap((one) => [...one.controllers.values()]);
  for (const { metatype: type } of controllers) {
    if (typeof type !== 'function') continue;
    const prototype = type.prototype as Readonly<Record<string, () => unknown>>;
    for (const name of scanner.getAllMethodNames(prototype)) {
      const handler = prototype[name];
      const method = handler && reflector.get<RequestMethod | undefined>(METHOD_METADATA, handler);
      // `@All()` answers for methods that its address does not have.
      if (handler === undefined || method === undefined || method === RequestMethod.ALL) continue;
      if (!hasWrites && reflector.getAllAndOverride<unknown>(NEEDS_INGEST, [handler, type]) === true)
        continue;
      const version = reflector.get<unknown>(VERSION_METADATA, type);
      const base = version === VERSION_NEUTRAL ? [] : [`v${String(version)}`];
      const paths = [reflector.get<string | string[]>(PATH_METADATA, handler)].flat();
      for (const path of paths) {
        const parts = [...base, reflector.get<string>(PATH_METADATA, type), path].join('/').split('/');
        const template = parts.filter((part) => part !== '').map((part) => part.replace(/^:(.*)$/, '{$1}'));
        (routes[`/${template.join('/')}`] ??= {})[RequestMethod[method].toLowerCase()] = {};
      }
    }
  }
  return routes;
}
