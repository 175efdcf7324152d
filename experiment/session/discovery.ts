import { rm } from 'node:fs/promises';
import { ORIGIN_HOST, type CompareCell } from './plan.ts';
import { SessionFailure } from './sessionFailure.ts';
import { discoveryOf } from '../factors/discovery.ts';
import type { Browser } from '../../lab/browser/browser.ts';
import { browserOf } from '../../lab/browser/registry.ts';
import type { OriginOptions } from '../../lab/caddy/origin.ts';
import { startResolver, type LoggedQuestion, type Resolver } from '../../lab/dns/startResolver.ts';
import type { HostScript } from '../../lab/dns/zone.ts';
import { DNS_PORT, type LinkEnd } from '../../lab/link/linkEnd.ts';
import { eventsOf } from '../../src/analysis/timeline/log.ts';
import { formatCount } from '../../src/shared/format.ts';
import type { SessionLog } from '../../src/telemetry/schema/sessionLog.ts';
import { isRacing } from '../../src/telemetry/transportModes.ts';

type Planned = Pick<CompareCell, 'id' | 'discovery' | 'transport' | 'browser'>;

/** Returns whether an origin says over TCP that it has h3, where the cell plans it. */
export function altSvcFor({ discovery }: Planned): Pick<OriginOptions, 'altSvc'> {
  const planned = discoveryOf(discovery ?? '');
  return planned === null ? {} : { altSvc: planned.byAltSvc };
}

/** A name of the lab's origins. */
interface NamedServer extends Pick<HostScript, 'host' | 'port'> {
  readonly hasH3: boolean;
}

/**
 * Starts the DNS server of a session at the server's end of its link; null where the cell plans none. All discoveries have one, so
 * that each of them costs a question.
 */
export async function startSessionResolver(
  { discovery }: Planned,
  { server, names, logFile }: { server: LinkEnd; names: readonly NamedServer[]; logFile: string },
): Promise<Resolver | null> {
  const planned = discoveryOf(discovery ?? '');
  if (planned === null) return null;
  // A try before this one may have left a log.
  await rm(logFile, { force: true });
  const { namespace, address } = server;
  const zone = names.map(({ host, port, hasH3 }): HostScript => ({
    host,
    address,
    port,
    ...(planned.byDns && hasH3 && { https: [{ priority: 1, alpn: ['h3', 'h2'] }] }),
  }));
  return startResolver({ zone, namespace, address, port: DNS_PORT, logFile });
}

/**
 * Holds a session against its plan. `log` has the races of the NetLog, where the browser writes one; `all` are the questions to the
 * lab's DNS server. @throws SessionFailure in one sentence where the browser has not learned of h3 as its cell plans
 */
export function mustHaveDiscovered(log: SessionLog, cell: Planned, all: readonly LoggedQuestion[]): void {
  // Other viewers of the link ask for another name.
  const questions = all.filter(({ name }) => name.toLowerCase().endsWith(`${cell.id}.${ORIGIN_HOST}`));
  const fault = discoveryFault(log, cell, questions);
  if (fault !== null) throw new SessionFailure('discovery-not-as-planned', fault);
}

function discoveryFault(
  log: SessionLog,
  { discovery, transport, browser }: Planned,
  questions: readonly LoggedQuestion[],
): string | null {
  const planned = discoveryOf(discovery ?? '');
  if (planned === null) return null;
  if (questions.length === 0 && !hasAnswer(log)) return null;
  const address = questions.find(({ type, records }) => type === 'A' && records.length > 0);
  if (!address) return `${discovery} was planned, and the browser asked the lab's DNS server for no address`;
  if (!isRacing(transport)) return null;
  return (
    (planned.byDns ? recordFault(log, questions, address) : null) ??
    raceFault(log, planned, browserOf(browser)) ??
    (planned.byDns || planned.byAltSvc ? null : h3Fault(log))
  );
}

/** Where nothing was answered at all, the network is what was met, and it stays in the results. */
const hasAnswer = (log: SessionLog): boolean =>
  eventsOf(log, 'request').some(({ protocol }) => protocol !== null);

const hasNetLog = (log: SessionLog): boolean =>
  eventsOf(log, 'transport').some(({ source, requestId }) => source === 'netlog' && requestId !== null);

/** A stub asks again after 5 s without an answer, a few times; later questions come when the record's time has ended. */
const ASKS_AGAIN_MS = 30_000;

/**
 * Returns what is wrong with the record that was sent. Where a link loses a question, the record comes after the address, and the
 * browser waits for it: races of a NetLog say whether it did. Where there are none, the order of the answers does, and whether
 * nobody asked twice, because the link lost an answer, and began without it. A first request over TCP is none: QUIC may lose.
 */
function recordFault(
  log: SessionLog,
  questions: readonly LoggedQuestion[],
  address: LoggedQuestion,
): string | null {
  const sent = questions.filter(({ type, records }) => type === 'HTTPS' && records.length > 0);
  if (!sent[0]) return 'dns was planned, and the browser asked for no HTTPS record';
  if (hasNetLog(log)) return null;
  const lateMs = sent[0].answeredAtUnixMs! - address.answeredAtUnixMs!;
  if (lateMs > 0) return `dns was planned, and the HTTPS record was sent ${lateMs} ms after the address`;
  const twice = sent.find(({ name, askedAtUnixMs }, index) =>
    sent
      .slice(0, index)
      .some((other) => other.name === name && askedAtUnixMs - other.askedAtUnixMs < ASKS_AGAIN_MS),
  );
  const protocol = twice && firstProtocol(log, twice.name);
  return protocol !== undefined && protocol !== 'h3'
    ? 'dns was planned, and the browser began without the HTTPS record, for which it asked again'
    : null;
}

/** Returns the protocol of the first answer of the server that a record is of. */
const firstProtocol = (log: SessionLog, owner: string): string | null | undefined =>
  eventsOf(log, 'request').find(
    ({ protocol, url }) => protocol !== null && owner.endsWith(`._https.${new URL(url).hostname}`),
  )?.protocol;

/** Compares what made requests race. A browser that writes no NetLog has no races. */
function raceFault(
  log: SessionLog,
  { byDns, byAltSvc }: { readonly byDns: boolean; readonly byAltSvc: boolean },
  { label, readRaces }: Browser,
): string | null {
  if (readRaces !== null && !hasNetLog(log)) return `the NetLog of ${label} does not show how h3 was learned`;
  const races = eventsOf(log, 'transport')
    .filter(({ source, requestId }) => source === 'netlog' && requestId !== null)
    .flatMap((event) => event.races)
    .sort((one, other) => (one.startMs ?? 0) - (other.startMs ?? 0));
  const countOf = (kind: string): number => races.filter(({ outcome }) => outcome.startsWith(kind)).length;
  for (const [way, kind, isPlanned] of [
    ['DNS', 'dns-alpn', byDns],
    ['Alt-Svc', 'alternative', byAltSvc],
  ] as const)
    if (!isPlanned && countOf(kind) > 0)
      return `${formatCount(countOf(kind), 'request')} used h3 known from ${way}, which was not planned`;
  return byDns && races[0]?.outcome === 'main-alone'
    ? 'dns was planned, and the first request tried no QUIC'
    : null;
}

function h3Fault(log: SessionLog): string | null {
  const over = eventsOf(log, 'request').filter(({ protocol }) => protocol === 'h3').length;
  return over === 0 ? null : `nothing was to tell of h3, and ${formatCount(over, 'request')} came over it`;
}
