// The page for whoever could not sign in: why, in their language, and another try.
import type { Request } from 'express';

const STATUS = {
  failed: 400,
  notBegunHere: 400,
  noAddress: 403,
  noCustomer: 403,
  tooOften: 429,
  away: 503,
  broken: 503,
} as const;
type Reason = keyof typeof STATUS;

/** Why somebody could not sign in. */
export class SignInRefused extends Error {
  readonly status: number;

  constructor(readonly reason: Reason) {
    super(reason);
    this.status = STATUS[reason];
  }
}

type Words = Readonly<Record<Reason | 'title' | 'again' | 'start', string>>;

const WORDS: Readonly<Record<'en' | 'de', Words>> = {
  en: {
    title: 'You are not signed in',
    again: 'Try again',
    start: 'Go to the start',
    failed: 'The sign-in could not be finished: it was begun elsewhere, took too long, or was cancelled.',
    notBegunHere: 'This sign-in was not begun in this browser, or more than 10 minutes ago.',
    noAddress:
      'The identity provider did not confirm an email address of yours. Ask whoever manages your account there.',
    noCustomer: 'The customer that you belong to is not there any more.',
    tooOften: 'There were too many tries from your network. Try again in a moment.',
    away: 'The identity provider cannot be reached right now. Try again in a moment.',
    broken: 'Signing in does not work right now. Try again in a moment.',
  },
  de: {
    title: 'Sie sind nicht angemeldet',
    again: 'Noch einmal versuchen',
    start: 'Zur Startseite',
    failed:
      'Die Anmeldung wurde nicht abgeschlossen: Sie wurde anderswo begonnen, dauerte zu lange oder wurde abgebrochen.',
    notBegunHere: 'Diese Anmeldung wurde nicht in diesem Browser begonnen oder ist mehr als 10 Minuten alt.',
    noAddress:
      'Der Anmeldedienst hat keine E-Mail-Adresse von Ihnen bestätigt. Fragen Sie, wer Ihr Konto dort verwaltet.',
    noCustomer: 'Den Kunden, zu dem Sie gehören, gibt es nicht mehr.',
    tooOften: 'Aus Ihrem Netz gab es zu viele Versuche. Versuchen Sie es gleich noch einmal.',
    away: 'Der Anmeldedienst ist gerade nicht erreichbar. Versuchen Sie es gleich noch einmal.',
    broken: 'Die Anmeldung geht gerade nicht. Versuchen Sie es gleich noch einmal.',
  },
};

export function pageWith(reason: Reason, request: Request): string {
  const language = request.acceptsLanguages('en', 'de') === 'de' ? 'de' : 'en';
  const words = WORDS[language];
  return `<!doctype html>
<html lang="${language}">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${words.title}</title>
<body style="font: 1rem/1.5 system-ui, sans-serif; max-width: 36rem; margin: 4rem auto; padding: 0 1rem">
<h1>${words.title}</h1>
<p>${words[reason]}</p>
<p><a href="login">${words.again}</a> · <a href="../fleet">${words.start}</a></p>
</body>
</html>
`;
}
