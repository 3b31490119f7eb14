// What a handler may return instead of a body: an object that makes the body, and sets its headers, when it is sent. An interceptor
// could do that as well, but its observables would add about a sixth to what a list of ten costs.
import type { Response } from 'express';

export abstract class Answer {
  abstract bodyFor(response: Response): object | string;
}
