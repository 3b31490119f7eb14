// Before anything is timed: all three servers must give the same answers. The typical one counts and pages in the plain
// way, so that it also stands witness for the service's totals and pages.
import { isDeepStrictEqual } from 'node:util';

/** The typical server is slow on large lists: it is asked this many paths of a case, the others all of them. */
const WITNESSED = 3;

/**
 * Returns, for each case and server, the right bodies in the order of the paths; none where a server was not asked.
 * @returns {Promise<{ bodies: Map<string, Record<string, Buffer[]>>, wrong: string[], slow: Set<string> }>}
 */
export async function checkAnswers(generator, servers, cases) {
  const bodies = new Map();
  const wrong = [];
  const slow = new Set();
  for (const { name, paths, accept, same } of cases) {
    const ofCase = {};
    for (const server of servers) {
      const asked = server.name === 'typical' ? paths.slice(0, WITNESSED) : paths;
      const answers = await generator.ask(server, asked, accept);
      answers.forEach(({ status, body }, index) => {
        if (status !== 200)
          wrong.push(`${server.name} ${paths[index]}: ${status} ${body.toString('utf8', 0, 300)}`);
      });
      if (answers.some(({ milliseconds }) => milliseconds > 200)) slow.add(`${name} ${server.name}`);
      ofCase[server.name] = answers.map(({ body }) => body);
    }
    wrong.push(...differences(paths, ofCase, same));
    bodies.set(name, ofCase);
  }
  return { bodies, wrong, slow };
}

function differences(paths, { service, ...others }, same) {
  const found = [];
  for (const [name, answers] of Object.entries(others)) {
    const what = same[name] ?? ((body) => body);
    answers.forEach((body, index) => {
      if (isDeepStrictEqual(what(parse(body)), what(parse(service[index])))) return;
      const place = Math.max(0, service[index].findIndex((byte, n) => byte !== body[n]) - 100);
      const [ours, theirs] = [service[index], body].map((text) => text.toString('utf8', place, place + 300));
      found.push(`${paths[index]}, from byte ${place} on: service answers ${ours}, ${name} ${theirs}`);
    });
  }
  return found;
}

function parse(body) {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    return body.toString('utf8');
  }
}
