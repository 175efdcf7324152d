const SHORT = {
  schema: 'pitwall-campaign/2',
  ...{ transports: ['h2', 'h3-only'], contents: ['padded:envivio'], seeds: [1], seconds: 40 },
  ...{ leadInSeconds: 5, phase: 'drawn', preset: 'experiment', primary: 'mean-bitrate', margin: 50 },
  ...{ alpha: 0.05, compare: 'transports', per: 'campaign' },
};

/** Every field of a campaign file, each in one of them. */
const CAMPAIGNS = {
  controllers: {
    ...{ origin: 'instrumented', controllers: ['cubic', 'tcp=reno:quic=cubic'], zeroRtt: false },
    ...{ initialWindowPackets: 10, tcpPacing: true, rules: ['throughput', 'bola:gp=4'], repeats: 4 },
    profiles: ['np2b-typical-delay-typical-loss', 'trace:traces/table.csv'],
  },
  twins: {
    ...{ origin: 'instrumented', aaLabels: ['a', 'b'], transports: ['h2'], rules: ['bba-2'], repeats: 8 },
    ...{ profiles: ['fcc-typical-delay-typical-loss'], compare: 'aaLabels' },
  },
  rules: {
    rules: ['mpc-robust', 'pensieve:weights=pensieve.json', 'dashjs-dynamic', 'fixed:level=3'],
    ...{ transports: ['h1', 'h2', 'h3-racing', 'h3-only'], profiles: ['3g', 'lte'], seeds: [1, 2] },
    ...{ repeats: 2, compare: 'rules', control: 'mpc-robust', per: 'network', primary: 'qoe-linear' },
    ...{ margin: 0.1, contents: ['padded:envivio:segment=2:audio=32:ladder=300,750,1200,2400'] },
    about: 'For people.',
  },
  live: {
    ...{
      rules: ['dashjs-dynamic'],
      profiles: ['wifi'],
      contents: ['live', 'live:low-latency'],
      repeats: 3,
    },
    ...{ browserProfile: 'warm', leadInSeconds: 10 },
  },
  loopback: {
    ...{ rules: ['bola'], profiles: [], contents: ['https://streams.test/a/b.mpd'], repeats: 6 },
    ...{ transports: ['h2', 'h3-racing'], phase: 'start', compare: 'transports', control: 'h2' },
  },
  'lab-loopback': {
    ...{ rules: ['bola'], profiles: [], contents: ['demo'], repeats: 1, seconds: 20, phase: 'start' },
    transports: ['h1', 'h2', 'h3-racing', 'h3-only'],
  },
  'lab-linked': {
    ...{ rules: ['mpc-robust'], origin: 'instrumented', controllers: ['cubic'], repeats: 1, seconds: 20 },
    ...{ transports: ['h1', 'h2', 'h3-racing', 'h3-only'], profiles: ['fixed-5mbps-100ms-1-loss'] },
    ...{ contents: ['padded:envivio:segment=2:audio=32'], phase: 'start' },
  },
  'lab-live': {
    ...{ rules: ['dashjs-dynamic'], repeats: 1, seconds: 20, profiles: ['wifi'], contents: ['live'] },
    ...{ transports: ['h2', 'h3-racing'], phase: 'start' },
  },
  'compared-controllers': {
    ...{
      origin: 'instrumented',
      controllers: ['reno', 'cubic', 'bbr'],
      compare: 'controllers',
      zeroRtt: true,
    },
    ...{ rules: ['throughput'], profiles: ['dvl'], repeats: 9, initialWindowPackets: 32 },
    ...{ tcpPacing: false, browserProfile: 'warm', leadInSeconds: 10 },
  },
};

/** By their names, without `baseline-`. */
export const madeCampaigns: Readonly<Record<string, object>> = Object.fromEntries(
  Object.entries(CAMPAIGNS).map(([name, changes]) => [
    name,
    { ...SHORT, name: `baseline-${name}`, ...changes },
  ]),
);
