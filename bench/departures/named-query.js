// A named statement as pg runs it, in a round trip of its own.
import { Query } from 'pg';

/** Nothing is counted here, so it is never thrown. */
export class TooManyBytes extends Error {}

export class NamedQuery extends Query {
  constructor(_client, { name, text }, values, done) {
    super({ name, text, values }, undefined, (error, result) => done(error, result?.rows ?? []));
  }

  sendTogetherWith() {}
}
