import type { SessionLog } from '../../telemetry/schema/sessionLog.ts';
import { raceWinner, wasRaced } from '../transport/raceOutcomes.ts';
import { discoveredMs, racesOf, type Race } from '../transport/races.ts';
import { eventsOf, logEndMs } from '../timeline/log.ts';
import { coveredMs } from '../timeline/spans.ts';
import { type Measured, type Metric, unmeasured } from './metric.ts';
import { protocolOf, PROTOCOL_NAMES, type Protocol } from '../transport/protocol.ts';

/** What the browser did: only NetLog, packets and DevTools know it (docs/browsers.md). */
export const raceOutcomes: Metric = {
  id: 'race-outcomes',
  label: 'races',
  meaning:
    'number of races by outcome (docs/browsers.md): from the NetLog, or without one from packets or DevTools; those before the first response over h3 apart, as discovery',
  unit: '',
  better: null,
  parts: 'counts',
  paper: 'Chaudhary et al., IEEE TNSM 21(3), 2024, §IV; DevTools protocol, Network.AlternateProtocolUsage',
  sessions: 'both',
  unknown: 'neither NetLog, packets nor DevTools reported a race; a page without them cannot know',
  of(log) {
    const races = bestReported(racesOf(log));
    if (races.length === 0) return unmeasured('Neither a NetLog, packets nor DevTools reported a race.');
    return countsOf(
      races.map(({ outcome, isDiscovery }) => (isDiscovery ? `${outcome} (discovery)` : outcome)),
    );
  },
};

/** What made the browser race again. */
export const racesByCause: Metric = {
  id: 'races-by-cause',
  label: 'races by cause',
  meaning: 'number of races that were run, by cause (docs/browsers.md)',
  unit: '',
  better: null,
  parts: 'counts',
  paper: 'Chaudhary et al., IEEE TNSM 21(3), 2024, §IV',
  sessions: 'both',
  unknown: 'there is no NetLog with causes of races',
  of(log) {
    const races = racesOf(log).filter(({ source }) => source === 'netlog');
    const causes = races.filter(wasWon).map(({ cause }) => cause);
    return races.length === 0 || causes.includes(null)
      ? unmeasured('There is no NetLog with causes of races.')
      : countsOf(causes.map((cause) => cause!.split(':')[0]!));
  },
};

/** Whether QUIC and TCP were tried, and one of them connected: others have no cause. */
const wasWon = ({ outcome }: Race): boolean => wasRaced(outcome) && raceWinner(outcome) !== 'nobody';

/** How often each name comes, and how many there are. */
function countsOf(names: readonly string[]): Measured {
  const by: Record<string, number> = {};
  for (const name of names) by[name] = (by[name] ?? 0) + 1;
  return { value: names.length, by };
}

/** Those of the first source that reports any. */
function bestReported(races: readonly Race[]): readonly Race[] {
  const sources: readonly Race['source'][] = ['netlog', 'packets', 'devtools'];
  const best = sources.find((each) => races.some(({ source }) => source === each));
  return races.filter(({ source }) => source === best);
}

/** How long the browser had QUIC written off. */
export const brokenTime: Metric = {
  id: 'broken-time',
  label: 'Alt-Svc broken',
  meaning:
    'time in which the browser had marked the Alt-Svc of a requested host as broken and did not try QUIC; periods of several hosts that overlap count once',
  unit: 'ms',
  better: 'lower',
  paper: 'Chaudhary et al., IEEE TNSM 21(3), 2024, §IV (the alternate job is marked as broken)',
  sessions: 'both',
  unknown: 'there is no NetLog of the session',
  of(log) {
    const reported = eventsOf(log, 'transport').filter(({ source }) => source === 'netlog');
    if (reported.length === 0) return unmeasured('There is no NetLog of this session.');
    const endMs = logEndMs(log);
    const periods = reported
      .flatMap(({ requestId, races }) => (requestId === null ? races : []))
      .filter(({ outcome, startMs }) => outcome === 'broken' && startMs !== null)
      .map((period) => ({ fromMs: period.startMs!, toMs: Math.min(endMs, period.endMs ?? endMs) }));
    return { value: coveredMs(periods) };
  },
};

/** What a browser asks for before it knows of h3. */
export const discoveryRequests: Metric = {
  id: 'discovery-requests',
  label: 'requests in discovery',
  meaning:
    'number of requests of all kinds, except those over h3, that started before the first response over h3 arrived',
  unit: '',
  better: null,
  paper: 'Langley et al., The QUIC Transport Protocol, SIGCOMM 2017, §3.8 (discovery); 2024 racing paper §IV',
  sessions: 'both',
  unknown: 'there was no response over h3',
  of(log) {
    const foundMs = discoveredMs(log);
    if (foundMs === null) return unmeasured('There was no response over h3.');
    const early = eventsOf(log, 'request').filter(
      ({ startMs, atMs, protocol }) => (startMs ?? atMs) < foundMs && protocolOf(protocol) !== 'h3',
    );
    return { value: early.length };
  },
};

/** What the page can see; what the browser raced to get there it cannot. */
export const protocolSwitches: Metric = {
  id: 'protocol-switches',
  label: 'protocol switches',
  meaning:
    'number of changes of protocol between successive media requests, separately for audio and video, ignoring unknown protocols; the change from TCP that ends discovery is not counted',
  unit: '',
  better: 'lower',
  parts: 'counts',
  paper: 'Chaudhary et al., IEEE TNSM 21(3), 2024, §III; Resource Timing Level 2, nextHopProtocol',
  unknown: 'the protocol of every media request is unknown',
  of(log) {
    const lanes = (['video', 'audio'] as const).map((mediaType) => lane(log, mediaType));
    if (lanes.every(({ length }) => length === 0))
      return unmeasured('The protocol of every media request is unknown.');
    const foundMs = discoveredMs(log) ?? -Infinity;
    return countsOf(
      lanes.flatMap((requests) =>
        requests.slice(1).flatMap(({ protocol }, index) => {
          const before = requests[index]!;
          const endsDiscovery = protocol === 'h3' && before.startMs < foundMs;
          if (protocol === before.protocol || endsDiscovery) return [];
          return `${PROTOCOL_NAMES[before.protocol]} → ${PROTOCOL_NAMES[protocol]}`;
        }),
      ),
    );
  },
};

interface Carried {
  readonly protocol: Protocol;
  readonly startMs: number;
}

/** The whole requests of one media type whose protocol is known, by their starts. */
const lane = (log: SessionLog, mediaType: 'video' | 'audio'): Carried[] =>
  eventsOf(log, 'request')
    .filter((each) => each.type === 'media' && each.mediaType === mediaType && each.outcome === 'ok')
    .map(({ protocol, startMs, atMs }) => ({ protocol: protocolOf(protocol), startMs: startMs ?? atMs }))
    .filter(({ protocol }) => protocol !== 'unknown')
    .sort((one, other) => one.startMs - other.startMs);
