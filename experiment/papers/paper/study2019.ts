import type { Claim, Paper, PaperCampaign } from '../paperCampaign.ts';
import { parts } from '../parts/study2019.ts';
import { differenceOf } from '../../../src/analysis/statistics/verdict.ts';

const sendersOf = (count: number): string => `tcp=cubic:quic=cubic-x${count}`;

/** Of so many emulated connections, beside that of two. */
const emulated = (
  metric: string,
  count: number,
  { is, against, unit }: { is: number; against: number; unit: string },
): Claim => ({
  ...{ metric, first: sendersOf(count), second: sendersOf(2), within: 'dashjs-dynamic/h3-only' },
  ...{ network: null, expects: is > against ? 'higher' : 'lower', size: differenceOf(is, against) },
  says: `${is.toLocaleString('en-US')} against ${against.toLocaleString('en-US')} ${unit} (Table IV)`,
});

const kbps = (is: number) => ({ is, against: 25_090, unit: 'kbit/s' });
const ms = (is: number) => ({ is, against: 16.03, unit: 'ms' });

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

/** Quality level, changes of it and stalls: with two emulated connections, with six, and over TCP. */
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
      ...{ metric, first: 'h3-only', second: 'h1', within: `dashjs-dynamic/${sendersOf(count)}`, network },
      ...(quic === tcp
        ? { expects: 'no difference' }
        : { expects: quic > tcp ? 'higher' : 'lower', size: differenceOf(quic, tcp) }),
      says: `${quic} against ${tcp} (Table V, one session each)`,
    })),
  ),
};

export const study2019: Paper = {
  id: '2019-quic-parameters',
  label:
    'Tong et al., Empirical study for Dynamic Adaptive Video Streaming Service based on Google Transport QUIC protocol, 2019',
  campaigns: [table4, table5],
  parts,
};
