import type { PaperPart } from '../paperCampaign.ts';

const RULES =
  'Three of five rules, one of them the default of today; ten traces and twenty households. MPC-Fast is built; Pensieve needs its published weights (MIT), converted.';
const ALL = ['2020-letter-figs-2-5', '2020-letter-own-senders', '2020-letter-households'];

/** The tables and figures of the 2020 letter, in its order. */
export const parts: readonly PaperPart[] = [
  {
    part: 'Fig. 1',
    shows: 'testbed with a server for TCP, one for QUIC, and a shaper',
    by: { reason: 'A drawing of a design: there is nothing to measure.' },
  },
  {
    part: 'Table I',
    shows: 'bitrates and resolutions of the videos',
    by: { campaigns: ALL },
    differs: 'The same bitrates, of padded segments without resolutions.',
    isInput: true,
  },
  {
    part: 'Fig. 2',
    shows: 'average bitrate of each rule over TCP and QUIC',
    by: { campaigns: ALL },
    differs: RULES,
    quantity: { metric: 'mean-bitrate' },
  },
  {
    part: 'Fig. 3',
    shows: 'variation of bitrate of each rule over TCP and QUIC',
    by: { campaigns: ALL },
    differs: RULES,
    quantity: { metric: 'bitrate-variation' },
  },
  {
    part: 'Fig. 4',
    shows: 'rebuffering time of each rule over TCP and QUIC',
    by: { campaigns: ALL },
    differs: RULES,
    quantity: { metric: 'rebuffer-time' },
  },
  {
    part: 'Fig. 5',
    shows: 'quality of experience (QoE) of each rule over TCP and QUIC',
    by: { campaigns: ALL },
    differs: RULES,
    quantity: { metric: 'qoe-linear' },
  },
  {
    part: 'Fig. 6a',
    shows: 'throughput of downloads of objects, one after the other',
    by: {
      command: 'pitwall transfer docs/examples/objects.transfer.json',
      results: 'docs/examples/results/objects.csv',
    },
    differs:
      'Five objects, the letter has 40: each size once over ten drawn networks. With objects of 1 MB: npm run bench -- senders --only objects (research/methodology.md).',
    quantity: { metric: 'transfer-rate' },
  },
  {
    part: 'Fig. 6b',
    shows: 'response latency of objects, one after the other',
    by: {
      command: 'pitwall transfer docs/examples/objects.transfer.json',
      results: 'docs/examples/results/objects.csv',
    },
    differs:
      'Five objects, the letter has 40: each size once over ten drawn networks. Objects of 40 kB: npm run bench -- senders --only first-byte (research/methodology.md).',
    quantity: { metric: 'first-byte-time' },
  },
  {
    part: 'Fig. 7a',
    shows: 'throughput during playback, all rules together',
    by: { campaigns: ALL },
    differs: 'Three of five rules; one value for each session, where the letter has one for each segment.',
    quantity: { metric: 'throughput' },
  },
  {
    part: 'Fig. 7b',
    shows: 'response latency during playback, all rules together',
    by: { campaigns: ALL },
    differs: 'Three of five rules; means of sessions, where the letter differs in the upper quartile.',
    quantity: { metric: 'response-latency' },
  },
  {
    part: 'Fig. 8',
    shows: 'throughput and latency of two streams of objects at once',
    by: {
      command: 'pitwall transfer docs/examples/two-streams.transfer.json',
      results: 'docs/examples/results/two-streams.csv',
    },
    differs: 'Objects of 2 MB (letter: 1 to 8), pauses of 500 and 4000 ms (to 8000), ten drawn networks.',
    quantity: { metric: 'transfer-rate' },
  },
  {
    part: 'Fig. 9a',
    shows: 'when video and audio segments wait and arrive, in one session',
    by: { command: 'pitwall export runs/2020-letter-figs-2-5 --format csv --tables requests' },
    differs: 'From the logs of that campaign: all sessions, with times of the browser and not of the server.',
  },
  {
    part: 'Fig. 9b',
    shows: 'response latency of video and of audio over TCP and QUIC',
    by: { campaigns: ALL },
    differs: RULES,
    quantity: { metric: 'response-latency-audio' },
  },
];
