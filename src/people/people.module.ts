// Who may use the service: keys and users, and how people sign in; and how a customer is forgotten.
import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ApiKey } from './api-key.entity.js';
import { ErasureController } from './erasure.controller.js';
import { Erasure } from './erasure.js';
import { KeysController } from './keys.controller.js';
import { KeysService } from './keys.service.js';
import { OwnKeyController } from './own-key.controller.js';
import { Provider } from './provider.js';
import { SignInController } from './sign-in.controller.js';
import { User } from './user.entity.js';
import { UsersController } from './users.controller.js';
import { UsersService } from './users.service.js';

@Module({
  imports: [TypeOrmModule.forFeature([ApiKey, User])],
  controllers: [OwnKeyController, KeysController, UsersController, ErasureController, SignInController],
  providers: [KeysService, UsersService, Erasure, Provider],
})
export class PeopleModule {}
