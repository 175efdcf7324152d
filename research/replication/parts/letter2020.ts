import type { PaperPart } from '../paperCampaign.ts';

const RULES = 'Three of five rules. MPC-Fast at full length; Pensieve needs weights of your own.';
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
    note: 'An input, not a result: the same bitrates, of padded segments without resolutions.',
  },
  {
    part: 'Fig. 2',
    shows: 'average bitrate of each rule over TCP and QUIC',
    by: { campaigns: ALL },
    note: RULES,
  },
  {
    part: 'Fig. 3',
    shows: 'variation of bitrate of each rule over TCP and QUIC',
    by: { campaigns: ALL },
    note: RULES,
  },
  {
    part: 'Fig. 4',
    shows: 'rebuffering time of each rule over TCP and QUIC',
    by: { campaigns: ALL },
    note: RULES,
  },
  {
    part: 'Fig. 5',
    shows: 'quality of experience (QoE) of each rule over TCP and QUIC',
    by: { campaigns: ALL },
    note: RULES,
  },
  {
    part: 'Fig. 6a',
    shows: 'throughput of downloads of objects, one after the other',
    by: { command: 'pitwall transfer docs/examples/objects.transfer.json', results: 'research/transfer.md' },
    note: 'Each size once over ten drawn networks. With objects of 1 MB: npm run bench -- senders --only objects (research/methodology.md).',
  },
  {
    part: 'Fig. 6b',
    shows: 'response latency of objects, one after the other',
    by: { command: 'pitwall transfer docs/examples/objects.transfer.json', results: 'research/transfer.md' },
    note: 'Each size once over ten drawn networks. Objects of 40 kB: npm run bench -- senders --only first-byte (research/methodology.md).',
  },
  {
    part: 'Fig. 7a',
    shows: 'throughput during playback, all rules together',
    by: { campaigns: ALL },
    note: 'One value for each session, by rule; the letter has one for each segment.',
  },
  {
    part: 'Fig. 7b',
    shows: 'response latency during playback, all rules together',
    by: { campaigns: ALL },
    note: 'Requests of video and of audio apart.',
  },
  {
    part: 'Fig. 8',
    shows: 'throughput and latency of two streams of objects at once',
    by: {
      command: 'pitwall transfer docs/examples/two-streams.transfer.json',
      results: 'research/transfer.md',
    },
    note: 'Objects of 2 MB, pauses of 500 and 4000 ms; the letter has 1 to 8 MB and 500 to 8000 ms.',
  },
  {
    part: 'Fig. 9a',
    shows: 'when video and audio segments wait and arrive, in one session',
    by: { command: 'pitwall export runs/2020-letter-figs-2-5 --format csv --tables requests' },
    note: 'From the logs of that campaign: all sessions, with times of the browser and not of the server.',
  },
  {
    part: 'Fig. 9b',
    shows: 'response latency of video and of audio over TCP and QUIC',
    by: { campaigns: ALL },
    note: RULES,
  },
];
