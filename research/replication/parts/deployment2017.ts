import type { PaperPart } from '../paperCampaign.ts';

const DRAWING = 'A drawing of a design: there is nothing to measure.';
const USERS = 'Needs the users and servers of Google.';
const SEARCH = 'Needs the search of Google and its users.';

/** The tables and figures of the 2017 paper on the deployment of QUIC, in its order. */
export const parts: readonly PaperPart[] = [
  {
    part: 'Fig. 1',
    shows: 'layers of the stack of HTTPS with QUIC',
    by: { reason: DRAWING },
  },
  {
    part: 'Fig. 2',
    shows: 'share of the traffic of Google over QUIC, 2015 and 2016',
    by: { reason: 'Needs all traffic of Google over two years.' },
  },
  {
    part: 'Fig. 3',
    shows: 'growth of encrypted web traffic to Google',
    by: { reason: 'Needs all web traffic to Google.' },
  },
  {
    part: 'Fig. 4',
    shows: 'messages of handshakes with 1-RTT and 0-RTT',
    by: { reason: DRAWING },
  },
  {
    part: 'Fig. 5',
    shows: 'structure of a packet of Google QUIC',
    by: { reason: DRAWING },
  },
  {
    part: 'Fig. 6',
    shows: 'reduction of search latency over 18 months',
    by: { reason: SEARCH },
  },
  {
    part: 'Fig. 7',
    shows: 'handshake time by round-trip time over QUIC and TCP',
    by: { campaigns: ['2017-deployment-table-1'] },
    note: 'Measured in the browser, at five round-trip times, all 0-RTT. New, resumed and 0-RTT at ten: pitwall transfer docs/examples/handshake.transfer.json.',
  },
  {
    part: 'Table 1, search',
    shows: 'reduction of search latency at the mean and at percentiles',
    by: { reason: SEARCH },
  },
  {
    part: 'Table 1, video',
    shows: 'reduction of video latency at the mean and at percentiles',
    by: { campaigns: ['2017-deployment-table-1'] },
    note: 'Desktop only, over emulated links. Percentiles of few sessions mean little.',
  },
  {
    part: 'Table 2',
    shows: 'reduction of the rebuffer rate at the mean and at percentiles',
    by: { campaigns: ['2017-deployment-table-1'] },
    note: 'Desktop only, over emulated links. One link of five loses packets.',
  },
  {
    part: 'Fig. 8',
    shows: 'distribution of the round-trip times of users',
    by: { reason: USERS },
  },
  {
    part: 'Fig. 9',
    shows: 'search latency, video latency and rebuffer rate by round-trip time',
    by: { campaigns: ['2017-deployment-table-1'] },
    note: 'Video latency and rebuffer rate at five round-trip times, no search.',
  },
  {
    part: 'Fig. 10',
    shows: 'retransmission rate of TCP by round-trip time',
    by: { reason: USERS },
  },
  {
    part: 'Fig. 11',
    shows: 'connections of TCP that the receive window of the client limits',
    by: { reason: USERS },
  },
  {
    part: 'Table 3',
    shows: 'reductions of latency and rebuffer rate in three countries',
    by: { reason: 'Needs users of Google in three countries.' },
  },
  {
    part: 'Fig. 12',
    shows: 'clients that packets of a size do not reach, by size',
    by: { reason: 'Needs the networks of thousands of real users.' },
  },
  {
    part: 'Fig. 13',
    shows: 'packets lost in a round trip with losses',
    by: { reason: 'Needs the losses of connections of real users.' },
  },
  {
    part: 'Fig. 14',
    shows: 'requests by version of QUIC over two years',
    by: { reason: 'Needs the users of Google over two years.' },
  },
];
