import type { Claim, Paper, PaperCampaign } from '../paperCampaign.ts';
import { parts } from '../parts/study2019.ts';
import { differenceOf } from '../../../src/analysis/statistics/verdict.ts';

/** Load beside the session: one download over TCP. */
const BESIDE = 'tcp-cubic';

const sendersOf = (count: number): string => `tcp=cubic:quic=cubic-x${count}`;

interface Numbers {
  readonly is: number;
  readonly against: number;
  readonly unit: 'kbit/s' | 'ms';
}

/**
 * Returns expectation and size of a claim. A throughput is in % of the second arm's: the network of the study had no limit, and
 * ours have other rates. The study's latency is from a frame that the server sends to its display (§IV-A), which is not our
 * response latency: it has a direction here, and no size.
 */
const sizeIn = ({ is, against, unit }: Numbers): Pick<Claim, 'expects' | 'sizePercent'> => ({
  expects: is > against ? 'higher' : 'lower',
  ...(unit === 'kbit/s' && { sizePercent: Math.round((1000 * differenceOf(is, against)) / against) / 10 }),
});

/** Makes a claim about QUIC that emulates so many connections, compared with QUIC that emulates two. */
const emulated = (metric: string, count: number, numbers: Numbers): Claim => ({
  metric,
  first: sendersOf(count),
  second: sendersOf(2),
  within: 'dashjs-dynamic/h3-only',
  network: null,
  ...sizeIn(numbers),
  says: `${saysOf(numbers)} (Table IV)`,
});

const saysOf = ({ is, against, unit }: Numbers): string =>
  `${is.toLocaleString('en-US')} against ${against.toLocaleString('en-US')} ${unit}${unit === 'ms' ? ', of another latency' : ''}`;

const kbps = (is: number): Numbers => ({ is, against: 25_090, unit: 'kbit/s' });
const ms = (is: number): Numbers => ({ is, against: 16.03, unit: 'ms' });

const table4: PaperCampaign = {
  id: '2019-parameters-table-4',
  label: 'Table IV: QUIC that emulates 2 to 10 connections',
  place: null,
  metrics: ['throughput', 'response-latency', 'buffer-level', 'mean-quality-level'],
  claims: [
    emulated('throughput', 6, kbps(32_568)),
    emulated('throughput', 10, kbps(31_288)),
    emulated('response-latency', 6, ms(12.99)),
    emulated('response-latency', 10, ms(13.22)),
  ],
};

const table4Beside: PaperCampaign = {
  id: '2019-parameters-table-4-beside',
  label: 'Table IV beside a download over TCP: QUIC that emulates 2 to 10 connections',
  place: null,
  metrics: [...table4.metrics, 'mean-bitrate', 'link-share', 'fairness-index', 'flow-throughput'],
  claims: table4.claims.map((claim) => ({
    ...claim,
    within: `${claim.within}/${BESIDE}`,
    says: claim.says.replace('(Table IV)', '(Table IV, other traffic not stated)'),
  })),
};

const limited = (packets: number): string => `${sendersOf(2)}-max${packets}`;

/** Makes a claim about QUIC whose window has so many packets at most, compared with a window of 500 packets. */
const windowed = (metric: string, packets: number, numbers: Numbers): Claim => ({
  metric,
  first: limited(packets),
  second: limited(500),
  within: 'dashjs-dynamic/h3-only',
  network: null,
  ...sizeIn(numbers),
  says: `${saysOf(numbers)} (Table III)`,
});

const table3: PaperCampaign = {
  id: '2019-parameters-table-3',
  label: 'Table III: the largest window of QUIC, from 500 to 2500 packets',
  place: null,
  metrics: ['throughput', 'response-latency', 'buffer-level', 'mean-quality-level'],
  claims: [
    windowed('throughput', 1000, { is: 29_661, against: 28_229, unit: 'kbit/s' }),
    windowed('throughput', 2000, { is: 30_520, against: 28_229, unit: 'kbit/s' }),
    windowed('response-latency', 1000, { is: 13.04, against: 13.35, unit: 'ms' }),
    windowed('response-latency', 2000, { is: 11.7, against: 13.35, unit: 'ms' }),
  ],
};

/** Quality level, changes of it and stalls in Table V: with two emulated connections, with six, and over TCP. */
const BESIDE_TCP: readonly (readonly [string, string, readonly [number, number, number]])[] = [
  ['constant-3mbps', 'mean-quality-level', [2.58, 3.89, 2.85]],
  ['constant-3mbps', 'switches', [25, 19, 15]],
  ['constant-3mbps', 'rebuffer-count', [1, 0, 2]],
  ['constant-5mbps', 'mean-quality-level', [3.37, 4.3, 4.25]],
  ['constant-5mbps', 'switches', [13, 16, 7]],
  ['constant-5mbps', 'rebuffer-count', [0, 0, 0]],
  ['constant-7mbps', 'mean-quality-level', [4.84, 5.34, 4.86]],
  ['constant-7mbps', 'switches', [12, 7, 7]],
  ['constant-7mbps', 'rebuffer-count', [0, 0, 0]],
  ['constant-10mbps', 'mean-quality-level', [5.13, 5.5, 5.3]],
  ['constant-10mbps', 'switches', [12, 4, 8]],
  ['constant-10mbps', 'rebuffer-count', [1, 1, 2]],
];

const table5: PaperCampaign = {
  id: '2019-parameters-table-5',
  label: 'Table V: TCP and QUIC that emulates two or six connections',
  place: null,
  metrics: [
    'mean-quality-level',
    'switches',
    'rebuffer-count',
    'buffer-level',
    'throughput',
    'response-latency',
  ],
  claims: BESIDE_TCP.flatMap(([network, metric, [two, six, tcp]]) =>
    (
      [
        [2, two],
        [6, six],
      ] as const
    ).map(([count, quic]): Claim => ({
      metric,
      first: 'h3-only',
      second: 'h1',
      within: `dashjs-dynamic/${sendersOf(count)}`,
      network,
      ...(quic === tcp
        ? { expects: 'no difference' }
        : { expects: quic > tcp ? 'higher' : 'lower', size: differenceOf(quic, tcp) }),
      says: `${quic} against ${tcp} (Table V, one session each)`,
    })),
  ),
};

/** Makes a claim that holds at each of the four rates of Table V. */
const atEveryRate = (
  count: number,
  { metric, expects, says }: Pick<Claim, 'metric' | 'expects' | 'says'>,
): Claim => ({
  metric,
  first: 'h3-only',
  second: 'h1',
  within: `dashjs-dynamic/${sendersOf(count)}/${BESIDE}`,
  network: null,
  expects,
  says: `${says} at 3, 5, 7 and 10 Mbit/s (Table V, other traffic not stated)`,
});

const table5Beside: PaperCampaign = {
  id: '2019-parameters-table-5-beside',
  label: 'Table V beside a download over TCP: TCP and QUIC that emulates two or six connections',
  place: null,
  metrics: [...table5.metrics, 'link-share', 'fairness-index', 'flow-throughput'],
  claims: [
    atEveryRate(2, { metric: 'mean-quality-level', expects: 'lower', says: 'lower' }),
    atEveryRate(2, { metric: 'switches', expects: 'higher', says: 'more' }),
    atEveryRate(6, { metric: 'mean-quality-level', expects: 'higher', says: 'higher' }),
  ],
};

export const study2019: Paper = {
  id: '2019-quic-parameters',
  label:
    'Tong et al., Empirical study for Dynamic Adaptive Video Streaming Service based on Google Transport QUIC protocol, 2019',
  campaigns: [table3, table4, table4Beside, table5, table5Beside],
  parts,
};
