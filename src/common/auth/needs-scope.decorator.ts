// Says which scope, or scopes, a route needs. Every route that is not @Public() has to: one that does not lets nobody in.
import { SetMetadata } from '@nestjs/common';
import type { Scope } from './scope.js';

export const NEEDED_SCOPE = 'neededScope';
/** For answers that only say what was wrong with the address. */
export const ANY_KEY = 'any key';
export type NeededScope = Scope | typeof ANY_KEY;

export const NeedsScope = (...scopes: NeededScope[]) => SetMetadata(NEEDED_SCOPE, scopes);
