// The caller's own key.
import { Module } from '@nestjs/common';
import { KeyController } from './key.controller.js';

@Module({ controllers: [KeyController] })
export class OwnKeyModule {}
