import { byId } from './byId.ts';
import { setText } from './setText.ts';
import { setTo } from './setTo.ts';
import { formatElapsed } from '../shared/format.ts';

export interface HeaderState {
  /** Time recorded so far; null before the first session. */
  readonly recordedMs: number | null;
  readonly recording: boolean;
  /** Name of the opened file; null while the page shows its own session. */
  readonly openedName: string | null;
}

/** Recording mark, Stop, and the name of an opened session. */
export function header(listeners: { onStop: () => void; onBack: () => void }): (state: HeaderState) => void {
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
