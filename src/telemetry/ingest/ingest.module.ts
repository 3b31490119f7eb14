// Readings come in: the endpoint, and the writer behind it.
import { Module } from '@nestjs/common';
import { IngestController } from './ingest.controller.js';
import { IngestService } from './ingest.service.js';
import { ReadingWriter } from './reading-writer.js';

@Module({
  controllers: [IngestController],
  providers: [IngestService, ReadingWriter],
  exports: [ReadingWriter],
})
export class IngestModule {}
