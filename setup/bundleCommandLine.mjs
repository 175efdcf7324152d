// Builds cli/main.ts (and what it imports) into .pitwall/cli, only when a source changed since.
import { createHash } from 'node:crypto';
import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { buildMetadata, packageVersion } from './codeVersion.mjs';

const SOURCES = [
  'cli',
  'experiment',
  'trial',
  'node',
  'lab',
  'src',
  'e2e',
  'bench',
  'research/replication',
  'package.json',
  'packages/build.mjs',
  'setup',
];

/** Returns the path of an up-to-date bundle. Two launches at once may both build; each moves a whole folder into place. */
export async function bundleCommandLine(root) {
  const metadata = buildMetadata(root);
  const state = fingerprint(root, metadata);
  const folder = path.join(root, '.pitwall', 'cli');
  const target = path.join(folder, state);
  const bundle = path.join(target, 'main.mjs');
  if (existsSync(bundle)) return bundle;
  makeWritable(folder);
  const temporary = `${target}.${process.pid}`;
  await build(root, temporary, metadata);
  moveIntoPlace(temporary, target, bundle);
  removeOlder(folder, state);
  return bundle;
}

function moveIntoPlace(temporary, target, bundle) {
  try {
    renameSync(temporary, target);
  } catch (error) {
    if (!existsSync(bundle)) throw error;
    rmSync(temporary, { recursive: true, force: true });
  }
}

function makeWritable(folder) {
  try {
    mkdirSync(folder, { recursive: true });
    accessSync(folder, constants.W_OK);
  } catch (error) {
    const sentence = `${folder}: The command line must be built here once, and this user cannot write there. Let the owner of the checkout run "npx pitwall --version", or make the folder writable.`;
    throw Object.assign(new Error(sentence, { cause: error }), { isSentence: true });
  }
}

/** Says which sources these are: the same wherever the checkout is mounted, and whoever asks. */
export function fingerprint(root, metadata) {
  const hash = createHash('sha256').update(metadata);
  for (const source of SOURCES) addTo(hash, root, source);
  return hash.digest('hex').slice(0, 16);
}

function addTo(hash, root, file) {
  const stat = statSync(path.join(root, file), { throwIfNoEntry: false });
  if (!stat) return;
  if (!stat.isDirectory()) return void hash.update(`${file} ${stat.mtimeMs} ${stat.size}\n`);
  for (const name of readdirSync(path.join(root, file)).sort())
    if (/\.(ts|mjs|json)$/.test(name) || !name.includes('.')) addTo(hash, root, path.join(file, name));
}

async function build(root, outDir, metadata) {
  const { build: viteBuild } = await import('vite');
  const input = { main: path.join(root, 'cli', 'main.ts'), ...separateEntries(root) };
  await viteBuild(commandLineBuild(root, { outDir, metadata, input }));
  writeFileSync(path.join(outDir, 'built'), '');
}

/** Each a file of its own: a worker thread, and a process inside a namespace, is started from one. */
export const separateEntries = (root) => ({
  simWorker: path.join(root, 'experiment', 'simulate', 'simWorker.ts'),
  simulatedWorker: path.join(root, 'experiment', 'runner', 'simulated', 'simulatedWorker.ts'),
  rowWorker: path.join(root, 'experiment', 'runner', 'simulated', 'rows', 'rowWorker.ts'),
  summaryWorker: path.join(root, 'experiment', 'report', 'read', 'summaryWorker.ts'),
  trafficEnd: path.join(root, 'lab', 'link', 'calibrate', 'trafficEnd.ts'),
});

/** How Vite builds code for Node, each entry of `input` into a file of its name. `metadata` is that of `buildMetadata`. */
export const commandLineBuild = (root, { outDir, metadata, input }) => ({
  root,
  configFile: false,
  logLevel: 'error',
  define: {
    __PITWALL_VERSION__: JSON.stringify(packageVersion(root)),
    __PITWALL_BUILD__: JSON.stringify(metadata),
  },
  build: {
    ssr: true,
    outDir,
    emptyOutDir: true,
    sourcemap: true,
    minify: false,
    target: 'node20',
    rolldownOptions: {
      input,
      output: { entryFileNames: '[name].mjs', chunkFileNames: '[name]-[hash].mjs' },
    },
  },
});

/** Keeps builds of other states for ten minutes: another process may be running from one. */
function removeOlder(folder, current) {
  for (const name of readdirSync(folder)) {
    const old = path.join(folder, name);
    // Another launch may have moved it meanwhile.
    const stat = statSync(old, { throwIfNoEntry: false });
    if (stat && name !== current && Date.now() - stat.mtimeMs > 10 * 60_000)
      rmSync(old, { recursive: true, force: true });
  }
}
