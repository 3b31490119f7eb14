// Everything a spec starts, in one place, so that all of it is stopped however the spec ends.

interface Stoppable {
  stop(): Promise<void>;
}

export class Stage {
  private readonly things: Stoppable[] = [];

  /** Hands the thing back, to be stopped by `clear`. */
  add<Thing extends Stoppable>(thing: Thing): Thing {
    this.things.push(thing);
    return thing;
  }

  /** Last in, first out: a service goes before its database. One that fails to stop does not save the others. */
  async clear(): Promise<void> {
    const failures: unknown[] = [];
    for (const thing of this.things.splice(0).toReversed()) {
      await thing.stop().catch((error: unknown) => failures.push(error));
    }
    if (failures.length > 0) throw new AggregateError(failures, 'Not everything could be stopped.');
  }
}
