// The same API as most teams would write it: Nest on Express, TypeORM repositories with findAndCount, ValidationPipe,
// class-transformer on the way out, the key looked up for every request, a log line for each. Written to be good code of its
// kind: no relation is loaded that is not needed, tank counts of a page come from one grouped query.
import {
  CallHandler,
  CanActivate,
  ClassSerializerInterceptor,
  ConsoleLogger,
  Controller,
  ExecutionContext,
  Body,
  Get,
  Headers,
  HttpCode,
  Injectable,
  Logger,
  Module,
  NestInterceptor,
  NotFoundException,
  Param,
  Post,
  Query,
  Res,
  UnauthorizedException,
  ValidationPipe,
} from '@nestjs/common';
import { APP_GUARD, APP_INTERCEPTOR, APP_PIPE, NestFactory } from '@nestjs/core';
import { InjectDataSource, InjectRepository, TypeOrmModule } from '@nestjs/typeorm';
import { Expose, Type } from 'class-transformer';
import {
  IsArray,
  IsBooleanString,
  IsDate,
  IsIn,
  IsInt,
  IsNumber,
  IsOptional,
  IsString,
  Max,
  Min,
  ValidateNested,
} from 'class-validator';
import type { Request, Response } from 'express';
import helmet from 'helmet';
import { createHash } from 'node:crypto';
import 'reflect-metadata';
import { finalize, type Observable } from 'rxjs';
import {
  And,
  Column,
  DataSource,
  Entity,
  FindOperator,
  In,
  LessThanOrEqual,
  MoreThanOrEqual,
  PrimaryColumn,
  Repository,
} from 'typeorm';

@Entity('customers')
class Customer {
  @PrimaryColumn('text') id: string;
  @Column('timestamptz', { name: 'created_at' }) createdAt: Date;
  @Column('timestamptz', { name: 'updated_at' }) updatedAt: Date;
  @Column('boolean') deleted: boolean;
  @Column('text') email: string;
  @Column('text') name: string;
  @Column('text', { nullable: true }) phone: string | null;
  @Column('boolean', { name: 'is_verified' }) isVerified: boolean;
  @Column('timestamptz', { name: 'verified_at', nullable: true }) verifiedAt: Date | null;
  @Column('timestamptz', { name: 'last_seen_at', nullable: true }) lastSeenAt: Date | null;
}

@Entity('tanks')
class Tank {
  @PrimaryColumn('text') id: string;
  @Column('bigint') key: string;
  @Column('text', { name: 'owner_id' }) ownerId: string;
  @Column('timestamptz', { name: 'created_at' }) createdAt: Date;
  @Column('timestamptz', { name: 'updated_at' }) updatedAt: Date;
  @Column('boolean') deleted: boolean;
  @Column('text') name: string;
  @Column('text', { name: 'custom_id', nullable: true }) customId: string | null;
  @Column('text', { name: 'assigned_device_id' }) assignedDeviceId: string;
  @Column('double precision') capacity: number;
  @Column('text', { name: 'capacity_unit' }) capacityUnit: string;
  @Column('text', { name: 'use_case', nullable: true }) useCase: string | null;
  @Column('integer', { name: 'min_fill_alert_percentage' }) minFillAlertPercentage: number;
  @Column('text', { nullable: true }) city: string | null;
  @Column('text', { nullable: true }) country: string | null;
  @Column('text', { nullable: true }) district: string | null;
  @Column('double precision', { nullable: true }) latitude: number | null;
  @Column('double precision', { nullable: true }) longitude: number | null;
  @Column('text', { name: 'postal_code', nullable: true }) postalCode: string | null;
  @Column('text', { nullable: true }) region: string | null;
  @Column('text', { nullable: true }) street: string | null;
  @Column('text', { name: 'street_number', nullable: true }) streetNumber: string | null;
}

@Entity('telemetry')
class Telemetry {
  @PrimaryColumn('bigint', { name: 'tank_key' }) tankKey: string;
  @PrimaryColumn('timestamptz', { name: 'created_at' }) createdAt: Date;
  @Column('double precision', { name: 'fill_percentage' }) fillPercentage: number;
}

@Entity('api_keys')
class ApiKey {
  @PrimaryColumn('text') prefix: string;
  @Column('bytea') hash: Buffer;
  @Column('timestamptz', { name: 'revoked_at', nullable: true }) revokedAt: Date | null;
}

class ListQuery {
  @IsOptional() @Type(() => Number) @IsInt() @Min(1) page: number = 1;
  @IsOptional() @Type(() => Number) @IsInt() @Min(1) @Max(100) size: number = 10;
  @IsOptional() @Type(() => Date) @IsDate() created_at_gte?: Date;
  @IsOptional() @Type(() => Date) @IsDate() created_at_lte?: Date;
}

/** A page of CSV may be longer. */
class TelemetryListQuery extends ListQuery {
  @IsOptional() @Type(() => Number) @IsInt() @Min(1) @Max(10_000) override size: number = 10;
}

class SeriesListQuery extends ListQuery {
  @IsOptional() @IsIn(['1d']) interval?: string;
}

class CustomerResponse {
  @Expose() id: string;
  @Expose() object = 'customer';
  @Expose({ name: 'created_at' }) createdAt: Date;
  @Expose() email: string;
  @Expose({ name: 'is_verified' }) isVerified: boolean;
  @Expose({ name: 'last_seen_at' }) lastSeenAt: Date | null;
  @Expose() name: string;
  @Expose() phone: string | null;
  @Expose({ name: 'tank_count' }) tankCount: number;
  @Expose({ name: 'updated_at' }) updatedAt: Date;
  @Expose({ name: 'verified_at' }) verifiedAt: Date | null;

  constructor(customer: Customer, tankCount: number) {
    this.id = customer.id;
    this.createdAt = customer.createdAt;
    this.email = customer.email;
    this.isVerified = customer.isVerified;
    this.lastSeenAt = customer.lastSeenAt;
    this.name = customer.name;
    this.phone = customer.phone;
    this.tankCount = tankCount;
    this.updatedAt = customer.updatedAt;
    this.verifiedAt = customer.verifiedAt;
  }
}

class LocationResponse {
  @Expose() city: string | null;
  @Expose() country: string | null;
  @Expose() district: string | null;
  @Expose() latitude: number | null;
  @Expose() longitude: number | null;
  @Expose({ name: 'postal_code' }) postalCode: string | null;
  @Expose() region: string | null;
  @Expose() street: string | null;
  @Expose({ name: 'street_number' }) streetNumber: string | null;

  constructor(tank: Tank) {
    this.city = tank.city;
    this.country = tank.country;
    this.district = tank.district;
    this.latitude = tank.latitude;
    this.longitude = tank.longitude;
    this.postalCode = tank.postalCode;
    this.region = tank.region;
    this.street = tank.street;
    this.streetNumber = tank.streetNumber;
  }
}

class TankResponse {
  @Expose() id: string;
  @Expose() object = 'tank';
  @Expose({ name: 'assigned_device_id' }) assignedDeviceId: string;
  @Expose() capacity: number;
  @Expose({ name: 'capacity_unit' }) capacityUnit: string;
  @Expose({ name: 'created_at' }) createdAt: Date;
  @Expose({ name: 'custom_id' }) customId: string | null;
  @Expose() location: LocationResponse;
  @Expose({ name: 'min_fill_alert_percentage' }) minFillAlertPercentage: number;
  @Expose() name: string;
  @Expose({ name: 'owner_id' }) ownerId: string;
  @Expose({ name: 'updated_at' }) updatedAt: Date;
  @Expose({ name: 'use_case' }) useCase: string | null;

  constructor(tank: Tank) {
    this.id = tank.id;
    this.assignedDeviceId = tank.assignedDeviceId;
    this.capacity = tank.capacity;
    this.capacityUnit = tank.capacityUnit;
    this.createdAt = tank.createdAt;
    this.customId = tank.customId;
    this.location = new LocationResponse(tank);
    this.minFillAlertPercentage = tank.minFillAlertPercentage;
    this.name = tank.name;
    this.ownerId = tank.ownerId;
    this.updatedAt = tank.updatedAt;
    this.useCase = tank.useCase;
  }
}

class TelemetryResponse {
  @Expose() object = 'telemetry';
  @Expose({ name: 'created_at' }) createdAt: Date;
  @Expose({ name: 'fill_percentage' }) fillPercentage: number;

  constructor(reading: Telemetry) {
    this.createdAt = reading.createdAt;
    this.fillPercentage = reading.fillPercentage;
  }
}

class ListResponse<T> {
  readonly object = 'list';
  readonly page: number;
  readonly size: number;
  readonly total_pages: number;

  constructor(
    readonly data: T[],
    readonly total_items: number,
    { page, size }: ListQuery,
  ) {
    this.page = page;
    this.size = size;
    this.total_pages = Math.ceil(total_items / size);
  }
}

function createdWithin({ created_at_gte: from, created_at_lte: to }: ListQuery): {
  createdAt?: FindOperator<Date>;
} {
  if (from && to) return { createdAt: And(MoreThanOrEqual(from), LessThanOrEqual(to)) };
  if (from) return { createdAt: MoreThanOrEqual(from) };
  if (to) return { createdAt: LessThanOrEqual(to) };
  return {};
}

const pageOf = ({ page, size }: ListQuery) => ({ skip: (page - 1) * size, take: size });

@Injectable()
class ApiKeyGuard implements CanActivate {
  constructor(@InjectRepository(ApiKey) private readonly apiKeys: Repository<ApiKey>) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const key = context.switchToHttp().getRequest<Request>().headers['x-api-key'];
    if (typeof key !== 'string') throw new UnauthorizedException();
    const found = await this.apiKeys.findOneBy({ prefix: key.split('.')[0] ?? '' });
    const hash = createHash('sha256').update(key).digest();
    if (!found || found.revokedAt || !found.hash.equals(hash)) throw new UnauthorizedException();
    return true;
  }
}

/** The service is measured with its log on, so this one has a log too: Nest's own, as JSON. */
@Injectable()
class LoggingInterceptor implements NestInterceptor {
  private readonly logger = new Logger('HTTP');

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const started = performance.now();
    const http = context.switchToHttp();
    const { method, url } = http.getRequest<Request>();
    return next.handle().pipe(
      finalize(() => {
        const { statusCode } = http.getResponse<Response>();
        this.logger.log(`${method} ${url} ${statusCode} ${(performance.now() - started).toFixed(2)} ms`);
      }),
    );
  }
}

@Injectable()
class CustomersService {
  constructor(
    @InjectRepository(Customer) private readonly customers: Repository<Customer>,
    @InjectRepository(Tank) private readonly tanks: Repository<Tank>,
  ) {}

  async list(query: ListQuery): Promise<ListResponse<CustomerResponse>> {
    const [customers, total] = await this.customers.findAndCount({
      where: { deleted: false, ...createdWithin(query) },
      order: { createdAt: 'DESC', id: 'DESC' },
      ...pageOf(query),
    });
    const counts = await this.countTanks(customers.map(({ id }) => id));
    const data = customers.map((customer) => new CustomerResponse(customer, counts.get(customer.id) ?? 0));
    return new ListResponse(data, total, query);
  }

  private async countTanks(ownerIds: string[]): Promise<Map<string, number>> {
    if (ownerIds.length === 0) return new Map();
    const rows = await this.tanks
      .createQueryBuilder('tank')
      .select('tank.ownerId', 'owner')
      .addSelect('count(*)', 'count')
      .where('tank.ownerId IN (:...ownerIds) AND tank.deleted = false', { ownerIds })
      .groupBy('tank.ownerId')
      .getRawMany<{ owner: string; count: string }>();
    return new Map(rows.map(({ owner, count }) => [owner, Number(count)]));
  }
}

@Injectable()
class TanksService {
  constructor(
    @InjectRepository(Tank) private readonly tanks: Repository<Tank>,
    @InjectRepository(Telemetry) private readonly readings: Repository<Telemetry>,
  ) {}

  async list(query: ListQuery): Promise<ListResponse<TankResponse>> {
    const [tanks, total] = await this.tanks.findAndCount({
      where: { deleted: false, ...createdWithin(query) },
      order: { createdAt: 'DESC', id: 'DESC' },
      ...pageOf(query),
    });
    return new ListResponse(
      tanks.map((tank) => new TankResponse(tank)),
      total,
      query,
    );
  }

  async get(id: string): Promise<TankResponse> {
    return new TankResponse(await this.find(id));
  }

  async telemetry(id: string, query: ListQuery): Promise<ListResponse<TelemetryResponse>> {
    const tank = await this.find(id);
    const [readings, total] = await this.readings.findAndCount({
      where: { tankKey: tank.key, ...createdWithin(query) },
      order: { createdAt: 'DESC' },
      ...pageOf(query),
    });
    return new ListResponse(
      readings.map((reading) => new TelemetryResponse(reading)),
      total,
      query,
    );
  }

  /** All readings of the range, put into days here. */
  async series(id: string, query: SeriesListQuery) {
    const tank = await this.find(id);
    const readings = await this.readings.find({
      where: { tankKey: tank.key, ...createdWithin(query) },
      order: { createdAt: 'ASC' },
    });
    const days = new Map<number, { start: string; count: number; min: number; max: number }>();
    for (const { createdAt, fillPercentage } of readings) {
      const day = Math.floor(createdAt.getTime() / 86_400_000);
      const bucket = days.get(day);
      if (bucket === undefined) {
        const start = new Date(day * 86_400_000).toISOString();
        days.set(day, { start, count: 1, min: fillPercentage, max: fillPercentage });
        continue;
      }
      bucket.count += 1;
      bucket.min = Math.min(bucket.min, fillPercentage);
      bucket.max = Math.max(bucket.max, fillPercentage);
    }
    return { object: 'series', tank_id: id, total_items: readings.length, data: [...days.values()] };
  }

  private async find(id: string): Promise<Tank> {
    const tank = await this.tanks.findOneBy({ id });
    if (!tank) throw new NotFoundException();
    return tank;
  }
}

class ReadingBody {
  @IsString() tank_id: string;
  @Type(() => Date) @IsDate() created_at: Date;
  @IsNumber() @Min(0) @Max(100) fill_percentage: number;
}

class ReadingsBody {
  @IsArray() @ValidateNested({ each: true }) @Type(() => ReadingBody) readings: ReadingBody[];
}

@Controller('v1/telemetry')
class IngestController {
  constructor(
    @InjectRepository(Tank) private readonly tanks: Repository<Tank>,
    @InjectRepository(Telemetry) private readonly readings: Repository<Telemetry>,
  ) {}

  @Post()
  @HttpCode(200)
  async take(@Body() { readings }: ReadingsBody) {
    const found = await this.tanks.findBy({ id: In(readings.map((reading) => reading.tank_id)) });
    const keys = new Map(found.map(({ id, key }) => [id, key]));
    const saved = await this.readings.save(
      readings.map((reading) => ({
        tankKey: keys.get(reading.tank_id) ?? '',
        createdAt: reading.created_at,
        fillPercentage: reading.fill_percentage,
      })),
    );
    return { created: saved.length };
  }
}

/** What is known of a tank now, found in its readings. */
const NEWEST_READINGS = `
  SELECT tank.*, owner.name AS owner_name, reading.created_at AS reported_at, reading.fill_percentage, state.alert_order
  FROM tanks tank
  LEFT JOIN customers owner ON owner.id = tank.owner_id AND NOT owner.deleted
  LEFT JOIN tank_states state ON state.tank_key = tank.key
  LEFT JOIN (
    SELECT DISTINCT ON (tank_key) tank_key, created_at, fill_percentage
    FROM telemetry ORDER BY tank_key, created_at DESC
  ) reading ON reading.tank_key = tank.key
  WHERE NOT tank.deleted`;

class FleetListQuery extends ListQuery {
  @IsOptional() @IsBooleanString() low?: string;
  @IsOptional() @IsIn(['fill_percentage', 'alert_at']) sort?: string;
}

interface StatusRow {
  id: string;
  name: string;
  owner_name: string | null;
  reported_at: Date | null;
  fill_percentage: number | null;
  capacity: number;
  min_fill_alert_percentage: number;
}

@Injectable()
class FleetService {
  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  async list({ low, sort, page, size }: FleetListQuery) {
    const order = sort === 'alert_at' ? 'alert_order' : 'fill_percentage';
    const condition = low === 'true' ? 'WHERE fill_percentage <= min_fill_alert_percentage' : '';
    const found = `FROM (${NEWEST_READINGS}) status ${condition}`;
    const [{ count }] = await this.dataSource.query<[{ count: string }]>(`SELECT count(*) ${found}`);
    const rows = await this.dataSource.query<StatusRow[]>(
      `SELECT * ${found} ORDER BY ${order} NULLS LAST, id LIMIT $1 OFFSET $2`,
      [size, (page - 1) * size],
    );
    return new ListResponse(rows.map(toStatus), Number(count), { page, size });
  }

  async summary() {
    const [counts] = await this.dataSource.query<[Record<string, string>]>(
      `SELECT count(*) AS tanks, count(reported_at) AS reported,
              count(*) FILTER (WHERE fill_percentage <= min_fill_alert_percentage) AS low
       FROM (${NEWEST_READINGS}) status`,
    );
    return Object.fromEntries(Object.entries(counts).map(([name, n]) => [name, Number(n)]));
  }
}

function toStatus(row: StatusRow) {
  const { id, name, owner_name, reported_at, fill_percentage, capacity, min_fill_alert_percentage } = row;
  return {
    object: 'tank_status',
    tank_id: id,
    name,
    owner_name,
    reported_at,
    fill_percentage,
    volume: fill_percentage === null ? null : Math.round(capacity * fill_percentage) / 100,
    low: fill_percentage !== null && fill_percentage <= min_fill_alert_percentage,
  };
}

@Controller('v1/fleet')
class FleetController {
  constructor(private readonly fleet: FleetService) {}

  @Get()
  summary() {
    return this.fleet.summary();
  }

  @Get('tanks')
  list(@Query() query: FleetListQuery) {
    return this.fleet.list(query);
  }
}

@Controller('v1/customers')
class CustomersController {
  constructor(private readonly customers: CustomersService) {}

  @Get()
  list(@Query() query: ListQuery): Promise<ListResponse<CustomerResponse>> {
    return this.customers.list(query);
  }
}

@Controller('v1/tanks')
class TanksController {
  constructor(private readonly tanks: TanksService) {}

  @Get()
  list(@Query() query: ListQuery): Promise<ListResponse<TankResponse>> {
    return this.tanks.list(query);
  }

  @Get(':id')
  get(@Param('id') id: string): Promise<TankResponse> {
    return this.tanks.get(id);
  }

  @Get(':id/telemetry')
  async telemetry(
    @Param('id') id: string,
    @Query() query: TelemetryListQuery,
    @Headers('accept') accept: string,
    @Res({ passthrough: true }) response: Response,
  ): Promise<ListResponse<TelemetryResponse> | string> {
    const list = await this.tanks.telemetry(id, query);
    if (accept !== 'text/csv') return list;
    response.type('text/csv');
    const lines = list.data.map(
      ({ createdAt, fillPercentage }) => `${id},${createdAt.toISOString()},${fillPercentage}\r\n`,
    );
    return `tank_id,created_at,fill_percentage\r\n${lines.join('')}`;
  }

  @Get(':id/telemetry/series')
  series(@Param('id') id: string, @Query() query: SeriesListQuery) {
    return this.tanks.series(id, query);
  }
}

const entities = [Customer, Tank, Telemetry, ApiKey];

@Module({
  imports: [
    TypeOrmModule.forRoot({
      type: 'postgres',
      url: process.env['DATABASE_URL'] ?? '',
      entities,
      poolSize: 10,
    }),
    TypeOrmModule.forFeature(entities),
  ],
  controllers: [CustomersController, FleetController, IngestController, TanksController],
  providers: [
    CustomersService,
    FleetService,
    TanksService,
    { provide: APP_GUARD, useClass: ApiKeyGuard },
    { provide: APP_PIPE, useValue: new ValidationPipe({ transform: true, whitelist: true }) },
    { provide: APP_INTERCEPTOR, useClass: LoggingInterceptor },
    { provide: APP_INTERCEPTOR, useClass: ClassSerializerInterceptor },
  ],
})
class AppModule {}

const app = await NestFactory.create(AppModule, {
  logger: new ConsoleLogger({ json: true, logLevels: ['log', 'warn', 'error'] }),
});
app.use(helmet());
app.enableShutdownHooks();
await app.listen(Number(process.env['PORT']), '127.0.0.1');
