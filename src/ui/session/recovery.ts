import type { SessionHeader } from '../../telemetry/schema/sessionLog.ts';
import { sessionBlob, readStoredSource } from '../../telemetry/shell/store/sessionSource.ts';
import type { SessionStore, StoredSession } from '../../telemetry/shell/store/sessionStore.ts';
import { byId, html } from '../dom.ts';
import { download } from '../files/download.ts';
import { formatElapsed, formatSplit } from '../../shared/format.ts';
import { formatRule } from '../../player/rules.ts';
import { pathwaysText, playerIn } from '../setup/openedSetup.ts';
import type { Linked } from '../setup/sharedLink.ts';

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
  const text = html(
    'p',
    {},
    'A recording of ',
    html('b', {}, session.mpdUrl ?? 'an unknown stream'),
    ` (${formatElapsed(session.endMs)}) was cut off.`,
  );
  const bar = html('div', { class: 'bar recovery', 'data-session': session.id }, text);
  const act = (label: string, run: () => Promise<void> | void): HTMLButtonElement => {
    const button = html('button', { type: 'button', class: 'btn' }, label);
    button.addEventListener('click', () => {
      button.disabled = true;
      Promise.resolve(run())
        .catch((fault: unknown) => onFault(`${label} did not work: ${String(fault)}`))
        .finally(() => (button.disabled = false));
    });
    return button;
  };
  const save = act('Export', async () => {
    download(await sessionBlob(await readStoredSource(store, session.id)), `pitwall-${session.id}.json`);
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

/** Where and with what a recording that was cut off goes on. */
interface ResumePoint extends Partial<Omit<Linked, 'autoplay'>> {
  /** null for live: it goes on at the live edge. */
  readonly startMs: number | null;
}

/** Reads the resume point out of the store. `typed` is the address in the start form. */
export async function resumePoint(store: SessionStore, id: string, typed: string): Promise<ResumePoint> {
  const header = await store.header(id);
  let live = false;
  let startMs: number | null = null;
  for await (const batch of store.events(id, ['manifest', 'playback'])) {
    for (const event of batch) {
      if (event.kind === 'manifest') live = event.type === 'dynamic';
      if (event.kind === 'playback') startMs = Math.max(0, event.playheadMs);
    }
  }
  return { ...(header && setupIn(header.environment, typed)), startMs: live ? null : startMs };
}

type Environment = SessionHeader['environment'];

/** What the log says of the set-up, as a link has it. */
function setupIn(
  { mpdUrl, rule, ruleParameters, preset, steering, ...others }: Environment,
  typed: string,
): Omit<ResumePoint, 'startMs'> {
  return {
    mpd: withQuery(mpdUrl, typed),
    player: playerIn(others),
    rule: rule && formatRule(rule, ruleParameters),
    preset,
    pathways: pathwaysText(steering),
    steering: policyText(steering),
    split: formatSplit(others),
  };
}

/** With all its parameters: those that it comes with may be others by now. */
function policyText(steering: Environment['steering']): string {
  if (!steering) return '';
  const settings = Object.entries(steering.parameters).map(([name, value]) => `${name}=${value}`);
  return [steering.policy, ...settings].join(':');
}

/** The log has no query values (signed tokens must not leave): the same address in the form still has them. */
function withQuery(logged: string | null, typed: string): string | null {
  const [ours, theirs] = [URL.parse(logged ?? ''), URL.parse(typed)];
  const same = ours && theirs && ours.origin === theirs.origin && ours.pathname === theirs.pathname;
  return same ? typed : logged;
}
