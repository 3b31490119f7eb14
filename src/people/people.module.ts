// Who may use the service: keys and users, and how people sign in.
import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Customer } from '../customers/customer.entity.js';
import { ApiKey } from './api-key.entity.js';
import { ErasureController } from './erasure.controller.js';
import { Erasure } from './erasure.js';
import { KeyReads } from './key-reads.js';
import { KeysController } from './keys.controller.js';
import { Keys } from './keys.js';
import { OwnKeyController } from './own-key.controller.js';
import { Provider } from './provider.js';
import { SignInController } from './sign-in.controller.js';
import { UserReads } from './user-reads.js';
import { User } from './user.entity.js';
import { UsersController } from './users.controller.js';
import { Users } from './users.js';

/** For the service and for the operator's commands. */
@Module({
  imports: [TypeOrmModule.forFeature([ApiKey, Customer])],
  providers: [Keys, Erasure],
  exports: [Keys, Erasure],
})
export class KeyAdminModule {}

@Module({
  imports: [KeyAdminModule, TypeOrmModule.forFeature([User])],
  controllers: [OwnKeyController, KeysController, UsersController, ErasureController, SignInController],
  providers: [KeyReads, UserReads, Users, Provider],
  exports: [Users],
})
export class PeopleModule {}
