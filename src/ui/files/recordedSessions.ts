import { failed, ok, type Result } from '../../shared/result.ts';
import { unknownId } from '../../shared/unknownId.ts';
import { byId, html } from '../dom.ts';
import { fileAddress } from '../setup/setup.ts';

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

/** A session's file that an address names, and the session time to show first, ms. */
export interface NamedSession {
  readonly title: string;
  readonly url: string;
  readonly atMs: number | null;
}

/** The session that the query of a page's address names, one that comes with it or a log elsewhere; null where it names none. */
export function sessionIn(search: string, pageUrl: string): Result<NamedSession | null> {
  const query = new URLSearchParams(search);
  const [id, address] = ['recorded', 'session'].map((name) => query.get(name)?.trim() ?? '') as [
    string,
    string,
  ];
  if (address !== '') return logAt(address, pageUrl);
  if (id === '') return ok(null);
  const found = RECORDED_SESSIONS.find((each) => each.id === id);
  const ids = RECORDED_SESSIONS.map((each) => each.id);
  if (!found) return failed(unknownId('recorded session', id, ids));
  return ok({ title: found.title, url: `sessions/${id}.json.gz`, atMs: found.atMs });
}

function logAt(address: string, pageUrl: string): Result<NamedSession> {
  const url = fileAddress(address, pageUrl);
  if (!url.ok) return url;
  const { pathname, host } = new URL(url.value);
  return ok({ title: pathname.split('/').at(-1) || host, url: url.value, atMs: null });
}
