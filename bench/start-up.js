// From the start of the process to its first answer with a key.
import { startServer } from './servers.js';

/** @returns {Promise<number[]>} milliseconds */
export async function measureStartUp(database, times) {
  const measured = [];
  for (let time = 0; time < times; time++) {
    const server = await startServer('service', database);
    measured.push(server.startMilliseconds);
    await server.stop();
  }
  return measured;
}
