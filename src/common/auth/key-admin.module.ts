// API keys as the operator keeps them.
import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ApiKey } from './api-key.entity.js';
import { KeyRegistry } from './key-registry.js';

@Module({
  imports: [TypeOrmModule.forFeature([ApiKey])],
  providers: [KeyRegistry],
  exports: [KeyRegistry],
})
export class KeyAdminModule {}
