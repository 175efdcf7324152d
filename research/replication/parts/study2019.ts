import type { PaperPart } from '../paperCampaign.ts';

const OVER_TIME =
  'On links of 3 to 10 Mbit/s. The campaign shows means; the values over time are in its logs.';

/** The tables and figures of the 2019 study, in its order. */
export const parts: readonly PaperPart[] = [
  {
    part: 'Fig. 1',
    shows: 'testbed with four servers, two routers and ten clients',
    by: { reason: 'A drawing of a design: there is nothing to measure.' },
  },
  {
    part: 'Table I',
    shows: 'overhead of headers over TCP and QUIC',
    by: { command: 'npm run bench -- senders --only overhead', results: 'research/methodology.md' },
    note: 'The arithmetic of the study; a measurement with TLS and framing stands beside it.',
  },
  {
    part: 'Table II',
    shows: 'effect of the window of a QUIC stream on playback',
    by: {
      missing:
        'The browser sets the window of a stream. The same limit can be set at our origin (quicSendBufferBytes), but no field of a campaign sets it.',
    },
  },
  {
    part: 'Table III',
    shows: 'effect of the largest congestion window on playback',
    by: { campaigns: ['2019-parameters-table-3'] },
    differs:
      'On drawn networks of 30 to 60 Mbit/s and 100 to 150 ms, where 500 packets may be less than fit. At full length also 1500 and 2500 packets.',
    quantity: { metric: 'throughput' },
  },
  {
    part: 'Table IV',
    shows: 'effect of the number of emulated connections on playback',
    by: { campaigns: ['2019-parameters-table-4', '2019-parameters-table-4-beside'] },
    differs:
      'One client, on 10 Mbit/s with 2, 6 and 10 connections, at full length also 3 to 7 Mbit/s, 4 and 8; and beside a download over TCP on ten drawn networks.',
    quantity: { metric: 'throughput' },
  },
  {
    part: 'Fig. 2',
    shows: 'buffer level over time in a session',
    by: { campaigns: ['2019-parameters-table-5'] },
    differs: OVER_TIME,
    quantity: { metric: 'buffer-level' },
  },
  {
    part: 'Fig. 3',
    shows: 'throughput over time in a session',
    by: { campaigns: ['2019-parameters-table-5'] },
    differs: OVER_TIME,
    quantity: { metric: 'throughput' },
  },
  {
    part: 'Fig. 4',
    shows: 'latency over time in a session',
    by: { campaigns: ['2019-parameters-table-5'] },
    differs:
      'Response latency of segments, on links of 3 to 10 Mbit/s. Means; the values over time are in the logs.',
    quantity: { metric: 'response-latency' },
  },
  {
    part: 'Table V',
    shows: 'switches, stalls and quality level at four rates',
    by: { campaigns: ['2019-parameters-table-5', '2019-parameters-table-5-beside'] },
    differs:
      'Scaled down at 3 and 10 Mbit/s only, and beside a download over TCP on ten drawn networks. A control has equal controllers.',
    quantity: { metric: 'mean-level' },
  },
  {
    part: 'Fig. 5',
    shows: 'predicted QoE score by the rate of the link',
    by: {
      command: 'pitwall predict campaigns/results/2020-letter-households.csv',
      results: 'research/prediction.md',
    },
    differs:
      'Errors of models that are fitted to our own sessions over h1 and h3-only: no scores by rate, and no emulated connections. The study takes its model from another publication, and states neither its form nor its error.',
  },
];
