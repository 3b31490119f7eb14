// Every migration, oldest first. A migration that has been released is never edited; the next change is a new file.
import { Resources1767225600000 } from './1767225600000-resources.js';
import { CountedLists1767225600001 } from './1767225600001-counted-lists.js';

export const migrations = [Resources1767225600000, CountedLists1767225600001];
