// The operator's command line in a process that is there already: each message is a command, which sees its own arguments, environment
// and standard streams, and is answered with its exit code and all that it said.
import { Readable, Writable } from 'node:stream';

const PROGRAM = new URL('../../dist/cli.js', import.meta.url).href;
let runs = 0;

process.on('message', (asked) => void run(asked).then((result) => process.send(result)));

async function run({ environment, args, input }) {
  const said = { stdout: [], stderr: [] };
  for (const name of ['stdout', 'stderr']) replace(name, collector(said[name]));
  replace('stdin', Readable.from(input === '' ? [] : [Buffer.from(input, 'base64')], { objectMode: false }));
  replace('env', environment);
  process.argv = [process.execPath, 'cli.js', ...args];
  process.exitCode = undefined;
  runs += 1;
  try {
    await import(`${PROGRAM}?${runs}`); // the program runs as it is loaded
  } catch (error) {
    said.stderr.push(Buffer.from(String(error.stack)));
    process.exitCode = 1;
  }
  const [stdout, stderr] = [said.stdout, said.stderr].map((chunks) => Buffer.concat(chunks).toString());
  const code = process.exitCode ?? 0;
  process.exitCode = undefined;
  return { code, stdout, stderr };
}

function replace(name, value) {
  Object.defineProperty(process, name, { value, configurable: true, writable: true });
}

function collector(chunks) {
  return new Writable({
    write: (chunk, _encoding, done) => {
      chunks.push(chunk);
      done();
    },
  });
}
