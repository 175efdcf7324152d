import type { Claim, Quantity } from './paperCampaign.ts';
import { splitName } from '../../src/shared/split.ts';

/** A finding of a paper, and the committed results that it is held against. */
export interface Finding {
  readonly paper: string;
  /** Finding in our words, with the numbers that the paper prints. */
  readonly says: string;
  readonly where: string;
  readonly by: FoundBy;
  /** What differs from the paper, where the finding depends on it. */
  readonly differs?: string;
  /** What has to occur for sessions to say anything about the finding. */
  readonly needs?: Occurs;
}

/** A quantity that occurs in sessions of campaigns (ids, or tables: .csv) where it has more than one value. */
export interface Occurs {
  readonly campaigns: readonly string[];
  readonly occurs: Quantity;
  /** In how many sessions the paper finds how much of it: `share` (0.4 is 40 %) have `min` or more, in its metric's unit. */
  readonly often?: { readonly min: number; readonly share: number };
}

/**
 * What answers a finding: claims of a campaign; a quantity that has to occur; differences between two arms of a table; or
 * nothing, and why.
 */
type FoundBy =
  | { readonly campaign: string; readonly claims: Partial<Omit<Claim, 'says'>> }
  | Occurs
  | { readonly table: string; readonly metric: string; readonly pairs: readonly Compared[] }
  | { readonly notPlayed: string };

/** Two arms of a table, each by names that its sessions have in common. */
export interface Compared {
  readonly first: readonly string[];
  readonly second: readonly string[];
  /** null: the paper says nothing of it, and it is among the comparisons that p is corrected over. */
  readonly expects: Claim['expects'] | null;
  /** The paper's difference in the metric's unit. */
  readonly size?: number;
}

const inPaper = (paper: string, said: readonly Omit<Finding, 'paper'>[]): readonly Finding[] =>
  said.map((each) => ({ paper, ...each }));

const ranges = (transport: string, count: number, expects: Compared['expects']): Compared => ({
  first: [transport, splitName(count)],
  second: [transport, splitName(1)],
  expects,
});

const RACES: Occurs = {
  campaigns: ['2024-racing-dvl', '2024-racing-dvl-drawn'],
  occurs: { metric: 'tcp-share-later', transport: 'h3-racing' },
};
const LIMITED = 'docs/examples/results/steering-limited.csv';

const racing = inPaper('2024-racing', [
  {
    says: 'Races go on during a video: 40 % or more of the bytes come over TCP in 40 % of sessions at 64 to 256 kbit/s',
    where: 'Fig. 14',
    by: RACES,
    differs: 'One host, and a player that is never idle: nothing started a second race.',
  },
  {
    says: 'At 128 to 640 kbit/s 40 % or more of the bytes come over TCP in 20 % of sessions',
    where: 'Fig. 14',
    by: {
      campaigns: ['2024-racing-idle'],
      occurs: RACES.occurs,
      often: { min: 40, share: 0.2 },
    },
    differs: 'Rates from 128 to 1152 kbit/s. The viewer pauses twice for 60 s, and media have two names.',
  },
  {
    says: 'There QUIC alone has more bitrate than racing in 67 % of the pairs that differ, on all networks together',
    where: 'Fig. 17d',
    by: { campaign: '2024-racing-idle', claims: { metric: 'mean-bitrate', first: 'h3-only' } },
    differs: 'As above. h3-only is Chromium with QUIC forced.',
  },
  {
    says: 'At 64 to 256 kbit/s racing and QUIC off are even in bitrate: racing is worse in 50 % of the pairs that differ',
    where: 'Fig. 7c',
    by: { campaign: '2024-racing-dvl-drawn', claims: { metric: 'mean-bitrate', second: 'h2' } },
    differs: 'Our browser raced at discovery only.',
    needs: RACES,
  },
  {
    says: 'And in stalls: racing is worse in 48 % of the pairs that differ',
    where: 'Fig. 7c',
    by: { campaign: '2024-racing-dvl-drawn', claims: { metric: 'window-stall', second: 'h2' } },
    differs: 'Stall in windows of 30 s. Our browser raced at discovery only.',
    needs: RACES,
  },
  {
    says: 'QUIC alone has more bitrate than racing in 67 % of the pairs that differ, on all networks together',
    where: 'Fig. 17d',
    by: { campaign: '2024-racing-dvl-drawn', claims: { metric: 'mean-bitrate', first: 'h3-only' } },
    differs: 'At 64 to 256 kbit/s. Our browser raced at discovery only.',
    needs: RACES,
  },
  {
    says: 'At 896 to 1152 and 128 to 640 kbit/s racing is worse in bitrate in 19 and 41 % of the pairs that differ',
    where: 'Figs. 7a, 7b',
    by: { campaign: '2024-racing-dh-dl', claims: {} },
  },
  {
    says: 'Behind a firewall that limits UDP, a browser that races plays over TCP, as one with QUIC off does',
    where: '§IV, our reading',
    by: { campaign: '2024-racing-limiter-drawn', claims: { metric: 'mean-bitrate' } },
    differs: 'TCP carried discovery only. Our limiter drops packets, that of the paper delays them.',
  },
  {
    says: 'There, a decision by round trips plays as racing does: similar bitrate in 90 % of pairs',
    where: 'Fig. 19c',
    by: {
      table: LIMITED,
      metric: 'mean-bitrate',
      pairs: [
        { first: ['h3-racing', 'rtt-ratio'], second: ['h3-racing', 'browser'], expects: 'no difference' },
      ],
    },
    differs: 'A policy of the page decides when a request fails, and none failed: the limiter drops packets.',
    needs: { campaigns: [LIMITED], occurs: { metric: 'other-pathway-share', transport: 'rtt-ratio' } },
  },
  {
    says: 'On a slow network, a decision by round trips has more bitrate than racing: in 58 % of the pairs that differ',
    where: 'Fig. 19b',
    by: {
      table: 'docs/examples/results/steering-dvl.csv',
      metric: 'mean-bitrate',
      pairs: [{ first: ['h3-racing', 'rtt-ratio'], second: ['h3-racing', 'browser'], expects: 'higher' }],
    },
    differs: 'The policy cannot forbid races, which is the half that gains.',
  },
]);

const LETTER = [
  ['2', 'mean-bitrate', 'The bitrate is lower over QUIC with every rule'],
  ['4', 'rebuffer-time', 'Stalls are longer over QUIC with BOLA, the default and MPC-Fast; else not shown'],
  ['5', 'qoe-linear', 'QoE is lower over QUIC with every rule but MPC-Robust, where nothing is shown'],
  ['9b', 'response-latency-audio', 'The first byte of audio comes much later over QUIC, all rules together'],
  ['9b', 'response-latency-video', 'That of video is similar'],
] as const;

const rules = inPaper(
  '2020-abr-over-quic',
  LETTER.map(([figure, metric, says]) => ({
    says,
    where: `Fig. ${figure}`,
    by: { campaign: '2020-letter-households', claims: { metric } },
    differs: 'Three of five rules, one of them the default of today.',
  })),
);

const parameters = inPaper('2019-quic-parameters', [
  {
    says: 'A larger window, 1000 and 2000 packets instead of 500, brings 5 and 8 % more throughput',
    where: 'Table III',
    by: { campaign: '2019-parameters-table-3', claims: { metric: 'throughput' } },
    differs: 'Long, fast paths, where the window can be a limit.',
  },
  {
    says: 'Six and ten emulated connections bring 30 and 25 % more throughput than two',
    where: 'Table IV',
    by: { campaign: '2019-parameters-table-4', claims: { metric: 'throughput' } },
    differs: 'One client, alone on a link of 10 Mbit/s; the testbed of the study has ten clients.',
  },
  {
    says: 'The same. The study does not say whether other traffic was there',
    where: 'Table IV',
    by: { campaign: '2019-parameters-table-4-beside', claims: { metric: 'throughput' } },
    differs: 'Beside one TCP download.',
  },
  {
    says: 'QUIC with six connections has a higher level than TCP at 3, 5, 7 and 10 Mbit/s',
    where: 'Table V',
    by: { campaign: '2019-parameters-table-5', claims: {} },
  },
]);

const thesis = inPaper('2018-advanced-transport', [
  {
    says: 'After a seek, QUIC waits 1.16 to 1.48 s and TCP 1.90 to 2.42 s',
    where: 'Tables 5 to 7',
    by: {
      table: 'docs/examples/results/seeks.csv',
      metric: 'seek-wait',
      pairs: [{ first: ['h3-only'], second: ['h2'], expects: 'lower', size: -882 }],
    },
    differs: 'Another rule, h2 and not HTTP/1.1, other networks.',
  },
  {
    says: 'Between WiFi and a cellular network, SARA has 0.15 to 0.17 Mbit/s more over QUIC than over TCP',
    where: 'Tables 8, 9',
    by: { campaign: '2018-thesis-tables-8-9-buffer', claims: { metric: 'mean-bitrate' } },
    differs:
      'With the buffer of the thesis, 8 s. With one of 20 s, on 12 other networks, +77 kbit/s. HTTP/1.1 in a browser hangs after a change; over h2 it does not.',
  },
  {
    says: 'Between WiFi and 3G, BASIC stalls 6 % of the time over QUIC and 13 % over TCP',
    where: 'Table 9',
    by: { notPlayed: 'SARA was played; BASIC is built, at full length.' },
  },
  {
    says: 'With typical delay and loss no protocol has more bitrate than another',
    where: 'Table 10',
    by: {
      campaign: '2018-thesis-table-10-both-senders',
      claims: {
        metric: 'mean-bitrate',
        network: 'np2b-typical-delay-typical-loss',
        within: 'sara/cubic',
      },
    },
    differs: 'One of three rules.',
  },
  {
    says: 'With large delay and loss, QUIC has more than h2 and less than h1',
    where: 'Table 10',
    by: {
      campaign: '2018-thesis-table-10-both-senders',
      claims: {
        metric: 'mean-bitrate',
        network: 'np2b-large-delay-large-loss',
        within: 'sara/cubic',
      },
    },
    differs: 'One of three rules.',
  },
  {
    says: 'With large loss, segments in parts at once bring more bitrate over h1 (1.01 to 1.71 Mbit/s) and none over h2',
    where: 'Table 10',
    by: {
      table: 'docs/examples/results/split.csv',
      metric: 'mean-bitrate',
      pairs: [
        ranges('h1', 6, 'higher'),
        ranges('h1', 12, 'higher'),
        ranges('h2', 6, 'no difference'),
        ranges('h2', 12, 'no difference'),
        ranges('h3-only', 6, null),
        ranges('h3-only', 12, null),
      ],
    },
    differs: 'One of three rules; other networks, of 0 to 3 % loss; over h1 at most six at a time.',
  },
]);

const deployment = inPaper('2017-quic-deployment', [
  {
    says: 'Video begins 8 % sooner over QUIC, at the mean on desktops',
    where: 'Table 1',
    by: { campaign: '2017-deployment-table-1', claims: { metric: 'join-time' } },
    differs: 'All connections have 0-RTT, in the paper 85 %. A fifth link, with losses: +153 ms, not shown.',
  },
  {
    says: 'The rebuffer rate is 18 % less over QUIC, at the mean on desktops',
    where: 'Table 2',
    by: { campaign: '2017-deployment-table-1', claims: { metric: 'rebuffer-rate' } },
    differs: 'One link of five loses packets.',
  },
  {
    says: 'QUIC gains most where round trips and losses are large: rebuffer rate −22.1 % in India, 0.0 % in South Korea, on desktops',
    where: 'Table 3',
    by: { notPlayed: 'docs/examples/countries.campaign.json is built.' },
  },
  {
    says: 'A firewall that lets the first packets of QUIC pass and drops the rest defeats the fallback to TCP',
    where: '§7.5',
    by: {
      table: 'docs/examples/results/black-hole.csv',
      metric: 'rebuffer-rate',
      pairs: [{ first: ['h3-racing', 'browser'], second: ['h2', 'browser'], expects: 'higher' }],
    },
    differs: 'All UDP is dropped from 2 to 6 s on, not after some packets. Sessions of 90 s.',
  },
]);

/** The main findings of the papers, the newest paper first. */
export const findings: readonly Finding[] = [...racing, ...rules, ...parameters, ...thesis, ...deployment];
