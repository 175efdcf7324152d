import type { Phase, Runner } from './session/run.ts';
import type { ShownSession } from './session/shownSession.ts';
import { byId, setText, setTo } from './dom.ts';
import { formatElapsed } from '../shared/format.ts';

/** What header, start button and picture say. */
interface PageState {
  readonly phase: Phase;
  /** Name of the file on show; null while the page shows its own session. */
  readonly openedName: string | null;
  readonly recording: boolean;
  /** Time recorded so far; null before the first session. */
  readonly recordedMs: number | null;
}

export function pageState(runs: Pick<Runner, 'run' | 'pending'>, shown: ShownSession | null): PageState {
  const run = runs.run();
  const pending = runs.pending().phase;
  const own = run?.session ?? null;
  const opened = shown !== own ? shown : null;
  return {
    phase: pending === 'idle' && run ? run.phase() : pending,
    openedName: opened && opened.name,
    recording: own !== null && own.growing(),
    recordedMs: own && own.series.lastMs,
  };
}

/** Recording mark, Stop, and the name of an opened session. */
export function header(listeners: { onStop: () => void; onBack: () => void }): (state: PageState) => void {
  const stops = [byId('stop', HTMLButtonElement), byId('stop-short', HTMLButtonElement)];
  for (const stop of stops) stop.addEventListener('click', listeners.onStop);
  const back = byId('back-to-live', HTMLButtonElement);
  back.addEventListener('click', listeners.onBack);
  return ({ recordedMs, recording, openedName }) => {
    const mark = byId('rec', HTMLElement);
    setTo(mark, 'hidden', recordedMs === null);
    mark.classList.toggle('done', !recording);
    setText(byId('rec-word', HTMLElement), recording ? 'Recording' : 'Recorded');
    setText(byId('rec-time', HTMLElement), formatElapsed(recordedMs ?? 0));
    for (const stop of stops) setTo(stop, 'hidden', !recording);
    setTo(back, 'hidden', openedName === null);
    const name = byId('opened-name', HTMLElement);
    setTo(name, 'hidden', openedName === null);
    setText(name, openedName === null ? '' : `Opened: ${openedName}`);
    setTo(name, 'title', openedName ?? '');
    setText(byId('page-title', HTMLElement), openedName === null ? 'Live session' : 'Opened session');
    setTo(document, 'title', `${openedName ?? 'Live'} · Pitwall`);
  };
}
