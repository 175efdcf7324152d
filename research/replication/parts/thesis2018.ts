import type { PaperPart } from '../paperCampaign.ts';

const DRAWING = 'A drawing of a design: there is nothing to measure.';
const SEEKS = {
  command: 'pitwall compare docs/examples/seeks.campaign.json',
  results: 'docs/examples/results/seeks.csv',
};
const SWITCHES = {
  campaigns: ['2018-thesis-tables-8-9', '2018-thesis-tables-8-9-drawn', '2018-thesis-tables-8-9-buffer'],
};
const ONE_RULE = 'One of three rules (SARA), in a browser; networks of the thesis and 24 drawn ones.';

/** The tables and figures of the 2018 thesis, in its order. */
export const parts: readonly PaperPart[] = [
  {
    part: 'Fig. 1',
    shows: 'layers of the stack of protocols with QUIC',
    by: { reason: DRAWING },
  },
  {
    part: 'Fig. 2',
    shows: 'how a player adapts to the rate of the network',
    by: { reason: DRAWING },
  },
  {
    part: 'Fig. 3',
    shows: 'server, client and network of HTTP streaming',
    by: { reason: DRAWING },
  },
  {
    part: 'Table 1',
    shows: 'how earlier studies of streaming over QUIC differ',
    by: { reason: 'A comparison of earlier studies: there is nothing to measure.' },
  },
  {
    part: 'Fig. 4',
    shows: 'round trips between Istanbul and Frankfurt over WiFi, LTE and 3G',
    by: {
      reason: 'A measurement of three real networks. Our links have their averages as constant round trips.',
    },
  },
  {
    part: 'Table 2',
    shows: 'rate, round trip and loss over WiFi, LTE and 3G',
    by: { reason: 'A measurement of three real networks. Their averages are our profiles wifi, lte and 3g.' },
  },
  {
    part: 'Table 3',
    shows: 'seek scenario: four seeks forward in a video of 600 s',
    by: SEEKS,
    differs: 'The same four seeks. A session ends after 330 s, and not at the end of the video.',
    isInput: true,
  },
  {
    part: 'Table 4',
    shows: 'switch scenario: WiFi and a cellular network in turn for 600 s',
    by: SWITCHES,
    differs: 'The next network is available at once. On drawn networks each change comes up to 50 s later.',
    isInput: true,
  },
  {
    part: 'Fig. 5',
    shows: 'a player that uses QUIC or TCP',
    by: { reason: DRAWING },
  },
  {
    part: 'Fig. 6',
    shows: 'client and server of the switch scenario',
    by: { reason: DRAWING },
  },
  {
    part: 'Fig. 7',
    shows: 'testbed with a bottleneck between client and server',
    by: { reason: DRAWING },
  },
  {
    part: 'Fig. 8',
    shows: 'three ways to send several streams of data',
    by: { reason: DRAWING },
  },
  {
    part: 'Tables 5 to 7',
    shows: 'bitrate, wait after a seek and rebuffer rate, for three rules',
    by: SEEKS,
    differs: 'None of its rules, transports and networks: dashjs-dynamic, h2 as TCP, twelve drawn networks.',
    quantity: { metric: 'seek-wait' },
  },
  {
    part: 'Tables 5 to 7, as they are',
    shows: 'the same with the rules, transports and networks of the thesis',
    by: { command: 'pitwall compare docs/examples/seeks-thesis.campaign.json' },
    differs: 'The averages of its three networks, constant.',
    quantity: { metric: 'seek-wait' },
  },
  {
    part: 'Table 8',
    shows: 'bitrate and rebuffer rate, live, with WiFi and LTE in turn',
    by: SWITCHES,
    differs: ONE_RULE,
    quantity: { metric: 'mean-bitrate' },
  },
  {
    part: 'Table 9',
    shows: 'bitrate and rebuffer rate, live, with WiFi and 3G in turn',
    by: SWITCHES,
    differs: ONE_RULE,
    quantity: { metric: 'mean-bitrate' },
  },
  {
    part: 'Table 10',
    shows: 'bitrate and rebuffer rate under delay and loss, by protocol',
    by: {
      campaigns: [
        '2018-thesis-table-10',
        '2018-thesis-table-10-own-senders',
        '2018-thesis-table-10-both-senders',
      ],
    },
    differs: 'One of three rules (SARA), two of eight conditions, one request a segment.',
    quantity: { metric: 'mean-bitrate' },
  },
  {
    part: 'Table 10, other rows',
    shows: 'the same with each segment in two to twelve parts at once',
    by: {
      command: 'pitwall compare docs/examples/split.campaign.json',
      results: 'docs/examples/results/split.csv',
    },
    differs: 'One, 6 and 12 ranges (h1: six at a time), QUIC too; one of three rules, ten drawn networks.',
    note: 'Below the player: pitwall transfer docs/examples/ranges.transfer.json (research/transfer.md).',
    quantity: { metric: 'mean-bitrate' },
  },
];
