// Asks before a form is left in which something is entered and not saved.
import { useEffect, useState } from 'preact/hooks';
import { Question } from './confirm.js';
import { Dialog } from './dialog.js';
import { words } from '../words/words.js';

type Leave = () => void;

let ask = (leave: Leave) => leave();

export const askToLeave = (leave: Leave): void => ask(leave);

/** Once on the page. */
export function LeaveDialog() {
  const [asked, setAsked] = useState<{ readonly leave: Leave }>();
  useEffect(() => {
    ask = (leave) => setAsked({ leave });
  }, []);
  if (asked === undefined) return null;
  return (
    <Dialog title={words.form.leave} onClose={() => setAsked(undefined)}>
      {(close) => (
        <Question
          cancel={words.form.stay}
          onCancel={close}
          action={words.form.leaveDo}
          onConfirm={() => {
            close();
            asked.leave();
          }}
        >
          {words.form.leaveNote}
        </Question>
      )}
    </Dialog>
  );
}
