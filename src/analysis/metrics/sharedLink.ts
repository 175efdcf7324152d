import { kbpsOf } from '../../shared/units.ts';
import type { SessionLog } from '../../telemetry/schema/sessionLog.ts';
import { meanOf } from '../statistics/summaries.ts';
import {
  sharedLink,
  viewersBySecond,
  type Received,
  type SharedLink,
  type Viewers,
} from '../transport/sharedLink.ts';
import { type Measured, type Metric, unmeasured } from './metric.ts';

const DOWNLOADS =
  'while the viewer downloads (from the start of a media request to its last byte; bytes of a request come evenly between its first and its last byte) and something runs beside it';
const UNKNOWN = 'nothing ran beside the viewer, or nothing while the viewer downloaded';

const NOTHING = 'Neither the viewer nor what ran beside it received anything.';

/** A number of a link that the viewer shared. */
const ofShared =
  (measure: (shared: SharedLink) => Measured): Metric['of'] =>
  (log: SessionLog): Measured => {
    const shared = sharedLink(log);
    return shared ? measure(shared) : unmeasured('Nothing ran beside the viewer while it downloaded.');
  };

const linkShare: Metric = {
  id: 'link-share',
  label: 'share of the link',
  meaning: `the viewer’s bytes of media in those of the viewer and of all flows and other viewers beside it, ${DOWNLOADS}`,
  unit: '%',
  better: 'higher',
  paper:
    '2017 QUIC paper §3.2 and 2019 study §IV-B3 (N emulated connections beside others); the measure is ours',
  unknown: UNKNOWN,
  of: ofShared(({ viewer, othersBytes }) => {
    const sizeBytes = viewer.sizeBytes + othersBytes;
    return sizeBytes > 0 ? { value: (100 * viewer.sizeBytes) / sizeBytes } : unmeasured(NOTHING);
  }),
};

const fairnessIndex: Metric = {
  id: 'fairness-index',
  label: 'fairness index',
  meaning: `Jain’s index (Σx)² / (n Σx²) of the rates x of the viewer and of each flow and other viewer beside it: 1 if all are equal, 1/n if one has all; the viewer’s rate ${DOWNLOADS}, that of the others while the viewer downloads and they run`,
  unit: '',
  better: 'higher',
  decimals: 3,
  paper:
    'Jain, Chiu and Hawe, A Quantitative Measure of Fairness, DEC-TR-301, 1984, eq. 1; used by FESTIVE, CoNEXT 2012, §2',
  unknown: UNKNOWN,
  of: ofShared(({ viewer, flows, players }) => {
    const index = jainIndex(
      [viewer, ...flows, ...players].map(({ sizeBytes, lastingMs }) => sizeBytes / lastingMs),
    );
    return index === null ? unmeasured(NOTHING) : { value: index };
  }),
};

/** null where all are 0. */
export function jainIndex(rates: readonly number[]): number | null {
  const sum = rates.reduce((total, rate) => total + rate, 0);
  const squares = rates.reduce((total, rate) => total + rate ** 2, 0);
  return squares > 0 ? sum ** 2 / (rates.length * squares) : null;
}

const flowThroughput: Metric = {
  id: 'flow-throughput',
  label: 'throughput per flow beside',
  meaning:
    'bits of bodies that a flow beside the viewer received while the viewer downloaded, divided by that time; mean over the flows',
  unit: 'kbit/s',
  better: null,
  paper: '2019 study §IV-A (throughput of a flow); the viewer’s downloads as the time are ours',
  unknown: UNKNOWN,
  of: ofShared(({ flows }) => {
    const value = meanOf(flows.flatMap((each) => rateOf(each) ?? []));
    return value === null ? unmeasured('No flow ran while the viewer downloaded.') : { value };
  }),
};

const rateOf = ({ sizeBytes, lastingMs }: Received): number | null => kbpsOf(sizeBytes, lastingMs);

const NO_VIEWERS =
  'no other viewer shared the link, or there was no second in which all of them saw a picture';

/** A mean over the seconds in which all viewers of a link saw a picture. */
const ofViewers =
  (measure: (viewers: Viewers) => number | null): Metric['of'] =>
  (log: SessionLog): Measured => {
    const value = meanOf(viewersBySecond(log).flatMap((each) => measure(each) ?? []));
    return value === null ? unmeasured('No other viewer shared the link.') : { value };
  };

const FESTIVE = 'Jiang et al., FESTIVE, CoNEXT 2012, §2';

const unfairness: Metric = {
  id: 'unfairness',
  label: 'unfairness among viewers',
  meaning:
    '√(1 − J), with J Jain’s index of the bitrates that the viewers of a link see in a second; mean over the seconds in which all of them see a picture',
  unit: '',
  better: 'lower',
  decimals: 3,
  paper: `${FESTIVE} (definition of unfairness)`,
  unknown: NO_VIEWERS,
  // Rounding may bring the index above 1.
  of: ofViewers(({ bitratesKbps }) => Math.sqrt(Math.max(0, 1 - (jainIndex(bitratesKbps) ?? 1)))),
};

const inefficiency: Metric = {
  id: 'inefficiency',
  label: 'inefficiency of the viewers',
  meaning:
    '|Σb − W| / W, with b the bitrates that the viewers of a link see in a second and W its rate; mean over the seconds in which all of them see a picture',
  unit: '',
  better: 'lower',
  decimals: 3,
  paper: `${FESTIVE} (definition of inefficiency)`,
  unknown: `${NO_VIEWERS}, or the link had no limit`,
  of: ofViewers(({ bitratesKbps, linkKbps }) => {
    if (linkKbps === null || linkKbps <= 0) return null;
    return Math.abs(bitratesKbps.reduce((sum, kbps) => sum + kbps, 0) - linkKbps) / linkKbps;
  }),
};

/** How a viewer and what runs beside it share a link. */
export const sharedLinkMetrics: readonly Metric[] = [
  ...[linkShare, fairnessIndex, flowThroughput],
  ...[unfairness, inefficiency],
];
