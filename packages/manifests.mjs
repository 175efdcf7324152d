// package.json of each package. PURE.

/** As the peer dependencies say it: what the telemetry was played with begins there. */
const DASHJS = '^5.0.0';

/** What rules and recorders were played with: hls.js has had `AbrComponentAPI` since 1.7, Shaka the present `AbrManager` since 5. */
const HLSJS = '^1.7.0';
const SHAKA = '^5.0.0';

/**
 * { name → package.json } from that of the root. `libraries` are the npm packages that the built command line imports.
 * @throws Error for a library that the root does not have
 */
export function manifestsOf(rootManifest, { libraries = [] } = {}) {
  const { version, license, engines } = rootManifest;
  const common = {
    version,
    license,
    type: 'module',
    engines,
    publishConfig: { access: 'public', provenance: true },
  };
  return {
    telemetry: telemetry(common),
    abr: abr(common),
    pitwall: pitwall(common, pinned(rootManifest, libraries)),
  };
}

/** As the root has pinned them: what was tested is what is installed. */
function pinned({ dependencies, devDependencies }, libraries) {
  const known = { ...dependencies, ...devDependencies };
  const missing = libraries.find((name) => !known[name]);
  if (missing) throw new Error(`the command line imports "${missing}", which package.json does not name`);
  return Object.fromEntries([...libraries].sort().map((name) => [name, known[name]]));
}

const telemetry = (common) => ({
  name: '@pitwall/telemetry',
  description:
    'Records what dash.js, hls.js, Shaka, or any video element, plays: requests with their protocol, stalls, ABR decisions',
  keywords: [
    ...['dash.js', 'hls.js', 'shaka-player', 'mpeg-dash', 'hls'],
    ...['abr', 'telemetry', 'http3', 'adaptive streaming'],
  ],
  ...common,
  sideEffects: false,
  exports: {
    '.': { types: './types/packages/telemetry/index.d.ts', default: './dist/telemetry.js' },
    ...entriesOf('element', 'hlsjs', 'shaka', 'trial'),
    './session-log.schema.json': './session-log.schema.json',
    './package.json': './package.json',
  },
  unpkg: './dist/telemetry.iife.js',
  jsdelivr: './dist/telemetry.iife.js',
  files: ['dist', 'types', 'session-log.schema.json'],
  peerDependencies: { dashjs: DASHJS, 'hls.js': HLSJS, 'shaka-player': SHAKA },
  // Whoever records an element needs none, whoever plays one of the players.
  peerDependenciesMeta: optional('dashjs', 'hls.js', 'shaka-player'),
});

/** Exports of the telemetry package beside its first. */
const entriesOf = (...names) =>
  Object.fromEntries(
    names.map((name) => [
      `./${name}`,
      { types: `./types/packages/telemetry/${name}.d.ts`, default: `./dist/${name}.js` },
    ]),
  );

const optional = (...names) => Object.fromEntries(names.map((name) => [name, { optional: true }]));

const abr = (common) => ({
  name: '@pitwall/abr',
  description:
    'ABR rules as pure functions: for simulators, and to decide in dash.js, hls.js and Shaka Player',
  keywords: [
    ...['abr', 'bola', 'mpc', 'bba', 'pensieve', 'dash.js', 'hls.js', 'shaka-player'],
    ...['adaptive bitrate', 'adaptive streaming'],
  ],
  ...common,
  sideEffects: false,
  exports: {
    '.': { types: './types/packages/abr/index.d.ts', default: './dist/packages/abr/index.js' },
    './dashjs': { types: './types/packages/abr/dashjs.d.ts', default: './dist/packages/abr/dashjs.js' },
    './hlsjs': { types: './types/packages/abr/hlsjs.d.ts', default: './dist/packages/abr/hlsjs.js' },
    './shaka': { types: './types/packages/abr/shaka.d.ts', default: './dist/packages/abr/shaka.js' },
    './models/*': './models/*',
    './package.json': './package.json',
  },
  files: ['dist', 'types', 'models'],
  peerDependencies: {
    '@pitwall/telemetry': `^${common.version}`,
    dashjs: DASHJS,
    'hls.js': HLSJS,
    'shaka-player': SHAKA,
  },
  // Whoever only simulates needs none, whoever plays one of the players.
  peerDependenciesMeta: optional('@pitwall/telemetry', 'dashjs', 'hls.js', 'shaka-player'),
});

const pitwall = (common, dependencies) => ({
  name: 'pitwall',
  description: 'Plays, records, compares and simulates adaptive streaming (DASH) over h1, h2 and h3',
  keywords: ['mpeg-dash', 'dash.js', 'http3', 'quic', 'abr', 'adaptive streaming', 'simulator'],
  ...common,
  bin: { pitwall: 'bin/pitwall' },
  exports: { './package.json': './package.json' },
  files: ['bin', 'lib', 'dist', 'public', 'src', 'experiment', 'docs'],
  dependencies,
});
