import type { PaperPart } from '../paperCampaign.ts';

const DRAWING = 'A drawing of a design: there is nothing to measure.';
const USERS = 'Needs the users and servers of Google.';
const SEARCH = {
  command: 'pitwall transfer docs/examples/search.transfer.json',
};

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
    by: { reason: 'Needs the search of Google, its users and 18 months.' },
  },
  {
    part: 'Fig. 7',
    shows: 'handshake time by round-trip time over QUIC and TCP',
    by: { campaigns: ['2017-deployment-table-1'] },
    differs: 'Five round-trip times, and 0-RTT in all sessions, where the paper has 88 %.',
    note: 'New, resumed and 0-RTT at ten, played: pitwall transfer docs/examples/handshake.transfer.json.',
    quantity: { metric: 'handshake-time' },
  },
  {
    part: 'Table 1, search',
    shows: 'reduction of search latency at the mean and at percentiles',
    by: SEARCH,
    differs: 'Answers of 100 and 40 kB over one connection, at ten round trips; no users.',
  },
  {
    part: 'Table 1, video',
    shows: 'reduction of video latency at the mean and at percentiles',
    by: { campaigns: ['2017-deployment-table-1'] },
    differs:
      'Five emulated links, ten pairs each, desktop only; QUIC of one flow, where the paper emulates two.',
    quantity: { metric: 'join-time' },
  },
  {
    part: 'Table 2',
    shows: 'reduction of the rebuffer rate at the mean and at percentiles',
    by: { campaigns: ['2017-deployment-table-1'] },
    differs:
      'Five emulated links, one of which loses packets; QUIC of one flow, where the paper emulates two.',
    quantity: { metric: 'rebuffer-rate' },
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
    differs: 'Video latency and rebuffer rate at five round-trip times, no search.',
    quantity: { metric: 'join-time' },
  },
  {
    part: 'Fig. 10',
    shows: 'retransmission rate of TCP by round-trip time',
    by: { reason: USERS },
  },
  {
    part: 'Fig. 11',
    shows: 'connections of TCP that the receive window of the client limits',
    by: {
      missing:
        'The share of users needs users. The effect of a window of 64 kB could be set in the network namespace of the client.',
    },
  },
  {
    part: 'Table 3',
    shows: 'reductions of latency and rebuffer rate in three countries',
    by: { command: 'pitwall compare docs/examples/countries.campaign.json' },
    differs: 'Rebuffer rate only. Round trips and losses of the paper; the rate of 5 Mbit/s is ours.',
  },
  {
    part: 'Fig. 12',
    shows: 'clients that packets of a size do not reach, by size',
    by: { reason: 'Needs the networks of thousands of real users.' },
  },
  {
    part: 'Fig. 13',
    shows: 'packets lost in a round trip with losses',
    by: {
      missing:
        'A metric of the losses in a round trip. The origin logs lost packets ten times a second; networks would be those of the lab.',
    },
  },
  {
    part: 'Fig. 14',
    shows: 'requests by version of QUIC over two years',
    by: { reason: 'Needs the users of Google over two years.' },
  },
  {
    part: 'Section 7.5',
    shows: 'a firewall that lets the first packets of QUIC pass and drops the rest',
    by: { command: 'pitwall compare docs/examples/black-hole.campaign.json' },
    differs: 'All UDP is dropped from 2 to 6 s on, not after some packets; with and without steering.',
  },
];
