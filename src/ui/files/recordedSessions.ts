import { failed, ok, type Result } from '../../shared/result.ts';
import { unknownId } from '../../shared/unknownId.ts';
import { byId, html } from '../dom.ts';

/**
 * A session that comes with the page: recorded by the lab over an emulated link, with a real server and browser
 * (`docs/recorded-sessions.md`). So a visitor sees a race, a limit and a stall at once, which the demo on the same machine
 * never has.
 */
interface RecordedSession {
  readonly id: string;
  readonly title: string;
  readonly about: string;
  /** Session time that is worth a first look, ms. */
  readonly atMs: number;
}

export const RECORDED_SESSIONS: readonly RecordedSession[] = [
  {
    id: 'stall',
    title: 'A stall explained',
    about: 'what was on its way, how fast it came, what the rule had expected',
    atMs: 4200,
  },
  {
    id: 'race',
    title: 'A racing start',
    about: 'TCP wins the first race, QUIC carries the media until UDP is blocked, then TCP does',
    atMs: 90_000,
  },
  {
    id: 'udp-limiter',
    title: 'A network that limits QUIC',
    about: 'the player leaves HTTP/3, and comes back when the limit ends',
    atMs: 63_200,
  },
];

/** Offers them where the charts will be, each as a link that can be shared. */
export function offerRecorded(): void {
  const links = RECORDED_SESSIONS.map(({ id, title, about }) => {
    const link = html('a', {}, html('b', {}, title), html('span', {}, about));
    link.href = `./?recorded=${id}`;
    return html('li', {}, link);
  });
  byId('recorded-list', HTMLUListElement).replaceChildren(...links);
}

/** The session that the query of an address names; null where it names none. */
export function recordedIn(search: string): Result<RecordedSession | null> {
  const id = new URLSearchParams(search).get('recorded');
  if (id === null || id === '') return ok(null);
  const found = RECORDED_SESSIONS.find((each) => each.id === id);
  const ids = RECORDED_SESSIONS.map((each) => each.id);
  return found ? ok(found) : failed(unknownId('recorded session', id, ids));
}

/** Loads one as the file that it is. Rejects with one sentence. */
export async function loadRecorded({ id, title }: RecordedSession): Promise<File> {
  const response = await fetch(`sessions/${id}.json.gz`);
  if (!response.ok || !response.body)
    throw new Error(`“${title}” could not be loaded: the server answered ${response.status}.`);
  const bytes = await response.arrayBuffer();
  const [first, second] = new Uint8Array(bytes, 0, 2);
  // A server that knows gzip has made plain text of it.
  const isZipped = first === 0x1f && second === 0x8b;
  const body = new Blob([bytes]).stream();
  const text = isZipped ? body.pipeThrough(new DecompressionStream('gzip')) : body;
  return new File([await new Response(text).blob()], title);
}
