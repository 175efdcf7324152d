import path from 'node:path';

/**
 * The import fences: who may import whom, one line per zone, in the order of docs/architecture.md.
 * `packages` names the npm packages (and `node:`) a zone may use; core zones have none, `ANY` allows all. `mayFind` names zones
 * of which a zone may load with `import.meta.glob` what is there.
 */
const ANY = 'any';
const PURE = [
  ...['shared', 'schema', 'abr', 'steering', 'network', 'telemetry', 'sim', 'analysis'],
  ...['factors', 'design', 'verdict', 'report', 'export', 'charts', 'doctor'],
];
/** What plays a campaign and reads its results. */
const PLAYS = ['results', 'runner', 'session', 'resolve', 'simulate', 'lab', 'node', 'setup', 'player'];
const ZONES = [
  // What tests share. Only tests may import it.
  {
    zone: 'testing',
    at: /\.testing\.ts$/,
    may: [
      ...[
        'testing',
        'report',
        'charts',
        'verdict',
        'design',
        'factors',
        'analysis',
        'sim',
        'abr',
        'steering',
        'network',
      ],
      ...['telemetry', 'schema', 'shared', 'field', 'trial'],
    ],
    packages: ['vitest', 'node:'],
  },
  {
    zone: 'shared',
    at: /^src\/shared\//,
    may: ['shared'],
    packages: [],
    core: true,
  },
  {
    zone: 'schema',
    at: /^src\/telemetry\/schema\//,
    may: ['schema', 'shared'],
    packages: ['@sinclair/typebox'],
    core: true,
  },
  // The builders of elements, which the charts and the page share.
  { zone: 'dom', at: /^src\/ui\/dom\.ts$/, may: [], packages: [] },
  {
    zone: 'shell',
    at: /^src\/(telemetry|charts)\/shell\//,
    may: ['shell', 'dom', 'telemetry', 'schema', 'analysis', 'charts', 'shared'],
    packages: ['chart.js', 'idb', 'dashjs', 'hls.js', 'shaka-player'],
  },
  { zone: 'abr', at: /^src\/abr\//, may: ['abr', 'shared'], packages: [], core: true },
  { zone: 'steering', at: /^src\/steering\//, may: ['steering', 'shared'], packages: [], core: true },
  { zone: 'network', at: /^src\/network\//, may: ['network', 'shared'], packages: [], core: true },
  {
    zone: 'telemetry',
    at: /^src\/telemetry\//,
    may: ['telemetry', 'schema', 'shared'],
    packages: [],
    core: true,
  },
  {
    zone: 'sim',
    at: /^src\/sim\//,
    may: ['sim', 'abr', 'steering', 'network', 'telemetry', 'schema', 'shared'],
    packages: [],
    core: true,
  },
  {
    zone: 'analysis',
    at: /^src\/analysis\//,
    may: ['analysis', 'telemetry', 'schema', 'shared'],
    packages: [],
    core: true,
  },
  {
    zone: 'factors',
    at: /^experiment\/factors\//,
    may: ['factors', 'steering', 'telemetry', 'schema', 'shared'],
    packages: ['@sinclair/typebox'],
    core: true,
  },
  {
    zone: 'design',
    at: /^experiment\/design\//,
    may: ['design', 'factors', 'analysis', 'steering', 'network', 'telemetry', 'schema', 'shared'],
    packages: ['@sinclair/typebox'],
    core: true,
  },
  {
    zone: 'verdict',
    at: /^experiment\/verdict\//,
    may: ['verdict', 'design', 'factors', 'analysis', 'network', 'telemetry', 'schema', 'shared'],
    packages: [],
    core: true,
  },
  {
    zone: 'report',
    at: /^experiment\/report\/(?!read\/)/,
    may: [
      'report',
      'design',
      'factors',
      'verdict',
      'analysis',
      'charts',
      'network',
      'telemetry',
      'schema',
      'shared',
    ],
    packages: [],
    core: true,
  },
  {
    zone: 'export',
    at: /^src\/export\//,
    may: ['export', 'analysis', 'telemetry', 'schema', 'shared'],
    packages: [],
    core: true,
  },
  {
    zone: 'doctor',
    at: /^src\/doctor\//,
    may: ['doctor', 'analysis', 'telemetry', 'schema', 'shared'],
    packages: [],
    core: true,
  },
  {
    zone: 'charts',
    at: /^src\/charts\//,
    may: ['charts', 'analysis', 'telemetry', 'schema', 'shared'],
    packages: [],
    core: true,
  },
  {
    zone: 'player',
    at: /^src\/player\//,
    may: ['player', 'abr', 'steering', 'telemetry', 'schema', 'shell', 'shared'],
    packages: ['dashjs', 'hls.js', 'shaka-player'],
  },
  // What a new version is held against runs the command line only, so that it outlives moved and renamed code.
  {
    zone: 'baseline',
    at: /^baseline\/.*\.ts$/,
    may: ['baseline'],
    packages: ['hyparquet', 'vite', 'vitest', 'node:'],
  },
  {
    zone: 'ui',
    at: /^src\/(ui\/|main\.ts)/,
    may: [
      'ui',
      'dom',
      'player',
      'abr',
      'steering',
      'telemetry',
      'schema',
      'shell',
      'analysis',
      'charts',
      'export',
      'doctor',
      'shared',
    ],
    packages: ['vite'],
  },
  // What the npm packages export.
  {
    zone: 'published',
    at: /^packages\/(telemetry|abr)\/(?!vite\.config)/,
    may: ['published', 'player', 'abr', 'telemetry', 'schema', 'shell', 'shared'],
    packages: ['dashjs', 'hls.js', 'shaka-player'],
  },
  // Trials with real viewers: their design, assignment and statistics.
  {
    zone: 'trial',
    at: /^trial\/(design|assign|tell)\//,
    may: [
      'trial',
      'verdict',
      'report',
      'design',
      'factors',
      'analysis',
      'network',
      'telemetry',
      'schema',
      'shared',
    ],
    packages: ['@sinclair/typebox'],
    core: true,
  },
  // What follows runs on Node.
  { zone: 'setup', at: /^setup\//, may: ['setup', 'bench'], packages: ANY },
  {
    zone: 'packages',
    at: /^packages\//,
    may: ['packages', 'setup', 'schema'],
    packages: ['vite', 'typescript', 'node:'],
  },
  {
    zone: 'node',
    at: /^node\//,
    may: ['node', ...PURE],
    packages: ['hyparquet', 'hyparquet-writer', 'typescript', 'node:'],
  },
  { zone: 'lab', at: /^lab\//, may: ['lab', 'node', 'setup', 'ui', ...PURE], packages: ANY },
  {
    zone: 'simulate',
    at: /^experiment\/simulate\//,
    may: ['simulate', 'lab', 'node', 'player', ...PURE],
    packages: ['mpd-parser', 'saxes', 'node:'],
  },
  {
    zone: 'examine',
    at: /^experiment\/doctor\//,
    may: ['examine', 'simulate', 'lab', 'node', ...PURE],
    packages: ['@playwright/test', 'saxes', 'node:'],
  },
  {
    zone: 'resolve',
    at: /^experiment\/resolve\//,
    may: ['resolve', 'simulate', 'lab', 'node', 'setup', 'player', ...PURE],
    packages: ['node:'],
  },
  {
    zone: 'session',
    at: /^experiment\/session\//,
    may: ['session', 'resolve', 'simulate', 'lab', 'node', 'setup', 'player', 'ui', ...PURE],
    packages: ['@playwright/test', 'node:'],
  },
  {
    zone: 'runner',
    at: /^experiment\/runner\//,
    may: ['runner', 'session', 'resolve', 'simulate', 'lab', 'node', 'setup', 'player', 'ui', ...PURE],
    packages: ['@playwright/test', 'node:'],
  },
  {
    zone: 'results',
    at: /^experiment\/report\/read\//,
    may: ['results', 'runner', 'session', 'simulate', 'node', ...PURE],
    packages: ['node:'],
  },
  {
    zone: 'gate',
    at: /^experiment\/gate\//,
    may: ['gate', 'results', 'runner', 'session', 'resolve', 'lab', 'node', ...PURE],
    packages: ['node:'],
  },
  // Servers, store and simulated viewers of trials. Nothing of the lab.
  {
    zone: 'field',
    at: /^trial\//,
    may: ['field', 'trial', 'node', ...PURE],
    packages: ['@svta/cml-cmcd', 'hyparquet', 'node:'],
  },
  {
    zone: 'bench',
    at: /^bench\//,
    may: [...PLAYS, ...PURE, 'testing', 'bench', 'gate', 'packages', 'shell', 'ui', 'field', 'trial'],
    packages: ANY,
  },
  {
    zone: 'cli',
    at: /^cli\//,
    may: [...PLAYS, ...PURE, 'cli', 'bench', 'gate', 'examine', 'field', 'trial'],
    packages: ANY,
    mayFind: ['research'],
  },
  {
    zone: 'e2e',
    at: /^e2e\//,
    may: [
      'testing',
      'e2e',
      'bench',
      'runner',
      'session',
      'simulate',
      'lab',
      'node',
      'setup',
      'packages',
      'player',
      'ui',
      'shell',
      ...PURE,
    ],
    packages: ANY,
  },
  // Nothing imports it, no test either: the product is whole where this folder was left out.
  {
    zone: 'research',
    at: /^research\//,
    may: [...PLAYS, ...PURE, 'research', 'cli'],
    packages: ['commander', 'node:', 'prettier', 'vite'],
  },
];
const TESTS_MAY = ['vitest', 'fake-indexeddb', 'idb', 'node:', '@sinclair/typebox'];
const BANNED_GLOBALS = {
  Date: 'the clock',
  Math: 'randomness',
  performance: 'the clock',
  console: 'logging',
};

const zoneOf = (file) => ZONES.find(({ at }) => at.test(file));

function complaint({ file, from, source }) {
  const test = /\.test\.ts$/.test(file);
  if (source.startsWith('.')) {
    const target = zoneOf(path.posix.join(path.posix.dirname(file), source));
    if (mayImport(from, target, test)) return null;
    const to = target ? target.zone : source;
    return `${from.zone} may not import ${to}: imports point one way (${from.zone} may use ${from.may.join(', ')}). Pass the value in as an argument instead.`;
  }
  if (from.packages === ANY) return null;
  const allowed = [...from.packages, ...(test ? TESTS_MAY : [])];
  if (allowed.some((name) => source === name || source.startsWith(name.endsWith(':') ? name : `${name}/`)))
    return null;
  return `${from.zone} may not import the package "${source}"${from.core ? ': the core is pure; put this in a shell' : ''}.`;
}

function mayImport(from, target, test) {
  if (target && from.may.includes(target.zone)) return true;
  if (target?.zone === 'research') return false;
  return test && (!from.core || target?.zone === 'testing');
}

function bannedCall(node) {
  const { object, property } = node;
  const name = object.type === 'Identifier' ? object.name : '';
  if (name === 'Date' && property.name === 'now') return 'Date.now';
  if (name === 'Math' && property.name === 'random') return 'Math.random';
  if (name === 'performance' || name === 'console') return `${name}.${property.name}`;
  return null;
}

export const fences = {
  meta: { type: 'problem', schema: [], docs: { description: 'imports point one way; the core is pure' } },
  create(context) {
    const file = path.relative(context.cwd, context.filename).split(path.sep).join('/');
    const from = zoneOf(file);
    if (!from) return {};
    const check = (node) => {
      if (!node.source) return;
      // A test may load what it has built: no zone is named there.
      if (node.source.type !== 'Literal' && /\.test\.ts$/.test(file)) return;
      const message = complaint({ file, from, source: String(node.source.value) });
      if (message) context.report({ node: node.source, message });
    };
    const core = from.core && !/\.test\.ts$/.test(file);
    return {
      ImportDeclaration: check,
      ExportNamedDeclaration: check,
      ExportAllDeclaration: check,
      ImportExpression: check,
      CallExpression({ callee, arguments: [source] }) {
        if (callee.object?.type !== 'MetaProperty' || callee.property.name !== 'glob') return;
        const finds = { ...from, may: [...from.may, ...(from.mayFind ?? [])] };
        const message = complaint({ file, from: finds, source: String(source?.value) });
        if (message) context.report({ node: callee, message });
      },
      MemberExpression(node) {
        const name = core && bannedCall(node);
        if (name)
          context.report({
            node,
            message: `${name} in the core: ${BANNED_GLOBALS[name.split('.')[0]]} is an argument there.`,
          });
      },
      NewExpression(node) {
        if (core && node.callee.name === 'Date' && node.arguments.length === 0)
          context.report({ node, message: 'new Date() in the core: the clock is an argument there.' });
      },
    };
  },
};
