import type { Command } from './command.ts';
import type { InputNames } from './inputs.ts';

/** Every command whose results are recorded, by the bundle that has them. */
export const GROUPS = ['sim', 'campaign', 'read-sim', 'read-campaign', 'read-old', 'read-lab'] as const;
export type Group = (typeof GROUPS)[number];

/** Those of each run. */
const RULES = [
  ['basic', 'bb', 'bba-0'],
  ['bba-1', 'bba-2', 'bola'],
  ['bola-e', 'bola-finite', 'bola-o'],
  ['bola-u', 'dynamic', 'festive'],
  ['fixed:level=3', 'lowest', 'mpc-fast'],
  ['mpc-robust', 'neural'],
  ['pensieve:weights=old/made/pensieve.json', 'sara', 'throughput:safetyFactor=0.9'],
];
const PROFILES = [
  ...['3g', 'constant-10mbps', 'constant-3mbps', 'constant-5mbps', 'constant-7mbps', 'dh', 'dl', 'dvl'],
  ...['fcc-large-delay-large-loss', 'fcc-large-delay-typical-loss', 'fcc-typical-delay-large-loss'],
  ...['fcc-typical-delay-typical-loss', 'fixed-5mbps-100ms', 'fixed-5mbps-100ms-1-loss', 'lte'],
  ...['np2b-large-delay-large-loss', 'np2b-large-delay-typical-loss', 'np2b-typical-delay-large-loss'],
  ...['np2b-typical-delay-typical-loss', 'switch-wifi-3g', 'switch-wifi-lte', 'udp-block', 'udp-limiter'],
  'wifi',
];
const TRACES = [
  'cooked.log',
  'pairs.txt',
  'table.csv',
  'mahimahi.log',
  'sabre.json',
  'fcc.csv',
  'pitwall.json',
];
const trace = (name: string): string => `old/made/traces/${name}`;

/** Seven runs of each model, two or three rules over five networks each: 200 logs. Every rule meets both models. */
const SIM_RUNS = Array.from({ length: 14 }, (_, run) => ({
  id: `${run < 7 ? 'chunk' : 'player'}-${run % 7}`,
  run,
  isPlayer: run >= 7,
  rules: RULES[run % 7]!,
  traces: [
    ...Array.from({ length: 4 }, (_each, at) => `profile:${PROFILES[(run * 4 + at) % PROFILES.length]!}`),
    trace(TRACES[run % TRACES.length]!),
  ],
}));
const simFolder = (id: string): string => `sim/${id}/out/logs`;

function simCommand({ id, run, isPlayer, rules, traces }: (typeof SIM_RUNS)[number]): Command {
  const video = ['old/made/movie.json', 'old/made/video.mpd'][run % 2]!;
  const each = (values: readonly string[]): string => values[run % values.length]!;
  const ofPlayer = [
    ...['--protocol', each(['h1', 'h2', 'h3']), '--buffer', each(['12', '20', '30'])],
    ...(run % 3 === 0 ? ['--rtt', '60'] : []),
    ...(run % 2 === 0 ? ['--audio', '64'] : []),
  ];
  return {
    id,
    args: [
      ...['sim', '--rules', rules.join(), '--traces', ...traces],
      ...['--video', run === 3 || run === 10 ? 'envivio' : video, '--model', isPlayer ? 'player' : 'chunk'],
      ...['--qoe', each(['lin', 'log', 'hd']), '--seed', String(run + 1), '--jobs', '1'],
      ...(isPlayer ? ofPlayer : []),
      ...['--log', 'out/logs', '--json', 'out/results.json'],
    ],
  };
}

/** What reads logs, over folders of them. Their order is that of the commands, so that a folder meets all in turn. */
function readers(folder: string, id: string, formats: readonly string[]): Command[] {
  return [
    { id: `${id}-metrics-json`, args: ['metrics', folder, '--json'] },
    { id: `${id}-check`, args: ['check', folder] },
    ...formats.map((format) => ({
      id: `${id}-export-${format}`,
      args: [
        ...['export', folder, '--format', format, '--out', 'out/exported'],
        ...(format === 'p1203' ? ['--fps', '25'] : []),
      ],
    })),
  ];
}

const FORMATS = ['csv', 'parquet', 'har', 'qlog', 'qlog-seq', 'p1203'];
const replay = (folder: string, id: string, rules: string): Command => ({
  id: `${id}-replay`,
  args: ['replay', folder, '--rule', rules, '--json', 'out/replayed.json'],
});

function readSim(): Command[] {
  const each = SIM_RUNS.flatMap(({ id, run }) => [
    ...readers(simFolder(id), id, [FORMATS[run % 5]!]),
    { id: `${id}-metrics-csv`, args: ['metrics', simFolder(id), '--csv'] },
  ]);
  const replays = [0, 3, 8, 11, 13].map((run) => {
    const { id } = SIM_RUNS[run]!;
    const rules = ['bola,mpc-robust', 'bba-2', 'throughput,dynamic', 'mpc-fast', 'festive,sara'];
    return replay(simFolder(id), id, rules[run % rules.length]!);
  });
  return [
    ...each,
    ...replays,
    { id: 'metrics-text', args: ['metrics', simFolder('player-5')] },
    { id: 'metrics-windows', args: ['metrics', simFolder('player-3'), '--windows'] },
    { id: 'metrics-some', args: ['metrics', simFolder('chunk-1'), '--metrics', 'switches,qoe-linear'] },
    {
      id: 'export-tables',
      args: [
        ...['export', simFolder('player-4'), '--format', 'csv'],
        ...['--tables', 'sessions,stalls', '--out', 'out/exported'],
      ],
    },
    ...optima(),
    {
      id: 'sim-paired',
      args: [
        ...['sim', '--rules', 'bba-2,bola,throughput', '--traces', ...TRACES.map(trace)],
        ...['--video', 'old/made/movie.json', '--paired', 'old/made/published.csv', '--jobs', '1'],
        ...['--json', 'out/results.json'],
      ],
    },
  ];
}

const optima = (): Command[] =>
  ['lin', 'log', 'hd'].map((qoe) => ({
    id: `optimum-${qoe}`,
    args: [
      ...['optimum', '--traces', 'profile:3g', ...TRACES.map(trace), '--video', 'old/made/movie.json'],
      ...['--qoe', qoe, '--json', 'out/optima.json', '--jobs', '1'],
      ...(qoe === 'lin' ? ['--anchors', 'old/made/anchors.csv'] : []),
    ],
    silent: true,
  }));

const campaignFile = (name: string): string => `old/made/${name}.campaign.json`;
const SIMULATED = ['controllers', 'twins', 'rules'] as const;
/** The one of which there is a half-finished folder, too. */
export const HALF = 'controllers';

const simulated = (): Command[] =>
  SIMULATED.map((name) => ({
    id: name,
    args: ['compare', campaignFile(name), '--simulate', '--out', 'out/run'],
  }));

function readCampaign(): Command[] {
  const folders = [
    ...SIMULATED.map((name) => ({ id: name, name, folder: `campaign/${name}/out/run` })),
    { id: 'half', name: HALF, folder: 'campaign/half' },
  ];
  return folders.flatMap(({ id, name, folder }) => [
    ...readersOfCampaign(name, id, folder),
    { id: `${id}-metrics-csv`, args: ['metrics', folder, '--csv'] },
    {
      id: `${id}-export-csv`,
      args: ['export', folder, '--format', 'csv', '--tables', 'sessions', '--out', 'out/exported'],
    },
    {
      id: `${id}-parity`,
      args: ['parity', folder, `campaign/${name}/out/run`, '--json', 'out/parity.json'],
    },
    {
      id: `${id}-table-simulated`,
      args: ['compare', campaignFile(name), '--table', '--simulate', '--metrics', 'all', '--out', folder],
    },
  ]);
}

const readersOfCampaign = (name: string, id: string, folder: string): Command[] => [
  { id: `${id}-table`, args: ['compare', campaignFile(name), '--table', '--out', folder] },
  ...['md', 'json', 'csv', 'html'].map((form) => ({
    id: `${id}-report-${form}`,
    args: ['report', folder, '--format', form, '-o', `out/report.${form}`],
  })),
];

/** The campaign of a paper of which there is a run, in the bundle `old`. */
export const PAPER_RUN = '2024-racing-limiter';

/** Files of older versions: `names` are those in the bundle `old`. */
function readOld(names: readonly string[]): Command[] {
  const campaigns = names.filter((name) => /^(made|examples|root\/campaigns)\/[^/]*\.json$/.test(name));
  return [
    ...campaigns
      // Those of the letter play traces that are not part of Pitwall; the list of papers reads them.
      .filter((name) => !/2020-letter|\/(movie|pensieve|video\.sizes)\.json/.test(name))
      .map((name) => ({
        id: `dry-run-${name.replaceAll('/', '-')}`,
        args: ['compare', `old/${name}`, '--dry-run'],
      })),
    ...readers('old/shapes', 'shapes', FORMATS),
    { id: 'shapes-metrics-csv', args: ['metrics', 'old/shapes', '--csv'] },
    { id: 'shapes-metrics-text', args: ['metrics', 'old/shapes'] },
    { id: 'shapes-metrics-windows', args: ['metrics', 'old/shapes', '--windows'] },
    replay('old/shapes', 'shapes', 'bola,throughput'),
    { id: 'papers-list', args: ['papers', 'list'], copies: { 'old/root': 'out/root' }, root: 'out/root' },
    {
      id: 'papers-aggregate',
      args: ['papers', 'aggregate', '--out', 'none'],
      copies: { 'old/root': 'out/root' },
      root: 'out/root',
      silent: true,
    },
    {
      id: 'papers-aggregate-run',
      args: ['papers', 'aggregate', `old/runs/${PAPER_RUN}`],
      copies: { 'old/root': 'out/root' },
      root: 'out/root',
      silent: true,
    },
    ...['md', 'json'].map((form) => ({
      id: `papers-report-${form}`,
      args: ['report', `old/runs/${PAPER_RUN}`, '--format', form, '-o', `out/report.${form}`],
    })),
  ];
}

/** All commands of a group. */
export function commandsOf(group: Group, { old, lab }: InputNames): Command[] {
  switch (group) {
    case 'sim':
      return SIM_RUNS.map(simCommand);
    case 'campaign':
      return simulated();
    case 'read-sim':
      return readSim();
    case 'read-campaign':
      return readCampaign();
    case 'read-old':
      return readOld(old);
    case 'read-lab':
      return readLab(lab);
  }
}

/** The runs that are campaigns, and their files. */
const LAB_CAMPAIGNS = { caddy: 'lab-loopback', linked: 'lab-linked', live: 'lab-live' };

function readLab(names: readonly string[]): Command[] {
  const folders = [...new Set(names.map((name) => name.split('/')[0]!))];
  const each = folders.flatMap((id) => [
    ...readers(`lab/${id}`, id, FORMATS),
    { id: `${id}-metrics-csv`, args: ['metrics', `lab/${id}`, '--csv'] },
    { id: `${id}-metrics-text`, args: ['metrics', `lab/${id}`] },
    { id: `${id}-metrics-windows`, args: ['metrics', `lab/${id}`, '--windows'] },
    replay(`lab/${id}`, id, 'bola,throughput'),
  ]);
  return [
    ...each,
    ...Object.entries(LAB_CAMPAIGNS).flatMap(([id, name]) => readersOfCampaign(name, id, `lab/${id}`)),
    // Everything is played, so no browser starts: an old plan and old logs are known for what they are.
    {
      id: 'caddy-goes-on',
      args: ['compare', campaignFile(LAB_CAMPAIGNS.caddy), '--out', 'out/run'],
      copies: { 'lab/caddy': 'out/run' },
    },
  ];
}
