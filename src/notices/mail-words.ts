// What mails and the pages behind their links say, in each language.
import type { EventType } from '../rules.js';
import type { Language } from './recipient-state.js';

/** In the order in which a subject counts them. */
export const TOLD_TYPES = [
  'tank.low',
  'tank.silent',
  'tank.recovered',
  'tank.refilled',
  'tank.reporting',
] as const satisfies readonly EventType[];

type Verbs = Readonly<Record<EventType, readonly [one: string, many: string]>>;

const ENGLISH = {
  locale: 'en-GB',
  tank: ['tank', 'tanks'],
  verbs: {
    'tank.low': ['is low', 'are low'],
    'tank.silent': ['is silent', 'are silent'],
    'tank.recovered': ['has recovered', 'have recovered'],
    'tank.refilled': ['was refilled', 'were refilled'],
    'tank.reporting': ['reports again', 'report again'],
  } satisfies Verbs,
  due: ['needs gas within 7 days', 'need gas within 7 days'],
  dueHeading: 'Low, or perhaps within 7 days, the soonest empty first',
  silentHeading: 'Silent',
  daily: 'Your tanks today',
  level: (percent: string, volume: string, capacity: string) => `${percent} (${volume} of ${capacity})`,
  units: { liters: 'liters', gallons: 'gallons' },
  alertAt: 'alert at',
  lastReading: 'last reading',
  empty: 'Expected empty',
  between: (from: string, to: string) => `between ${from} and ${to}`,
  notBefore: (from: string) => `${from} at the earliest`,
  later: 'later than in 180 days',
  fits: (level: string) => `Fits (to ${level})`,
  phone: 'Phone',
  more: (n: number) => `and ${n} more`,
  open: 'Open the tank',
  openAll: 'Open the fleet',
  whyOf: (customer: string) => `You get this mail because you are told about the tanks of ${customer}.`,
  why: 'You get this mail because you are told about the tanks of this installation.',
  unsubscribe: 'Unsubscribe',
  confirmSubject: 'Please confirm: mails about tanks',
  confirmSubjectOf: (customer: string) => `Please confirm: mails about the tanks of ${customer}`,
  confirmIntro: (whose: string) => `Somebody asked that this address be told by mail about ${whose}.`,
  confirmWhose: (customer: string) => `the tanks of ${customer}`,
  confirmWhoseAll: 'tanks',
  confirmAsk: 'If that is right, open the link and press the button. The link holds for 7 days.',
  confirmElse: 'If it is not, do nothing: you will get no other mail.',
  confirm: 'Confirm',
  testSubject: 'Test mail of the tank monitoring',
  testIntro: 'This is a test. Mails of the tank monitoring reach you.',
  page: {
    confirm: {
      title: 'Get mails about tanks?',
      text: 'Mails go to this address as soon as you confirm.',
      button: 'Confirm',
    },
    confirmed: { title: 'Confirmed', text: 'From now on you are told by mail.', button: '' },
    unsubscribe: {
      title: 'Get no more mails?',
      text: 'You will no longer be told by mail.',
      button: 'Unsubscribe',
    },
    unsubscribed: { title: 'Unsubscribed', text: 'You get no more mails.', button: '' },
  },
};

const GERMAN: typeof ENGLISH = {
  locale: 'de',
  tank: ['Tank', 'Tanks'],
  verbs: {
    'tank.low': ['ist niedrig', 'sind niedrig'],
    'tank.silent': ['meldet sich nicht', 'melden sich nicht'],
    'tank.recovered': ['hat sich erholt', 'haben sich erholt'],
    'tank.refilled': ['wurde befüllt', 'wurden befüllt'],
    'tank.reporting': ['meldet sich wieder', 'melden sich wieder'],
  },
  due: ['braucht in 7 Tagen Gas', 'brauchen in 7 Tagen Gas'],
  dueHeading: 'Niedrig, oder vielleicht in 7 Tagen, was zuerst leer ist, zuerst',
  silentHeading: 'Ohne Meldung',
  daily: 'Ihre Tanks heute',
  level: (percent, volume, capacity) => `${percent} (${volume} von ${capacity})`,
  units: { liters: 'Liter', gallons: 'Gallonen' },
  alertAt: 'Warnung bei',
  lastReading: 'letzte Messung',
  empty: 'Voraussichtlich leer',
  between: (from, to) => `zwischen ${from} und ${to}`,
  notBefore: (from) => `frühestens ${from}`,
  later: 'später als in 180 Tagen',
  fits: (level) => `Platz (bis ${level})`,
  phone: 'Telefon',
  more: (n) => `und ${n} weitere`,
  open: 'Tank öffnen',
  openAll: 'Flotte öffnen',
  whyOf: (customer) =>
    `Sie bekommen diese Mail, weil Sie über die Tanks von ${customer} benachrichtigt werden.`,
  why: 'Sie bekommen diese Mail, weil Sie über die Tanks dieser Installation benachrichtigt werden.',
  unsubscribe: 'Abbestellen',
  confirmSubject: 'Bitte bestätigen: Mails über Tanks',
  confirmSubjectOf: (customer) => `Bitte bestätigen: Mails über die Tanks von ${customer}`,
  confirmIntro: (whose) => `Jemand möchte, dass diese Adresse Mails über ${whose} bekommt.`,
  confirmWhose: (customer) => `die Tanks von ${customer}`,
  confirmWhoseAll: 'Tanks',
  confirmAsk: 'Wenn das stimmt, öffnen Sie den Link und drücken Sie den Knopf. Der Link gilt 7 Tage.',
  confirmElse: 'Wenn nicht, tun Sie nichts: Sie bekommen keine weitere Mail.',
  confirm: 'Bestätigen',
  testSubject: 'Testmail der Tanküberwachung',
  testIntro: 'Das ist ein Test. Mails der Tanküberwachung erreichen Sie.',
  page: {
    confirm: {
      title: 'Mails über Tanks bekommen?',
      text: 'Mails kommen an diese Adresse, sobald Sie bestätigen.',
      button: 'Bestätigen',
    },
    confirmed: { title: 'Bestätigt', text: 'Ab jetzt werden Sie per Mail benachrichtigt.', button: '' },
    unsubscribe: {
      title: 'Keine Mails mehr bekommen?',
      text: 'Sie werden dann nicht mehr per Mail benachrichtigt.',
      button: 'Abbestellen',
    },
    unsubscribed: { title: 'Abbestellt', text: 'Sie bekommen keine Mails mehr.', button: '' },
  },
};

export type Words = typeof ENGLISH;
export const WORDS: Readonly<Record<Language, Words>> = { en: ENGLISH, de: GERMAN };

const MOST_CHARACTERS = 100;
/** Controls, marks that turn the direction of writing, and what has no meaning. The two that join letters stay. */
const UNSEEN = /(?![\u200c\u200d])[\p{C}\p{Zl}\p{Zp}]/gu;

/** A name, as data: no line, no markup that hides, no link comes out of it. */
export function safe(text: string | null | undefined): string {
  const plain = (text ?? '').replaceAll(UNSEEN, ' ').replaceAll('://', ': //').replaceAll(/www\./gi, 'www .');
  const characters = Array.from(plain.replaceAll(/\s+/g, ' ').trim());
  return characters.length <= MOST_CHARACTERS
    ? characters.join('')
    : `${characters.slice(0, MOST_CHARACTERS - 1).join('')}…`;
}

export const percent = (level: number): string => `${Math.round(level)} %`;

/** `Boiler house is low: 18 %`. */
export function happening(language: Language, type: EventType, name: string, level: number): string {
  const said = `${safe(name)} ${WORDS[language].verbs[type][0]}`;
  return type === 'tank.silent' || type === 'tank.reporting' ? said : `${said}: ${percent(level)}`;
}

/** `3 tanks are low, 1 is silent`: in the order of TOLD_TYPES, without what is none. */
export function counted(
  language: Language,
  counts: readonly number[],
  verbs?: readonly (readonly string[])[],
): string {
  const { tank, verbs: usual } = WORDS[language];
  const said = verbs ?? TOLD_TYPES.map((type) => usual[type]);
  const parts = counts.flatMap((n, i) => (n === 0 ? [] : [[n, said[i]?.[n === 1 ? 0 : 1] ?? ''] as const]));
  return parts
    .map(([n, verb], i) => (i === 0 ? `${n} ${tank[n === 1 ? 0 : 1]} ${verb}` : `${n} ${verb}`))
    .join(', ');
}

export function confirmationSubject(language: Language, customer: string | null): string {
  const { confirmSubject, confirmSubjectOf } = WORDS[language];
  return customer === null ? confirmSubject : confirmSubjectOf(safe(customer));
}
