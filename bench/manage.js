// A tank that is changed over HTTP, beside one reading a request: one request after the other, where nothing travels together, and
// many at once, where readings do.

const LOADS = { alone: 1, together: 64 };

/** Every round both, in turns. @returns {Promise<Record<'alone' | 'together', { reading: object, patch: object }[]>>} */
export async function measureManage({ senders, key, ids, rounds, seconds, tell }, { port }, nextHour) {
  tell('tanks are changed');
  const runs = { alone: [], together: [] };
  const send = (connections, patched) =>
    senders.send({ port, key, tanks: ids, readings: 1, connections, seconds, from: nextHour(), patched });
  for (const patched of [false, true]) await send(LOADS.together, patched); // warm
  for (let round = 0; round < rounds; round++) {
    for (const [load, connections] of Object.entries(LOADS)) {
      const run = {};
      for (const patched of round % 2 === 0 ? [false, true] : [true, false])
        run[patched ? 'patch' : 'reading'] = await send(connections, patched);
      runs[load].push(run);
    }
  }
  return runs;
}
