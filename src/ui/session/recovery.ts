import { sessionBlob, storedSource } from '../../telemetry/shell/store/sessionSource.ts';
import type { SessionStore, StoredSession } from '../../telemetry/shell/store/sessionStore.ts';
import { byId } from '../byId.ts';
import { element } from '../element.ts';
import { download } from '../files/download.ts';
import { formatElapsed } from '../../shared/format.ts';

interface Options {
  readonly store: SessionStore;
  readonly onResume: (session: StoredSession) => void;
  readonly onFault: (message: string) => void;
}

/** Bars shown at once; older ones follow as these are dealt with. */
const MAX_BARS = 3;

/** Offers recordings that a crash or reload cut off. Resolves to them, newest first. */
export async function recovery(options: Options): Promise<readonly StoredSession[]> {
  const host = byId('recovery', HTMLDivElement);
  const all = await options.store.list();
  const cutOff = all.filter(({ finished, live }) => !finished && !live);
  const again = (): void => void recovery(options);
  host.replaceChildren(...cutOff.slice(0, MAX_BARS).map((session) => barOf(session, options, again)));
  host.hidden = cutOff.length === 0;
  return cutOff;
}

function barOf(
  session: StoredSession,
  { store, onResume, onFault }: Options,
  again: () => void,
): HTMLElement {
  const text = element(
    'p',
    {},
    'A recording of ',
    element('b', {}, session.mpdUrl ?? 'an unknown stream'),
    ` (${formatElapsed(session.endMs)}) was cut off.`,
  );
  const bar = element('div', { class: 'bar recovery', 'data-session': session.id }, text);
  const act = (label: string, run: () => Promise<void> | void): HTMLButtonElement => {
    const button = element('button', { type: 'button', class: 'btn' }, label);
    button.addEventListener('click', () => {
      button.disabled = true;
      Promise.resolve(run())
        .catch((fault: unknown) => onFault(`${label} did not work: ${String(fault)}`))
        .finally(() => (button.disabled = false));
    });
    return button;
  };
  const save = act('Export', async () => {
    download(
      await sessionBlob(await storedSource(store, session.id), 'session'),
      `pitwall-${session.id}.json`,
    );
  });
  const resume = act('Resume', () => {
    bar.remove();
    onResume(session);
  });
  const discard = act('Discard', async () => {
    if (discard.dataset['sure'] === undefined) {
      discard.dataset['sure'] = '';
      discard.textContent = 'Really discard?';
      return;
    }
    await store.remove(session.id);
    again();
  });
  resume.hidden = session.mpdUrl === null;
  bar.append(save, resume, discard);
  return bar;
}
