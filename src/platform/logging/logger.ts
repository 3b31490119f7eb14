// One pino logger for the whole process: JSON lines, or readable ones on a terminal.
import { Global, Module, type DynamicModule, type LoggerService } from '@nestjs/common';
import { pino, type Logger as PinoLogger } from 'pino';
import type { Config } from '../config/config.js';
import { logOutput, surviveLossOfOutput } from './log-output.js';

export type Logger = PinoLogger;
/** By which whoever needs the logger asks Nest for it. */
export const LOGGER = Symbol('logger');

@Global()
@Module({})
export class LoggingModule {
  static with(logger: Logger): DynamicModule {
    return { module: LoggingModule, providers: [{ provide: LOGGER, useValue: logger }], exports: [LOGGER] };
  }
}

export function createLogger(level: Config['logLevel']): Logger {
  surviveLossOfOutput();
  const options = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
  };
  if (process.stdout.isTTY && canBePretty()) {
    const { formatters: _, ...prettyOptions } = options;
    return pino({ ...prettyOptions, transport: { target: 'pino-pretty', options: { singleLine: true } } });
  }
  const logger = pino(options, logOutput);
  logOutput.onRecovery = (dropped) =>
    logger.warn({ dropped }, 'log lines were dropped: they could not be written');
  logOutput.open();
  return logger;
}

/** pino-pretty is an optional dependency that the production image leaves out. */
function canBePretty(): boolean {
  try {
    import.meta.resolve('pino-pretty');
    return true;
  } catch {
    return false;
  }
}

/** What fails while Nest starts is thrown as well, and start.ts reports it in one line. */
const STARTING = new Set(['ExceptionHandler', 'TypeOrmModule', 'NestApplication']);

/** Nest's own messages, through the same logger. Those of a start are for debugging. */
export class NestLogger implements LoggerService {
  constructor(private readonly logger: Logger) {}
  log(message: unknown, context?: string): void {
    this.logger.debug({ context: toContextName(context) }, String(message));
  }
  warn(message: unknown, context?: string): void {
    this.logger.warn({ context: toContextName(context) }, String(message));
  }
  error(message: unknown, stack?: string, context?: string): void {
    const level = STARTING.has(toContextName(context ?? stack) ?? '') ? 'debug' : 'error';
    this.logger[level]({ context: toContextName(context), stack }, String(message));
  }
  fatal(message: unknown, context?: string): void {
    this.logger.fatal({ context: toContextName(context) }, String(message));
  }
}

/** A context is the name of a class, before which the bundler puts an underscore if the class refers to itself. */
function toContextName(context: string | undefined): string | undefined {
  return context?.replace(/^_/, '');
}
