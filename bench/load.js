// Drives the load generator: one process for the whole run, so that it is as warm for one server as for the next.
import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { defer } from './cleanup.js';

export function startGenerator() {
  const child = fork(fileURLToPath(new URL('load-generator.js', import.meta.url)), {
    serialization: 'advanced',
    execArgv: [],
  });
  defer(() => child.kill('SIGKILL'));

  const send = (job) =>
    new Promise((resolve, reject) => {
      const onExit = () => reject(new Error('The load generator ended.'));
      child.once('exit', onExit);
      child.once('message', ({ result, error }) => {
        child.off('exit', onExit);
        if (error === undefined) resolve(result);
        else reject(new Error(error));
      });
      child.send(job);
    });

  return {
    /** Each path once, one after the other. */
    ask: (server, paths, accept) => send({ kind: 'ask', port: server.port, key: server.key, paths, accept }),
    /** All paths, over and over, on several connections for some seconds. */
    load: (server, { paths, accept, expected, connections, seconds }) =>
      send({
        kind: 'load',
        port: server.port,
        key: server.key,
        paths,
        accept,
        expected,
        connections,
        seconds,
      }),
  };
}
