import { formatCount } from '../../shared/format.ts';
import { parseTransfer } from '../../shared/transfer.ts';
import { valueOf } from '../../shared/result.ts';
import { recordTransfers, type TransferRecording } from '../../telemetry/shell/recordTransfers.ts';
import { expose, type AutomationState } from '../automation.ts';
import { html } from '../dom.ts';
import { runTransfer } from './runTransfer.ts';

/** A transfer on this page, from its first request on. */
interface Running {
  readonly recording: TransferRecording;
  readonly stop: AbortController;
  phase: AutomationState['phase'];
}

/**
 * Turns the page into one that downloads files and plays nothing. A script begins it, `pitwall.open('transfer=objects:mb=2&base=https://…/')`;
 * a link does not: it may come from anybody, and name anybody's server.
 */
export function openTransfer(): void {
  const line = html('p', { role: 'status' }, 'Ready to download.');
  document.body.replaceChildren(html('main', {}, html('h1', {}, 'Transfer'), line));
  document.body.removeAttribute('data-state');
  expose(transferPage((text) => (line.textContent = text)));
}

const playsNothing = (): never => {
  throw new Error('this page downloads files and plays nothing');
};

function transferPage(say: (text: string) => void): NonNullable<typeof globalThis.pitwall> {
  let running: Running | null = null;
  const current = (): Running => {
    if (!running) throw new Error('nothing was downloaded on this page');
    return running;
  };
  const stop = async (): Promise<void> => {
    const { recording, ...rest } = current();
    rest.stop.abort();
    await recording.drained();
    await recording.stop();
    current().phase = 'stopped';
  };
  return {
    async open(query) {
      if (running) throw new Error('this page has downloaded already: open another one');
      running = await begin(query, say);
    },
    session: async () => JSON.stringify(await current().recording.exportLog()),
    state: () => stateOf(running),
    drained: async () => await current().recording.drained(),
    stop,
    play: playsNothing,
    pause: playsNothing,
    seek: playsNothing,
    useRule: playsNothing,
  };
}

/** Begins what a query says. @throws Error in one sentence */
async function begin(search: string, say: (text: string) => void): Promise<Running> {
  const query = new URLSearchParams(search);
  const text = query.get('transfer') ?? '';
  const transfer = valueOf(parseTransfer(text));
  const bases = basesIn(query);
  const recording = await recordTransfers({ transfer: text });
  const stop = new AbortController();
  const running: Running = { recording, stop, phase: 'playing' };
  let objects = 0;
  const { download } = recording;
  const onObject = (): void =>
    say(`${formatCount(++objects, 'object')} of ${transfer.count * transfer.streams}`);
  void runTransfer({ transfer, bases, download, signal: stop.signal, onObject })
    .then(recording.drained)
    .then(() => (running.phase = 'ended'));
  return running;
}

/** The folders of the files; the last slash may be left out. @throws Error in one sentence */
export function basesIn(query: URLSearchParams): string[] {
  const bases = query.getAll('base');
  if (bases.length === 0 || !bases.every((base) => URL.canParse(base)))
    throw new Error('the address of the files is missing: base=https://cdn.example/files');
  return bases.map((base) => {
    const url = new URL(base);
    url.pathname = url.pathname.replace(/\/?$/, '/');
    return url.href;
  });
}

function stateOf(running: Running | null): AutomationState {
  const nothing = { playheadMs: null, error: null };
  if (!running) return { ...nothing, phase: 'idle', sessionId: null, sessionMs: null, requestsInFlight: 0 };
  const { recording, phase } = running;
  return {
    ...nothing,
    phase,
    sessionId: recording.sessionId,
    sessionMs: recording.nowMs(),
    requestsInFlight: recording.inFlight(),
  };
}
