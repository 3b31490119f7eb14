// What was done, with a way to undo it, until the visitor goes elsewhere.
import { useEffect, useState } from 'preact/hooks';
import { detailOf, isTrouble } from './api/troubles.js';
import { addressOf, go, type Route } from './route.js';
import { words } from './words/words.js';

export function useNotice(route: Route) {
  const [notice, setNotice] = useState<Notice>(NOTHING);
  const address = addressOf(route);
  useEffect(() => setNotice((before) => (before.at === address ? before : NOTHING)), [address]);
  /** The way back does not lead into a form that is done with. */
  const leaveWith: Leave = (text, next, back) => {
    setNotice({ text, at: addressOf(next), undo: back });
    go(next, { replace: true });
  };
  const undo = async () => {
    const { undo: back, ...said } = notice;
    setNotice({ ...said, text: words.page.undoing });
    try {
      await back?.(leaveWith);
    } catch (error) {
      if (!isTrouble(error)) throw error;
      setNotice({ ...notice, text: words.page.notUndone(detailOf(error)) });
    }
  };
  return { notice: notice.at === address ? notice : NOTHING, leaveWith, undo };
}

/** Says what was done, shows what is left, and may know how to undo it. */
export type Leave = (notice: string, next: Route, undo?: Undo) => void;
type Undo = (leave: Leave) => Promise<void>;

/** The undo that brings something back and shows it. */
export function undoBy(restore: (() => Promise<unknown>) | undefined, notice: string, next: Route) {
  if (restore === undefined) return undefined;
  return async (leave: Leave) => {
    await restore();
    leave(notice, next);
  };
}

interface Notice {
  readonly text: string;
  readonly at: string;
  readonly undo?: Undo | undefined;
}

const NOTHING: Notice = { text: '', at: '' };
