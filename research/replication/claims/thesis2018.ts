import type { Claim, Paper, PaperCampaign } from '../paperCampaign.ts';
import { parts } from '../parts/thesis2018.ts';
import { differenceOf } from '../../../src/analysis/statistics/verdict.ts';

const TYPICAL = 'np2b-typical-delay-typical-loss';
const LARGE = 'np2b-large-delay-large-loss';

/** Means over three rules and both rate profiles: Mbit/s and percent. */
interface Row {
  readonly metric: string;
  readonly network: string;
  readonly unit: 'Mbit/s' | '%';
  readonly h1: number;
  readonly h2: number;
  readonly h3: number;
}

/** One request a segment: the thesis' row of one TCP connection; of h2 the row nearest to it, two requests at once. */
const TABLE_10: readonly Row[] = [
  { metric: 'mean-bitrate', network: TYPICAL, unit: 'Mbit/s', h1: 1.94, h2: 1.85, h3: 1.94 },
  { metric: 'mean-bitrate', network: LARGE, unit: 'Mbit/s', h1: 0.37, h2: 0.28, h3: 0.32 },
  { metric: 'rebuffer-rate', network: TYPICAL, unit: '%', h1: 0, h2: 0, h3: 0 },
  { metric: 'rebuffer-rate', network: LARGE, unit: '%', h1: 1, h2: 4, h3: 4 },
];

const claimsUnder = (controllers: string): Claim[] =>
  TABLE_10.flatMap(({ metric, network, unit, ...of }) =>
    (
      [
        ['h2', 'h1', of.h2, of.h1],
        ['h3-only', 'h1', of.h3, of.h1],
        ['h3-only', 'h2', of.h3, of.h2],
      ] as const
    ).map(([first, second, a, b]): Claim => ({
      metric,
      first,
      second,
      within: `sara/${controllers}`,
      network,
      // "None of the three techniques beat the others" (§4.4), whatever the second decimal says.
      ...(network === TYPICAL || a === b ? { expects: 'no difference' } : towards(a, b, unit)),
      says: `${a} against ${b} ${unit} (Table 10)`,
    })),
  );

/** Metrics have kbit/s where the thesis has Mbit/s; its percentages are percentage points when subtracted. */
const towards = (a: number, b: number, unit: Row['unit']): Pick<Claim, 'expects' | 'size'> => ({
  expects: a > b ? 'higher' : 'lower',
  size: unit === 'Mbit/s' ? differenceOf(1000 * a, 1000 * b) : differenceOf(a, b),
});

const METRICS = ['mean-bitrate', 'rebuffer-rate', 'switches', 'join-time', 'throughput'];

const table10: PaperCampaign = {
  id: '2018-thesis-table-10',
  label: 'Table 10: h1, h2 and QUIC under delay and loss, equal controllers',
  place: 4,
  metrics: METRICS,
  claims: claimsUnder('cubic'),
};

const ownSenders: PaperCampaign = {
  id: '2018-thesis-table-10-own-senders',
  label: 'Table 10: the same with the senders of the thesis',
  place: 6,
  metrics: METRICS,
  claims: claimsUnder('tcp=cubic:quic=cubic-x2'),
};

/** Both in the same pairs, so that they meet the same hours, and in two blocks. */
const bothSenders: PaperCampaign = {
  id: '2018-thesis-table-10-both-senders',
  label: 'Table 10: both senders in the same pairs, in two blocks',
  place: null,
  playsAgain: ['2018-thesis-table-10', '2018-thesis-table-10-own-senders'],
  metrics: METRICS,
  claims: [...claimsUnder('cubic'), ...claimsUnder('tcp=cubic:quic=cubic-x2')],
};

/** Its thresholds are 2, 5 and 10 segments (AStream), and those of the live stream have 2 s. */
const LIVE_SARA = 'sara:initialMs=4000:alphaMs=10000:betaMs=20000';

/** QUIC and TCP: Mbit/s, then % of the time. */
const switched = (
  network: string,
  table: string,
  { bitrate, rebuffer }: Readonly<Record<'bitrate' | 'rebuffer', readonly [number, number]>>,
): Claim[] => {
  const about = { first: 'h3-only', second: 'h1', within: `${LIVE_SARA}/cubic`, network };
  const says = ([quic, tcp]: readonly [number, number], unit: Row['unit']): string =>
    `${quic} against ${tcp} ${unit} (${table})`;
  return [
    {
      ...about,
      metric: 'mean-bitrate',
      says: says(bitrate, 'Mbit/s'),
      ...towards(...bitrate, 'Mbit/s'),
    },
    { ...about, metric: 'rebuffer-rate', says: says(rebuffer, '%'), ...towards(...rebuffer, '%') },
  ];
};

const tables89: PaperCampaign = {
  id: '2018-thesis-tables-8-9',
  label: 'Tables 8 and 9: from WiFi to a cellular network and back, live',
  place: null,
  metrics: METRICS,
  claims: [
    ...switched('switch-wifi-lte', 'Table 8', { bitrate: [2.37, 2.22], rebuffer: [3, 4] }),
    ...switched('switch-wifi-3g', 'Table 9', { bitrate: [2.12, 1.95], rebuffer: [1, 2] }),
  ],
};

const OVER_BOTH = { first: 'h3-only', second: 'h1', within: `${LIVE_SARA}/cubic`, network: null };

/** The mean of both tables: these networks go from those of the one to those of the other. */
const tables89Drawn: PaperCampaign = {
  id: '2018-thesis-tables-8-9-drawn',
  label: 'Tables 8 and 9 on drawn networks: WiFi and a cellular network as in the thesis, and changes',
  place: null,
  playsAgain: ['2018-thesis-tables-8-9'],
  metrics: METRICS,
  claims: [
    {
      ...OVER_BOTH,
      metric: 'mean-bitrate',
      expects: 'higher',
      size: 160,
      says: '2.37 against 2.22, and 2.12 against 1.95 Mbit/s (Tables 8 and 9)',
    },
    {
      ...OVER_BOTH,
      metric: 'rebuffer-rate',
      expects: 'lower',
      size: -1,
      says: '3 against 4, and 1 against 2 % (Tables 8 and 9)',
    },
  ],
};

/** Another experiment: with the buffer of the thesis, a live window that no stall leaves, and requests that are given up. */
const tables89Buffer: PaperCampaign = {
  id: '2018-thesis-tables-8-9-buffer',
  label: 'Tables 8 and 9 on drawn networks, with a buffer of 8 s, and h2 beside h1',
  place: null,
  metrics: METRICS,
  claims: tables89Drawn.claims,
};

export const thesis2018: Paper = {
  id: '2018-advanced-transport',
  label: 'Arısu, HTTP Adaptive Streaming with Advanced Transport, MSc thesis, Özyeğin University, 2018',
  campaigns: [tables89, tables89Drawn, tables89Buffer, table10, ownSenders, bothSenders],
  parts,
};
