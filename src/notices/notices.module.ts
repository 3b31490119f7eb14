// Who is told by e-mail: recipients, what was sent to them, and the pages behind the links in mails.
import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Customer } from '../customers/customer.entity.js';
import { LinksController } from './links.controller.js';
import { RecipientTests } from './recipient-tests.js';
import { Recipient } from './recipient.entity.js';
import { RecipientsController } from './recipients.controller.js';
import { RecipientsService } from './recipients.service.js';

@Module({
  imports: [TypeOrmModule.forFeature([Recipient, Customer])],
  controllers: [RecipientsController, LinksController],
  providers: [RecipientsService, RecipientTests],
  exports: [RecipientsService],
})
export class RecipientsModule {}
