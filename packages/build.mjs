// `npm run packages`: builds the npm packages into packages/out, each as a folder and as a tarball. Publishes nothing.
import {
  chmodSync,
  cpSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { builtinModules } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import { buildApp } from '../setup/buildApp.mjs';
import { commandLineBuild, separateEntries } from '../setup/bundleCommandLine.mjs';
import { buildMetadata } from '../setup/codeVersion.mjs';
import { run } from '../setup/run.mjs';
import { manifestsOf } from './manifests.mjs';

const say = (line) => void process.stdout.write(`packages: ${line}\n`);

export const PACKAGES = ['telemetry', 'abr', 'pitwall'];

/** Below the root. */
export const OUT = path.join('packages', 'out');

/** The files that a page with script tags loads, below the folder of the telemetry package. */
export const TELEMETRY_SCRIPT = path.join('dist', 'telemetry.iife.js');
export const ELEMENT_SCRIPT = path.join('dist', 'element.iife.js');
export const HLSJS_SCRIPT = path.join('dist', 'hlsjs.iife.js');
export const SHAKA_SCRIPT = path.join('dist', 'shaka.iife.js');
export const TRIAL_SCRIPT = path.join('dist', 'trial.iife.js');

/** The entries of the telemetry package beside the first, and the globals that their scripts make. */
const MORE_ENTRIES = {
  element: 'pitwallElement',
  hlsjs: 'pitwallHlsjs',
  shaka: 'pitwallShaka',
  trial: 'pitwallTrial',
};

const BUILDERS = { telemetry: buildTelemetry, abr: buildAbr, pitwall: buildPitwall };

/** Builds the packages into folders of their names below `out`, without `types` no declarations. Rejects with one sentence. */
export async function buildPackages(
  root,
  { out = path.join(root, OUT), names = PACKAGES, types = true } = {},
) {
  for (const name of names) {
    const folder = path.join(out, name);
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    const { libraries } = await BUILDERS[name]({ root, folder, types });
    const manifest = manifestsOf(readJson(path.join(root, 'package.json')), { libraries })[name];
    writeFileSync(path.join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
    copy(path.join(root, 'packages', name, 'README.md'), path.join(folder, 'README.md'));
    copy(path.join(root, 'LICENSE'), path.join(folder, 'LICENSE'));
  }
}

/** Packs each folder that `buildPackages` built; returns the paths of the tarballs by package. @throws Error in one sentence */
export function packPackages(root, { out = path.join(root, OUT), names = PACKAGES } = {}) {
  return Object.fromEntries(names.map((name) => [name, packed(path.join(out, name), out)]));
}

function packed(folder, out) {
  const args = ['pack', folder, '--ignore-scripts', '--json', '--loglevel=error', '--pack-destination', out];
  // npm is a script on Windows, and Node refuses to start scripts without a shell.
  const { ok, out: text, why } = run('npm', args, { cwd: out, shell: process.platform === 'win32' });
  if (!ok) throw new Error(`npm could not pack ${folder}: ${why}`);
  const [{ filename }] = JSON.parse(text);
  return path.join(out, filename);
}

const SCHEMA = 'session-log.schema.json';
const PLAYERS = ['dashjs', 'hls.js', 'shaka-player'];

async function buildTelemetry({ root, folder, types }) {
  const name = 'telemetry';
  const outDir = path.join(folder, 'dist');
  await viteBuild({ root, name, outDir });
  for (const entry of Object.keys(MORE_ENTRIES))
    await viteBuild({ root, name, outDir, emptyOutDir: false, lib: libraryOf(root, entry) });
  const entries = ['index', ...Object.keys(MORE_ENTRIES)].map((entry) => `packages/telemetry/${entry}.ts`);
  if (types) await writeTypes({ root, folder }, { entries, peers: PLAYERS });
  copy(path.join(root, 'docs', SCHEMA), path.join(folder, SCHEMA));
  return {};
}

/** A build of its own: a script that makes one global has one entry. */
const libraryOf = (root, entry) => ({
  entry: path.join(root, 'packages', 'telemetry', `${entry}.ts`),
  name: MORE_ENTRIES[entry],
  fileName: (format) => (format === 'es' ? `${entry}.js` : `${entry}.iife.js`),
});

async function buildAbr({ root, folder, types }) {
  await viteBuild({ root, name: 'abr', outDir: path.join(folder, 'dist') });
  const entries = ['index', 'dashjs', 'hlsjs', 'shaka'].map((entry) => `packages/abr/${entry}.ts`);
  const packages = { 'packages/telemetry/index.ts': '@pitwall/telemetry' };
  if (types) await writeTypes({ root, folder }, { entries, packages, peers: PLAYERS });
  copy(path.join(root, 'public', 'models'), path.join(folder, 'models'));
  return {};
}

const viteBuild = ({ root, name, ...options }) =>
  build({
    configFile: path.join(root, 'packages', name, 'vite.config.ts'),
    logLevel: 'error',
    build: { emptyOutDir: true, ...options },
  });

async function writeTypes({ root, folder }, options) {
  const { declarationsOf } = await import('./declarations.mjs');
  for (const [name, text] of declarationsOf(root, options)) {
    const file = path.join(folder, 'types', name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
}

/** Read at run time, by their places below the root. */
export const PITWALL_FILES = ['public/models', 'src/ui/tokens.css', 'experiment/report/html/report.css'];

async function buildPitwall({ root, folder }) {
  const built = await build(commandLine(root, path.join(folder, 'lib')));
  await buildApp(root, say);
  // Source maps are two thirds of it.
  cpSync(path.join(root, 'dist'), path.join(folder, 'dist'), {
    recursive: true,
    filter: (file) => !file.endsWith('.map'),
  });
  for (const file of [...PITWALL_FILES, ...documentsIn(root)])
    copy(path.join(root, file), path.join(folder, file));
  copy(path.join(root, 'packages', 'pitwall', 'launcher.mjs'), path.join(folder, 'bin', 'pitwall'));
  chmodSync(path.join(folder, 'bin', 'pitwall'), 0o755);
  return { libraries: librariesOf(built.output) };
}

function commandLine(root, outDir) {
  const play = path.join(root, 'experiment', 'session');
  const config = commandLineBuild(root, {
    outDir,
    metadata: buildMetadata(root),
    input: {
      main: path.join(root, 'cli', 'packaged.ts'),
      ...separateEntries(root),
      'play/playwright.config': path.join(play, 'playwright.config.ts'),
      'play/compare.spec': path.join(play, 'compare.spec.ts'),
      'play/progress/progressReporter': path.join(play, 'progress', 'progressReporter.ts'),
    },
  });
  return { ...config, build: { ...config.build, sourcemap: false, copyPublicDir: false } };
}

/** The pages that `--help` names, the campaign files to copy, and the traces that the pages play. */
function documentsIn(root) {
  const inFolder = (folder, pattern) =>
    readdirSync(path.join(root, folder))
      .filter((name) => pattern.test(name))
      .map((name) => path.join(folder, name));
  return [
    ...inFolder('docs', /\.(md|schema\.json)$/),
    ...inFolder('docs/generated', /\.md$/),
    ...inFolder('docs/examples', /\.(campaign\.json|js)$/),
    ...inFolder('docs/examples/traces', /\.csv$/),
  ];
}

/** The page is built before it is packed: nothing of the package builds. */
const NOT_NEEDED = ['vite'];

/** The npm packages that built code imports, by name. */
function librariesOf(output) {
  const imports = output.flatMap(({ imports = [], dynamicImports = [] }) => [...imports, ...dynamicImports]);
  const files = new Set(output.map(({ fileName }) => fileName));
  const names = imports
    .filter((name) => !files.has(name) && !name.startsWith('node:') && !builtinModules.includes(name))
    .map((name) => /^(@[^/]+\/)?[^/]+/.exec(name)[0]);
  return [...new Set(names)].filter((name) => !NOT_NEEDED.includes(name));
}

function copy(from, to) {
  mkdirSync(path.dirname(to), { recursive: true });
  cpSync(from, to, { recursive: true });
}

const readJson = (file) => JSON.parse(readFileSync(file, 'utf8'));

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
  try {
    await buildPackages(root);
    for (const file of Object.values(packPackages(root)))
      say(`${path.relative(root, file)}: ${(statSync(file).size / 1000).toFixed(0)} kB`);
  } catch (error) {
    process.stderr.write(`packages: ${error.message}\n`);
    process.exitCode = 1;
  }
}
