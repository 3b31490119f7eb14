// What mails say: of events, of a day, of a confirmation and of a test.
import type { Pool } from 'pg';
import type { EventRow } from '../alerts/event-row.js';
import { HOUR_MS } from '../common/datetime/datetime.js';
import type { Config } from '../platform/config/config.js';
import type { NoticeKind } from './dto/notice.response.js';
import type { Links } from './links.js';
import type { Mail, MailItem } from './mail.js';
import { confirmationSubject, counted, happening, percent, safe, WORDS } from './mail-words.js';
import { IS_DUE, IS_SILENT, IS_URGENT, MOST_LINES } from './notices.statements.js';
import type { Language } from './recipient-state.js';

export interface Addressed {
  readonly id: string;
  readonly kind: NoticeKind;
  readonly subject: string;
  readonly event_ids: readonly string[];
  readonly event_count: number;
  readonly recipient_id: string;
  readonly email: string;
  readonly language: Language;
  readonly time_zone: string;
  readonly owner_id: string | null;
  readonly link_number: number;
  /** The name of its customer. */
  readonly customer: string | null;
}

type Place = Record<'street' | 'street_number' | 'postal_code' | 'city', string | null>;

interface TankFacts extends Readonly<Place> {
  readonly id: string;
  readonly owner_id: string;
  readonly name: string;
  readonly custom_id: string | null;
  readonly owner_name: string | null;
  readonly phone: string | null;
  readonly capacity: number;
  readonly capacity_unit: 'liters' | 'gallons';
  readonly threshold: number;
  readonly level: number | null;
  readonly reported_at: Date | null;
  readonly is_silent: boolean;
  /** Whole hours since 1970: p10, p50, p90; null without a forecast. */
  readonly empty_hours: readonly (number | null)[] | null;
}

const FACTS = `
  select tank.id, tank.owner_id, tank.name, tank.custom_id, owner.name as owner_name, owner.phone, tank.street, tank.street_number,
         tank.postal_code, tank.city, tank.capacity, tank.capacity_unit, tank.min_fill_alert_percentage as threshold,
         state.fill_percentage as level, state.reported_at, ${IS_SILENT} as is_silent,
         case when state.forecast_made_at is not null then to_json(known.empty_hours) end as empty_hours
  from tanks tank join tank_states state on state.tank_key = tank.key
  left join tank_forecasts known on known.tank_key = tank.key
  left join customers owner on owner.id = tank.owner_id and not owner.deleted`;

const EVENTS = `
  select id, type, created_at, tank_id, owner_id, data from events where id = any ($1) order by created_at, id`;
const TANKS = `${FACTS} where tank.id = any ($1) and not tank.deleted`;

/** $1, $2: as of IS_DUE; $3: the owner. */
const ofDay = (condition: string, order: string): string => `
  select counted.*, tank.*
  from (select count(*)::integer as total, count(*) filter (where ${IS_URGENT})::integer as urgent from tank_states state
        where state.fleet_group is not null and ($3::text is null or state.owner_id = $3) and ${condition}) counted
  left join lateral (
    ${FACTS} where state.fleet_group is not null and ($3::text is null or state.owner_id = $3) and ${condition}
    order by ${order} limit ${MOST_LINES}
  ) tank on true`;
const DUE_TANKS = ofDay(
  IS_DUE,
  'known.empty_hours[2] nulls last, known.empty_hours[1] nulls last, not state.low, state.fill_percentage, tank.id',
);
const SILENT_TANKS = ofDay(`${IS_SILENT} and not ${IS_DUE}`, 'state.reported_at, tank.id');

export const lastHour = (now: number): number => Math.floor(now / HOUR_MS) + 7 * 24;

type Database = Pick<Pool, 'query'>;
type MailFacts = Pick<Config, 'fillToPercent' | 'publicUrl'>;

/** Undefined when there is nothing to say any more. */
export async function writeMail(
  database: Database,
  to: Addressed,
  links: Links,
  config: MailFacts,
): Promise<Mail | undefined> {
  const addressee = { id: to.recipient_id, email: to.email, link_number: to.link_number };
  if (to.kind === 'confirmation') return confirmationMail(to, links.confirm(addressee));
  const writer = new Writer(to, config);
  const body = to.kind === 'daily' ? await writer.daily(database) : await writer.events(database);
  return body && withFoot(body, to, links.unsubscribe(addressee));
}

export function testMail({ language }: { readonly language: Language }, unsubscribe: string): Mail {
  const { testSubject, testIntro } = WORDS[language];
  const to = { language, customer: null };
  return withFoot({ subject: testSubject, intro: [testIntro], parts: [] }, to, unsubscribe);
}

/** It holds nothing that a caller wrote but the customer's name. */
function confirmationMail({ language, customer }: Addressed, link: string): Mail {
  const words = WORDS[language];
  const whose = customer === null ? words.confirmWhoseAll : words.confirmWhose(safe(customer));
  return {
    subject: confirmationSubject(language, customer),
    intro: [words.confirmIntro(whose), words.confirmAsk],
    parts: [],
    button: [words.confirm, link],
    foot: [words.confirmElse],
  };
}

type Body = Omit<Mail, 'foot' | 'unsubscribe'>;

function withFoot(
  body: Body,
  { language, customer }: Pick<Addressed, 'language' | 'customer'>,
  unsubscribe: string,
): Mail {
  const { why, whyOf, unsubscribe: label } = WORDS[language];
  return {
    ...body,
    foot: [customer === null ? why : whyOf(safe(customer))],
    unsubscribe: [label, unsubscribe],
  };
}

/** Writes to one recipient, in its language and time zone. */
class Writer {
  private readonly words;
  private readonly numbers;
  private readonly days;
  private readonly moments;
  private readonly publicUrl: string;
  private readonly fillTo: number;

  constructor(
    private readonly to: Addressed,
    { publicUrl = '', fillToPercent }: MailFacts,
  ) {
    this.publicUrl = publicUrl;
    this.fillTo = fillToPercent;
    this.words = WORDS[to.language];
    const { locale } = this.words;
    const day = { weekday: 'short', day: 'numeric', month: 'short', timeZone: to.time_zone } as const;
    this.numbers = new Intl.NumberFormat(locale, { maximumFractionDigits: 0 });
    this.days = new Intl.DateTimeFormat(locale, day);
    this.moments = new Intl.DateTimeFormat(locale, { ...day, hour: '2-digit', minute: '2-digit' });
  }

  async events(database: Database): Promise<Body | undefined> {
    const { subject, event_ids: ids, event_count: total } = this.to;
    const { rows } = await database.query<EventRow & { created_at: Date }>(EVENTS, [ids]);
    const { rows: tanks } = await database.query<TankFacts>(TANKS, [rows.map(({ tank_id: id }) => id)]);
    const items = rows.map((event): MailItem => {
      const now = tanks.find(({ id, owner_id: owner }) => id === event.tank_id && owner === event.owner_id);
      const { reading, tank } = event.data;
      const title = happening(this.to.language, event.type, now?.name ?? tank.name, reading.fill_percentage);
      const facts = { ...factsOf(event), ...now, level: now?.level ?? reading.fill_percentage };
      return this.item(title, facts, now !== undefined, [this.moments.format(new Date(reading.created_at))]);
    });
    if (items.length === 0) return undefined;
    return {
      subject,
      intro: [],
      parts: [{ items }],
      more: this.more(total - items.length),
      button: this.fleet(),
    };
  }

  async daily(database: Database): Promise<Body | undefined> {
    const values = [lastHour(Date.now()), this.fillTo, this.to.owner_id];
    const read = async (statement: string) => {
      const { rows } = await database.query<TankFacts & { total: number; urgent: number }>(statement, values);
      const [{ total, urgent } = { total: 0, urgent: 0 }] = rows;
      return { total, urgent, tanks: rows.filter(({ id }) => id !== null) };
    };
    const [due, silent] = [await read(DUE_TANKS), await read(SILENT_TANKS)];
    const all = due.total + silent.total;
    if (all === 0) return undefined;
    const { due: verbs, verbs: usual, dueHeading, silentHeading, daily } = this.words;
    const ofDue = due.tanks.map((tank) => this.item(safe(tank.name), tank, true, [], this.delivery(tank)));
    const ofSilent = silent.tanks.map((tank) => this.item(safe(tank.name), tank, true, []));
    ofSilent.splice(MOST_LINES - ofDue.length);
    const counts = [due.urgent, silent.total];
    return {
      subject: counted(this.to.language, counts, [verbs, usual['tank.silent']]) || daily,
      intro: [],
      parts: [
        { heading: dueHeading, items: ofDue },
        { heading: silentHeading, items: ofSilent },
      ],
      more: this.more(all - ofDue.length - ofSilent.length),
      button: this.fleet(),
    };
  }

  /** `isThere`: not deleted and still of the same owner, so that more than the event holds may be said. */
  private item(
    title: string,
    tank: TankFacts,
    isThere: boolean,
    first: readonly string[],
    last: readonly string[] = [],
  ): MailItem {
    const street = [tank.street, tank.street_number].filter(Boolean).join(' ');
    const city = [tank.postal_code, tank.city].filter(Boolean).join(' ');
    const who = [tank.custom_id, tank.owner_name, [street, city].filter(Boolean).join(', ')];
    const outlook = isThere ? this.outlook(tank) : [];
    const known = who.map(safe).filter(Boolean).join(' · ');
    const lines = [...first, known, this.level(tank), ...outlook, ...last].filter((line) => line !== '');
    const address = `${this.publicUrl}/fleet?tank=${encodeURIComponent(tank.id)}`;
    return { title, lines, ...(isThere ? { link: [this.words.open, address] as const } : {}) };
  }

  private level(tank: TankFacts): string {
    const { level, capacity, capacity_unit: unit, threshold, reported_at: at, is_silent: isSilent } = tank;
    const { level: said, alertAt, lastReading } = this.words;
    if (level === null) return '';
    const full = said(
      percent(level),
      this.numbers.format((capacity * level) / 100),
      this.volume(capacity, unit),
    );
    const since = isSilent && at !== null ? `, ${lastReading} ${this.moments.format(at)}` : '';
    return `${capacity > 0 ? full : percent(level)}, ${alertAt} ${percent(threshold)}${since}`;
  }

  private outlook({ empty_hours: hours }: TankFacts): string[] {
    if (hours === null) return [];
    const { empty, between, notBefore, later } = this.words;
    const [from, likely, to] = hours.map((hour) =>
      hour === null ? null : this.days.format(new Date(hour * HOUR_MS)),
    );
    if (from == null) return [`${empty}: ${later}`];
    return [`${empty}: ${likely ?? later} (${to == null ? notBefore(from) : between(from, to)})`];
  }

  private delivery({ capacity, capacity_unit: unit, level, phone }: TankFacts): string[] {
    const { fits, phone: label } = this.words;
    const room = Math.max(0, (capacity * (this.fillTo - (level ?? this.fillTo))) / 100);
    return [
      `${fits(percent(this.fillTo))}: ${this.volume(room, unit)}`,
      ...(phone === null ? [] : [`${label}: ${safe(phone)}`]),
    ];
  }

  private fleet(): readonly [string, string] {
    return [this.words.openAll, `${this.publicUrl}/fleet`];
  }

  private more(n: number): string | undefined {
    return n > 0 ? this.words.more(n) : undefined;
  }

  private volume(value: number, unit: 'liters' | 'gallons'): string {
    return `${this.numbers.format(value)} ${this.words.units[unit]}`;
  }
}

/** Of a tank that is gone, or another's by now. */
const factsOf = ({ tank_id: id, owner_id, data }: EventRow): TankFacts =>
  Object.assign({}, data.location, {
    id,
    owner_id,
    name: data.tank.name,
    custom_id: data.tank.custom_id,
    owner_name: data.owner.name,
    phone: null,
    capacity: data.tank.capacity ?? 0,
    capacity_unit: data.tank.capacity_unit ?? 'liters',
    threshold: data.min_fill_alert_percentage,
    level: data.reading.fill_percentage,
    reported_at: null,
    is_silent: false,
    empty_hours: null,
  });
