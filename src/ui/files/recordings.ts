import { exportLog } from '../../telemetry/shell/store/sessionSource.ts';
import type { SessionStore, StoredSession } from '../../telemetry/shell/store/sessionStore.ts';
import type { SessionLog } from '../../telemetry/schema/sessionLog.ts';
import { formatElapsed } from '../../shared/format.ts';
import { ruleLook } from '../../charts/ruleLook.ts';
import { byId, html, setTo } from '../dom.ts';

interface Options {
  readonly store: SessionStore;
  /** Id of the session that this page records or has recorded last: it is on show already. */
  readonly own: () => string | null;
  readonly onOpen: (log: SessionLog, name: string) => void;
  readonly onFault: (sentence: string) => void;
}

/** More are not listed: a list of hundreds helps nobody, and older ones follow as these are removed. */
const MAX_LISTED = 30;

/** Lists the recordings that this browser keeps, in the dialog that opens sessions. */
export function listRecordings({ store, own, onOpen, onFault }: Options): void {
  const dialog = byId('drop', HTMLDialogElement);
  const list = byId('recordings-list', HTMLUListElement);
  const attempt = (act: () => Promise<void>): void =>
    void act().catch((fault: unknown) =>
      onFault(`A recording could not be listed, opened or removed: ${String(fault)}`),
    );
  const refresh = async (): Promise<void> => {
    const kept = (await store.list()).filter(({ id, live }) => !live && id !== own());
    list.replaceChildren(
      ...kept.slice(0, MAX_LISTED).map((session) =>
        rowOf(session, {
          open: () => attempt(() => open(session)),
          remove: () => attempt(() => remove(session)),
        }),
      ),
    );
    setTo(byId('recordings', HTMLElement), 'hidden', kept.length === 0);
  };
  const open = async (session: StoredSession): Promise<void> => {
    const log = await exportLog(store, session.id);
    dialog.close();
    onOpen(log, nameOf(session));
  };
  const remove = async ({ id }: StoredSession): Promise<void> => {
    await store.remove(id);
    await refresh();
    // The button that had the focus is gone.
    (list.querySelector('button') ?? byId('choose-file', HTMLButtonElement)).focus();
  };
  attempt(refresh);
}

interface Acts {
  readonly open: () => void;
  readonly remove: () => void;
}

function rowOf(session: StoredSession, { open, remove }: Acts): HTMLElement {
  const name = nameOf(session);
  const about = [formatElapsed(session.endMs), session.rule && ruleLook(session.rule).label, session.mpdUrl];
  const openButton = buttonOf('Open', name, open);
  const removeButton = buttonOf('Remove', name, () => {
    if (removeButton.textContent !== 'Remove') return remove();
    removeButton.textContent = 'Really remove?';
    removeButton.setAttribute('aria-label', `Really remove the ${name}?`);
  });
  return html(
    'li',
    { 'data-session': session.id },
    html('b', {}, name),
    html('span', {}, about.filter(Boolean).join(' · ')),
    openButton,
    removeButton,
  );
}

function buttonOf(label: string, name: string, run: () => void): HTMLButtonElement {
  const made = html(
    'button',
    { type: 'button', class: 'btn quiet', 'aria-label': `${label} the ${name}` },
    label,
  );
  made.addEventListener('click', run);
  return made;
}

/** "recording of 25 Nov 2026, 18:24". */
function nameOf({ startedAtUnixMs }: StoredSession): string {
  const at = new Date(startedAtUnixMs);
  const day = at.toLocaleDateString('en-GB', { dateStyle: 'medium' });
  return `recording of ${day}, ${at.toLocaleTimeString('en-GB', { timeStyle: 'short' })}`;
}
