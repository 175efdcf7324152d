import { formatCount } from '../../shared/format.ts';
import type { SessionLog } from '../../telemetry/schema/sessionLog.ts';
import { meanOf } from '../statistics/summaries.ts';
import { recoveries, type Recovery, STUCK_MS } from '../transport/linkChanges.ts';
import { type Measured, type Metric, unmeasured } from './metric.ts';

const CHANGES =
  'a change of the client’s address, of its ports of UDP by a NAT, or to a smaller MTU of the path, by the link of the lab';
const UNKNOWN = `the session did not use a link of the lab, or nothing of this kind happened after the first media had come and before the last media request that was not aborted, or was aborted after it had waited for ${STUCK_MS / 1000} s`;
const PAPER =
  '2018 thesis §3.1.2 (connection switches); RFC 9000 §9 (connection migration); the measure is ours';

/** A number of the changes that a session met. */
const ofChanges =
  (measure: (met: readonly Recovery[]) => Measured): Metric['of'] =>
  (log: SessionLog): Measured => {
    const met = recoveries(log);
    if (met === null) return unmeasured('The session did not use a link of the lab.');
    return met.length === 0
      ? unmeasured(
          'Neither the client’s address or ports nor the MTU of its path changed between the first and the last media.',
        )
      : measure(met);
  };

const recoveryTime: Metric = {
  id: 'recovery-time',
  label: 'time to recover',
  meaning: `time from ${CHANGES}, or from the next media request where none was running, to the end of the first media request that succeeded; until the next change or the end of the log where none did; mean over the changes`,
  unit: 'ms',
  better: 'lower',
  paper: PAPER,
  unknown: UNKNOWN,
  of: ofChanges((met) => {
    const others = met.filter(({ hasRecovered }) => !hasRecovered).length;
    const lost = others > 0 ? ` After ${others} of them no media request succeeded.` : '';
    return {
      value: meanOf(met.map(({ recoveryMs }) => recoveryMs)),
      note: `Mean over ${formatCount(met.length, 'change')}.${lost}`,
    };
  }),
};

const connectionSurvival: Metric = {
  id: 'connection-survival',
  label: 'connections that survive',
  meaning: `share of the changes (${CHANGES}) after which the first media request that succeeded used a connection that another media request used just before: one that ran at the change, or the last one that had ended; changes whose connections are unknown are left out`,
  unit: '%',
  better: null,
  paper: PAPER,
  unknown: `${UNKNOWN}, or no source reported the connections`,
  of: ofChanges((met) => {
    const known = met.flatMap(({ isSameConnection }) => isSameConnection ?? []);
    if (known.length === 0)
      return unmeasured('No source reported the connections before and after a change.');
    return { value: (100 * known.filter(Boolean).length) / known.length };
  }),
};

const lostRequests: Metric = {
  id: 'lost-requests',
  label: 'requests lost at changes',
  meaning: `number of media requests that failed after ${CHANGES}, until the first media request that succeeded, or the next change`,
  unit: '',
  better: 'lower',
  rareEvent: 'lost a request at a change',
  paper: PAPER,
  unknown: UNKNOWN,
  of: ofChanges((met) => ({ value: met.reduce((sum, { failed }) => sum + failed, 0) })),
};

/** What it costs when the path changes under the browser. */
export const pathChangeMetrics: readonly Metric[] = [recoveryTime, connectionSurvival, lostRequests];
