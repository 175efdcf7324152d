import type { PaperPart } from '../paperCampaign.ts';

const DRAWING = 'A drawing of a design: there is nothing to measure.';
const COUNT = 'A count of what was recorded: there is nothing to measure.';
const BEHIND_LIMITERS = 'pitwall compare docs/examples/steering-limited.campaign.json';
const ON_SLOW_NETWORKS = 'pitwall compare docs/examples/steering-dvl.campaign.json';
const WINDOWS = 'pitwall metrics runs/2024-racing-dvl --windows';
const SHARES = 'dash.js from one host, Chromium only; ten pairs of one network, without curves of p-values.';
const RACED = 'At 64 to 256 kbit/s ours raced at discovery only.';

/** The tables and figures of the 2024 racing paper, in its order. */
export const parts: readonly PaperPart[] = [
  {
    part: 'Fig. 1',
    shows: 'share of bytes over TCP on phones in eight cities',
    by: { reason: 'Needs phones and mobile networks in eight cities, and YouTube.' },
  },
  {
    part: 'Table I',
    shows: 'how earlier studies of video over QUIC differ',
    by: { reason: 'A comparison of earlier studies: there is nothing to measure.' },
  },
  {
    part: 'Fig. 2',
    shows: 'how Chromium races QUIC against TCP',
    by: {
      command: 'pitwall export runs/2024-racing-dvl --format csv --tables races -o tables',
    },
    differs: 'A drawing. Its delay of TCP and the time for which Alt-Svc is broken are in the logs of a run.',
  },
  {
    part: 'Fig. 3',
    shows: 'testbed with two browsers, a traffic shaper and YouTube',
    by: { reason: DRAWING },
  },
  {
    part: 'Table II',
    shows: 'the emulated networks: rates, steps and their length',
    by: { campaigns: ['2024-racing-dvl', '2024-racing-dh-dl'] },
    differs: 'Rates and steps are those of the paper. Its last row, recorded traces, is not played.',
    isInput: true,
  },
  {
    part: 'Fig. 4',
    shows: 'how the data set is divided, and how stalls are computed',
    by: { reason: 'A drawing of the data set and of a definition: there is nothing to measure.' },
  },
  {
    part: 'Table III',
    shows: 'hours of playback by browser, network and city',
    by: { reason: COUNT },
  },
  {
    part: 'Fig. 5a',
    shows: 'quality drops and stalls by TCP share, over recorded traces',
    by: { missing: 'A campaign of its traces: 105 of 161 are public (pitwall traces import).' },
  },
  {
    part: 'Fig. 5b',
    shows: 'quality drops and stalls by TCP share, over emulated networks',
    by: { campaigns: ['2024-racing-dvl', '2024-racing-dh-dl'] },
    differs: 'One host and a player that is never idle; a figure for each campaign.',
    quantity: { metric: 'tcp-share-later', transport: 'h3-racing' },
  },
  {
    part: 'Fig. 6a',
    shows: 'pairs in which racing is worse than QUIC off, in Chromium',
    by: { campaigns: ['2024-racing-dvl', '2024-racing-dh-dl'] },
    differs: `dash.js from one host; ten pairs of one network, and no curves of p-values. ${RACED}`,
    quantity: { metric: 'mean-bitrate' },
  },
  {
    part: 'Fig. 6b',
    shows: 'the same pairs in Firefox',
    by: { command: 'pitwall compare docs/examples/firefox-dvl.campaign.json' },
    differs: 'dash.js from one host, ten drawn networks of 64 to 256 kbit/s; no races of Firefox in the log.',
  },
  {
    part: 'Fig. 7a',
    shows: 'pairs in which racing is worse than QUIC off, at 896 to 1152 kbit/s',
    by: { campaigns: ['2024-racing-dh-dl'] },
    differs: SHARES,
    quantity: { metric: 'mean-bitrate' },
  },
  {
    part: 'Fig. 7b',
    shows: 'pairs in which racing is worse than QUIC off, at 128 to 640 kbit/s',
    by: { campaigns: ['2024-racing-dh-dl'] },
    differs: SHARES,
    quantity: { metric: 'mean-bitrate' },
  },
  {
    part: 'Fig. 7c',
    shows: 'pairs in which racing is worse than QUIC off, at 64 to 256 kbit/s',
    by: { campaigns: ['2024-racing-dvl', '2024-racing-dvl-drawn'] },
    differs: `dash.js from one host, Chromium only; ten pairs of one network, and ten drawn networks that give means. ${RACED}`,
    quantity: { metric: 'mean-bitrate' },
  },
  {
    part: 'Fig. 8',
    shows: 'pairs in which racing is worse than QUIC off, by city',
    by: { reason: 'Needs machines in five cities, and the servers of YouTube near them.' },
  },
  {
    part: 'Fig. 9',
    shows: 'correlation of TCP share with quality drops and stalls, and its lag',
    by: { campaigns: ['2024-racing-idle', '2024-racing-dh-dl'] },
    differs:
      'Known only where TCP carries media after discovery. Lags within 8 windows of 30 s. Over all sessions; the paper takes those that were worse than with QUIC off.',
    quantity: { metric: 'tcp-share-later', transport: 'h3-racing' },
  },
  {
    part: 'Fig. 10',
    shows: 'bytes over TCP and QUIC over time in a session',
    by: { campaigns: ['2024-racing-idle', '2024-racing-dvl', '2024-racing-dh-dl'] },
    differs: 'One server, of which idle has two names; the mean over all sessions, by windows of 30 s.',
    quantity: { metric: 'tcp-share-later', transport: 'h3-racing' },
  },
  {
    part: 'Figs. 11 and 12',
    shows: 'bitrate, variation and stalls over time in picked sessions',
    by: { command: WINDOWS },
    differs: 'From the logs of that campaign: all sessions, with the TCP share of each window for bytes.',
  },
  {
    part: 'Fig. 13',
    shows: 'round trips, QUIC errors and bytes over time in a session',
    by: {
      command: 'pitwall export runs/2024-racing-dvl --format csv --tables requests,races,transport -o tables',
    },
    differs: 'From the logs of that campaign. Round trips are those of our origin, not of the browser.',
  },
  {
    part: 'Fig. 14',
    shows: 'distribution of the TCP share of sessions, by network',
    by: { campaigns: ['2024-racing-idle', '2024-racing-dvl', '2024-racing-dh-dl'] },
    differs:
      'In idle the viewer pauses twice, and media have two names; elsewhere one, and a player that is never idle. No recorded traces.',
    quantity: { metric: 'tcp-share-later', transport: 'h3-racing' },
  },
  {
    part: 'Fig. 15',
    shows: 'how the sessions with the changed browser are divided',
    by: { reason: COUNT },
  },
  {
    part: 'Fig. 16',
    shows: 'bytes over TCP and QUIC with a browser that never races',
    by: { campaigns: ['2024-racing-dvl'] },
    differs: 'h3-only is Chromium with QUIC forced. It has no TCP at all.',
    quantity: { metric: 'tcp-share', transport: 'h3-only' },
  },
  {
    part: 'Figs. 17a to 17c',
    shows: 'bitrate, variation and stalls of six pairs, racing or not',
    by: { command: WINDOWS },
    differs: 'From the logs of that campaign: all pairs, in their units. h3-only never races.',
  },
  {
    part: 'Fig. 17d',
    shows: 'pairs in which a browser that never races is better',
    by: { campaigns: ['2024-racing-idle', '2024-racing-dvl', '2024-racing-dvl-drawn', '2024-racing-dh-dl'] },
    differs: 'h3-only is Chromium with QUIC forced. But in idle, h3-racing races at discovery only.',
    quantity: { metric: 'mean-bitrate' },
  },
  {
    part: 'Fig. 18',
    shows: 'how a browser decides by round trips whether to race, and its data',
    by: { reason: 'A drawing of a design and of its data set: there is nothing to measure.' },
  },
  {
    part: 'Section X',
    shows: 'a browser that races behind a firewall that limits UDP',
    by: { campaigns: ['2024-racing-limiter', '2024-racing-limiter-drawn'] },
    differs: 'Our reading of §IV; the paper has no QUIC off there. Our limiter drops packets.',
    quantity: { metric: 'mean-bitrate' },
  },
  {
    part: 'Fig. 19a, slow network',
    shows: 'round trips of QUIC and TCP on a slow network',
    by: { command: ON_SLOW_NETWORKS, results: 'research/papers/2024-racing.md' },
    differs: 'Small HTTP requests over both pathways, every 15 s, in place of pings.',
  },
  {
    part: 'Fig. 19a, firewall',
    shows: 'round trips of QUIC and TCP behind a firewall that limits UDP',
    by: { command: BEHIND_LIMITERS, results: 'research/papers/2024-racing.md' },
    differs: 'Small HTTP requests in place of pings; limits of 64 to 982 kbit/s, which drop packets.',
  },
  {
    part: 'Fig. 19b',
    shows: 'decision by round trips against racing, on a slow network',
    by: { command: ON_SLOW_NETWORKS, results: 'docs/examples/results/steering-dvl.csv' },
    differs: 'The policy rtt-ratio of the page: it cannot forbid races, and never left QUIC. Means only.',
    quantity: { metric: 'mean-bitrate' },
  },
  {
    part: 'Fig. 19c',
    shows: 'decision by round trips against racing, behind the firewall',
    by: { command: BEHIND_LIMITERS, results: 'docs/examples/results/steering-limited.csv' },
    differs: 'The policy rtt-ratio: no request failed, so it did nothing. Limits drop packets. Means only.',
    quantity: { metric: 'mean-bitrate' },
  },
];
