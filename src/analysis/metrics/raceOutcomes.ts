import type { SessionLog } from '../../telemetry/schema/sessionLog.ts';
import { discoveredMs } from '../discoveredMs.ts';
import { eventsOf } from '../eventsOf.ts';
import type { Metric } from '../metric.ts';
import { unmeasured } from '../unmeasured.ts';

/** What the browser did: only NetLog and DevTools know it (docs/race-truth.md). */
export const raceOutcomes: Metric = {
  id: 'race-outcomes',
  label: 'races',
  meaning:
    'number of races by outcome, named as in docs/race-truth.md: from the NetLog, or without one the outcome that DevTools reports for each request; requests that started before the first response over h3 are counted separately, as discovery',
  unit: '',
  better: null,
  parts: 'counts',
  paper: 'Chaudhary et al., IEEE TNSM 21(3), 2024, §IV; DevTools protocol, Network.AlternateProtocolUsage',
  unknown: 'neither NetLog nor DevTools reported a race; a page without them cannot know',
  of(log) {
    const races = racesOf(log);
    if (races.length === 0) return unmeasured('Neither a NetLog nor DevTools reported a race.');
    const by: Record<string, number> = {};
    for (const { outcome, isDiscovery } of races) {
      const name = isDiscovery ? `${outcome} (discovery)` : outcome;
      by[name] = (by[name] ?? 0) + 1;
    }
    return { value: races.length, by };
  },
};

function racesOf(log: SessionLog): { outcome: string; isDiscovery: boolean }[] {
  const foundMs = discoveredMs(log) ?? -Infinity;
  const requests = new Map(eventsOf(log, 'request').map((request) => [request.id, request]));
  const reported = eventsOf(log, 'transport').flatMap(({ source, requestId, races }) => {
    const request = requests.get(requestId ?? '');
    if (!request) return [];
    const isDiscovery = (request.startMs ?? request.atMs) < foundMs;
    return races.map(({ outcome }) => ({ source, outcome, isDiscovery }));
  });
  const netLog = reported.filter(({ source }) => source === 'netlog');
  return netLog.length > 0 ? netLog : reported.filter(({ source }) => source === 'devtools');
}
