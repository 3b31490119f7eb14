// Whatever is started or made is undone in the reverse order: at the end, after a failure, and when we are interrupted.

const steps = [];
let running;

/** @param {() => unknown} undo @returns {() => Promise<void>} undoes it now instead */
export function defer(undo) {
  steps.push(undo);
  return async () => {
    const index = steps.indexOf(undo);
    if (index === -1) return;
    steps.splice(index, 1);
    await undo();
  };
}

export function cleanUp() {
  running ??= undoAll();
  return running;
}

async function undoAll() {
  for (let undo = steps.pop(); undo !== undefined; undo = steps.pop()) {
    try {
      await undo();
    } catch (error) {
      process.stderr.write(`bench: cleaning up: ${error.message}\n`);
    }
  }
}

export const isCleaningUp = () => running !== undefined;

export function cleanUpOnSignals() {
  for (const [signal, number] of [
    ['SIGINT', 2],
    ['SIGTERM', 15],
    ['SIGHUP', 1],
  ]) {
    process.once(signal, () => {
      process.stderr.write(`\nbench: ${signal}, stopping\n`);
      void cleanUp().finally(() => process.exit(128 + number));
    });
  }
}
