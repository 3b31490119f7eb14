// Hands the logger to whoever asks for it by the LOGGER token.
import { Global, Module, type DynamicModule } from '@nestjs/common';
import { LOGGER, type Logger } from './logger.js';

@Global()
@Module({})
export class LoggingModule {
  static with(logger: Logger): DynamicModule {
    return { module: LoggingModule, providers: [{ provide: LOGGER, useValue: logger }], exports: [LOGGER] };
  }
}
