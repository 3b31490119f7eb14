// The process that sends readings (senders.js), as one object: a job at a time, and its result.
import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { defer } from './cleanup.js';

export function startSenders() {
  const child = fork(fileURLToPath(new URL('senders.js', import.meta.url)), {
    serialization: 'advanced',
    execArgv: [],
  });
  defer(() => child.kill('SIGKILL'));
  return {
    send: (job) =>
      new Promise((resolve, reject) => {
        child.once('message', ({ result, error }) =>
          error === undefined ? resolve(result) : reject(new Error(error)),
        );
        child.send(job);
      }),
    stop: () => child.send('stop'),
  };
}
