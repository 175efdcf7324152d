import { formatCount } from '../../shared/format.ts';
import { OTHER } from '../timeline/columns.ts';
import type { SessionSeries } from '../timeline/series.ts';
import { protocolFrom } from './protocol.ts';

/** Outcomes in the words of DevTools and of the NetLog (docs/browsers.md), by what they say of HTTP/3. */
const CAUSES: readonly (readonly [readonly string[], (count: number) => string])[] = [
  [['main-won', 'mainJobWonRace'], (count) => `TCP won ${formatCount(count, 'race')}`],
  [['main-after-quic-failed'], (count) => `QUIC failed in ${formatCount(count, 'race')}`],
  [['main-broken', 'broken'], (count) => `QUIC marked broken, ${formatCount(count, 'request')}`],
  [['main-alone', 'mappingMissing'], (count) => `h3 not known, ${formatCount(count, 'request')}`],
];

/** Id of the pathway without HTTP/3 (docs/steering.md). */
const TCP_PATHWAY = 'tcp';

/**
 * Why media came over h2 in a session that may use h3, a phrase for each cause that somebody recorded; null where no media came
 * over h2, or where the browser was started without h3. `mode`: the transport mode, null for a person's browser.
 */
export function whyTcp(series: SessionSeries, mode: string | null): readonly string[] | null {
  if (mode === 'h1' || mode === 'h2') return null;
  const { overTcp, byPathway, beforeH3 } = countRequests(series);
  if (overTcp === 0) return null;
  const steered = byPathway === 0 ? [] : [`pathway without h3, ${formatCount(byPathway, 'request')}`];
  const recorded = outcomesOf(series);
  const causes = CAUSES.flatMap(([outcomes, format]) => {
    const count = outcomes.reduce((sum, outcome) => sum + (recorded.get(outcome) ?? 0), 0);
    return count === 0 ? [] : [format(count)];
  });
  if (causes.length > 0) return [...steered, ...causes];
  const before =
    beforeH3 === 0 ? [] : [`before the first answer over h3, ${formatCount(beforeH3, 'request')}`];
  const rest = overTcp - byPathway - beforeH3;
  return [...steered, ...before, ...(rest > 0 ? ['not known: a page sees no races'] : [])];
}

interface TcpRequests {
  readonly overTcp: number;
  readonly byPathway: number;
  /** Of the others, where h3 came later. */
  readonly beforeH3: number;
}

function countRequests({ requests, pathways }: SessionSeries): TcpRequests {
  const { protocol, lane, atMs, firstByteMs, pathway } = requests.columns;
  const rows = Array.from({ length: requests.length }, (_, row) => row).filter((row) => lane[row] !== OTHER);
  const isOver = (name: string) => (row: number) => protocolFrom(protocol[row]!) === name;
  const firstH3Ms = rows
    .filter(isOver('h3'))
    .reduce((first, row) => Math.min(first, firstByteMs[row]!), Infinity);
  const overTcp = rows.filter(isOver('h2'));
  const others = overTcp.filter((row) => pathways[pathway[row] ?? 0] !== TCP_PATHWAY);
  return {
    overTcp: overTcp.length,
    byPathway: overTcp.length - others.length,
    beforeH3: firstH3Ms === Infinity ? 0 : others.filter((row) => atMs[row]! < firstH3Ms).length,
  };
}

/** How often each outcome was met: the NetLog's where there is one, else DevTools'. */
function outcomesOf({ races, outcomes }: SessionSeries): ReadonlyMap<string, number> {
  const { outcome, netLog } = races.columns;
  const known = netLog.subarray(0, races.length).includes(1);
  const counts = new Map<string, number>();
  for (let row = 0; row < races.length; row += 1) {
    if (known && netLog[row] === 0) continue;
    const name = outcomes[outcome[row]!] ?? '';
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return counts;
}
