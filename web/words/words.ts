// The words of the reader's language: that of the browser, as far as the page has it.
import { LANGUAGE } from '../format.js';
import { de } from './de.js';
import { en, type Words } from './en.js';

export const words: Words = { en, de }[LANGUAGE];
