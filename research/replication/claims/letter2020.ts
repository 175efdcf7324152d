import type { Claim, Paper, PaperCampaign } from '../paperCampaign.ts';
import { parts } from '../parts/letter2020.ts';

/** p < 0.05 of a Mann–Whitney U test, or not: the letter gives nothing else about a difference, besides box plots. */
const OUTCOMES: Readonly<Record<string, string>> = {
  higher: 'higher over QUIC, p < 0.05',
  lower: 'lower over QUIC, p < 0.05',
  'no difference': 'not significant',
};

/** By metric: the figure, and BOLA, the player's default and MPC-Robust in turn. */
const FINDINGS: readonly (readonly [string, string, readonly Claim['expects'][]])[] = [
  ['mean-bitrate', 'Fig. 2', ['lower', 'lower', 'lower']],
  ['bitrate-variation', 'Fig. 3', ['no difference', 'higher', 'no difference']],
  ['rebuffer-time', 'Fig. 4', ['higher', 'higher', 'no difference']],
  ['qoe-linear', 'Fig. 5', ['lower', 'lower', 'no difference']],
];

const RULES = ['bola', 'dashjs-dynamic', 'mpc-robust'];

const POOLED: readonly Pick<Claim, 'metric' | 'expects' | 'says'>[] = [
  { metric: 'throughput', expects: 'no difference', says: 'not significant (Fig. 7a, five rules together)' },
  {
    metric: 'response-latency-audio',
    expects: 'higher',
    says: '“much higher” over QUIC (Fig. 9b, five rules together)',
  },
  {
    metric: 'response-latency-video',
    expects: 'no difference',
    says: 'similar (Fig. 9b, five rules together)',
  },
];

const claimsUnder = (controllers: string): Claim[] => {
  const about = { first: 'h3-only', second: 'h1', network: null };
  return [
    ...FINDINGS.flatMap(([metric, figure, all]) =>
      all.map((expects, place) => ({
        ...about,
        metric,
        expects,
        within: `${RULES[place]!}/${controllers}`,
        says: `${OUTCOMES[expects]!} (${figure})`,
      })),
    ),
    ...POOLED.flatMap((claim) =>
      RULES.map((rule) => ({ ...about, ...claim, within: `${rule}/${controllers}` })),
    ),
  ];
};

const METRICS = [
  'qoe-linear',
  'mean-bitrate',
  'bitrate-variation',
  'rebuffer-time',
  'throughput',
  'effective-throughput',
  'throughput-mismatch',
  'response-latency-video',
  'response-latency-audio',
];

const figures: PaperCampaign = {
  id: '2020-letter-figs-2-5',
  label: 'Figs. 2 to 5, 7 and 9: rules over TCP and QUIC, equal controllers',
  place: 3,
  metrics: METRICS,
  claims: claimsUnder('cubic'),
};

const ownSenders: PaperCampaign = {
  id: '2020-letter-own-senders',
  label: 'Figs. 2 to 5, 7 and 9: the same with the senders of the letter',
  place: 5,
  metrics: METRICS,
  claims: claimsUnder('tcp=cubic:quic=cubic-x2'),
};

/** The letter's claims on other networks: added after these sessions had been played, as they are in the campaigns above. */
const households: PaperCampaign = {
  id: '2020-letter-households',
  label: 'Figs. 2 to 5, 7 and 9 on the lines of twenty households, equal controllers',
  place: null,
  metrics: METRICS,
  claims: claimsUnder('cubic'),
  playsAgain: ['2020-letter-figs-2-5'],
};

export const letter2020: Paper = {
  id: '2020-abr-over-quic',
  label:
    'Mondal and Chakraborty, Does QUIC Suit Well with Modern Adaptive Bitrate Streaming Techniques?, 2020',
  campaigns: [figures, ownSenders, households],
  parts,
};
