// The very statements the service runs, taken from the service: its classes are given a database that only remembers what
// it was asked, so that the bare server can never run other SQL than the service does.
import { CustomersQuery } from '../build/customers/dto/customer.input.js';
import { CustomersService } from '../build/customers/customers.service.js';
import { ListQuery } from '../build/common/pagination/dto/list.query.js';
import { TanksService } from '../build/tanks/tanks.service.js';
import { TelemetryService } from '../build/telemetry/telemetry.service.js';

/** @returns {Promise<Record<string, { name: string, text: string }>>} */
export async function borrowStatements() {
  return {
    tankById: await askedBy((reads) => new TanksService(reads).get('id', null)),
    customersPage: await askedBy((reads) => new CustomersService(reads).list(new CustomersQuery(), null)),
    tanksPage: await askedBy((reads) => new TanksService(reads).list(new ListQuery(), null)),
    telemetryPage: await askedBy((reads) => new TelemetryService(reads).list('id', new ListQuery(), null)),
  };
}

async function askedBy(use) {
  let asked;
  const remember = (statement) => {
    asked = statement;
    return Promise.reject(new Error('nothing is read'));
  };
  await use({ rows: remember, page: remember, firstRow: remember }).catch(() => undefined);
  if (asked === undefined) throw new Error('The service asked the database for nothing.');
  return asked;
}
