// Puts every handler on the trail of its request: the statements it begins before it first waits are counted there. Nest hands the request
// over as one more parameter, after those that the handler declares, which therefore never sees it.
import { Req, type INestApplication } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';
import type { Request } from 'express';
import { onTrail } from '../../platform/tracing/trail.js';

// Nest's own names.
const PATH_METADATA = 'path';
const ROUTE_ARGS_METADATA = '__routeArguments__';
/** Where the request is among the parameters: of a class, however many applications use it. */
const REQUEST_INDEX = Symbol('index of the request');

type Handler = (...args: unknown[]) => unknown;

/** Before the routes are made, and after the OpenAPI document, which would describe the parameter. */
export function followHandlers(app: INestApplication): void {
  for (const { controllers } of app.get(ModulesContainer).values()) {
    for (const { instance } of controllers.values()) {
      if (typeof instance === 'object' && instance !== null) followHandlersOf(instance as Controller);
    }
  }
}

type Controller = Record<string, Handler>;

function followHandlersOf(controller: Controller): void {
  const prototype = Object.getPrototypeOf(controller) as Controller;
  for (const name of Object.getOwnPropertyNames(prototype)) {
    const handler = name === 'constructor' ? undefined : prototype[name];
    if (handler === undefined || !Reflect.hasMetadata(PATH_METADATA, handler)) continue;
    const index = addRequest(prototype, name);
    const followed: Handler = function (this: unknown, ...args) {
      const { trail } = args[index] as Request;
      args.length = index;
      return onTrail(trail, () => handler.apply(this, args));
    };
    for (const key of Reflect.getMetadataKeys(handler) as string[])
      Reflect.defineMetadata(key, Reflect.getMetadata(key, handler), followed);
    controller[name] = followed;
  }
}

function addRequest(prototype: Controller, name: string): number {
  const known: unknown = Reflect.getMetadata(REQUEST_INDEX, prototype, name);
  if (typeof known === 'number') return known;
  const declared = (Reflect.getMetadata(ROUTE_ARGS_METADATA, prototype.constructor, name) ??
    {}) as Parameters;
  const index = Math.max(-1, ...Object.values(declared).map((parameter) => parameter.index)) + 1;
  Req()(prototype, name, index);
  Reflect.defineMetadata(REQUEST_INDEX, index, prototype, name);
  return index;
}

type Parameters = Readonly<Record<string, { readonly index: number }>>;
