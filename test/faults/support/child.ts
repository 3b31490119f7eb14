// A process of its own, its output in files, ended by its pid.
import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { until } from './until.js';

export interface ChildOptions {
  readonly command: string;
  readonly args: readonly string[];
  /** Of ours it knows nothing but where programs are, unless it is told. */
  readonly environment?: NodeJS.ProcessEnv;
  /** Where its output goes: stdout.log and stderr.log, continued when they are there. */
  readonly folder: string;
  readonly cwd?: string;
  /** Gives it a process group of its own, for one that starts others. */
  readonly detached?: boolean;
  readonly uid?: number;
  readonly gid?: number;
}

export interface Ending {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

const PATIENCE_MS = 50_000;

export class Child {
  readonly ended: Promise<Ending>;
  private ending: Ending | undefined;
  private readonly process: ChildProcess;
  private readonly folder: string;

  constructor({ command, args, environment: env, folder, ...rest }: ChildOptions) {
    this.folder = folder;
    const outputs = [openSync(join(folder, 'stdout.log'), 'a'), openSync(join(folder, 'stderr.log'), 'a')];
    const { PATH } = process.env;
    this.process = spawn(command, args, { ...rest, env: env ?? { PATH }, stdio: ['ignore', ...outputs] });
    outputs.forEach(closeSync);
    this.ended = new Promise((resolve, reject) => {
      this.process.once('error', (error) => {
        this.ending = { code: null, signal: null }; // it never began
        reject(error);
      });
      this.process.once('exit', (code, signal) => {
        this.ending = { code, signal };
        resolve(this.ending);
      });
    });
    // Whoever waits for the end hears of a failed start there; nobody has to.
    this.ended.catch(() => undefined);
  }

  get pid(): number {
    if (this.process.pid === undefined) throw new Error('The process did not start.');
    return this.process.pid;
  }

  get isRunning(): boolean {
    return this.ending === undefined;
  }

  signal(signal: NodeJS.Signals): void {
    this.process.kill(signal);
  }

  stdout(): Promise<string> {
    return readFile(join(this.folder, 'stdout.log'), 'utf8');
  }

  stderr(): Promise<string> {
    return readFile(join(this.folder, 'stderr.log'), 'utf8');
  }

  /** Waits for what it is started for; one that ends before is an error with its last words. */
  until(what: string, condition: () => boolean | Promise<boolean>): Promise<void> {
    return until(what, async () => {
      if (this.isRunning) return condition();
      const cause: unknown = await this.ended.catch((error: unknown) => error);
      throw new Error(`It has ended:\n${await this.stdout()}${await this.stderr()}`, { cause });
    });
  }

  /** Ends it as an operator would. */
  terminate(): Promise<Ending> {
    this.signal('SIGTERM');
    return this.ended;
  }

  /** Politely first; without patience when that does not help. */
  async stop(): Promise<void> {
    if (!this.isRunning) return;
    this.process.kill('SIGCONT');
    this.process.kill('SIGTERM');
    await Promise.race([this.ended, sleep(PATIENCE_MS, undefined, { ref: false })]);
    if (this.isRunning) this.process.kill('SIGKILL');
    await this.ended;
  }
}
