// `npm run licences`: writes docs/generated/licences.md from the lock files. After a set-up for tests ("npm test"), with cargo.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { RATTAN_VERSION } from '../buildRattan.mjs';
import { cacheFolder } from '../cacheFolder.mjs';
import { findCargo } from '../findCargo.mjs';
import { CADDY_WHEEL } from '../findCaddy.mjs';
import { FFMPEG_WHEEL } from '../findFfmpeg.mjs';
import { SHAKA, findTestServers } from '../findTestServers.mjs';
import { run } from '../run.mjs';
import { byName, npmParts, useOf } from './npmParts.mjs';
import { CRATE_USES, NPM_UNSTATED, NPM_USES, TRAINING, programs } from './parts.mjs';

/** What the page is made from, below the root. */
const SOURCES = ['package-lock.json', 'lab/origin/Cargo.lock', 'setup/hypercorn-requirements.txt'];

/** { shipped, development, programs, python, sources }: all that needs no cargo and nothing installed. */
export function knownParts(root) {
  const read = (file) => readFileSync(path.join(root, file), 'utf8');
  const npm = npmParts(JSON.parse(read('package-lock.json')), { uses: NPM_USES, unstated: NPM_UNSTATED });
  const { devDependencies } = JSON.parse(read('package.json'));
  const versions = {
    caddy: CADDY_WHEEL.version,
    ffmpeg: FFMPEG_WHEEL.version,
    playwright: devDependencies['@playwright/test'],
    rattan: RATTAN_VERSION,
    shakaPackager: SHAKA.version,
  };
  return {
    shipped: npm.filter(({ isShipped }) => isShipped),
    development: npm.filter(({ isShipped }) => !isShipped),
    programs: programs(versions),
    python: [...read('setup/hypercorn-requirements.txt').matchAll(/^([\w.-]+)==([^\s;]+)/gm)].map(
      ([, name = '', version = '']) => ({ name, version }),
    ),
    sources: SOURCES.map((file) => ({
      file,
      sha256: createHash('sha256').update(read(file)).digest('hex'),
    })),
  };
}

async function main(root) {
  const known = knownParts(root);
  const page = licencePage({
    sections: [
      section('Programs', 'Each runs as a process of its own.', known.programs),
      section('In the built page', 'npm packages of which code is in `dist/`.', known.shipped),
      section('Build, command line and tests', 'npm packages that only run here.', known.development),
      section(
        'Our origin',
        'Crates that cargo compiles into `pitwall-origin` at set-up, those of other systems than yours as well.',
        cargoParts(cargoMetadata(path.join(root, 'lab', 'origin')), { uses: CRATE_USES }),
      ),
      section(
        `Rattan ${RATTAN_VERSION}`,
        'Crates that cargo compiles into it at set-up.',
        cargoParts(cargoMetadata(rattanFolder()), { uses: null }),
      ),
      section(
        'Python',
        'hypercorn serves in tests, with what it needs; the last two train the neural rule (`research/train/`), and nothing else.',
        [...pythonParts(root, known.python), ...TRAINING],
      ),
    ],
    sources: known.sources,
  });
  const file = path.join(root, 'docs', 'generated', 'licences.md');
  const prettier = await import('prettier');
  const options = await prettier.resolveConfig(file);
  writeFileSync(file, await prettier.format(page, { ...options, parser: 'markdown' }));
}

function cargoMetadata(folder) {
  const cargo = findCargo();
  if (!cargo) throw new Error('there is no cargo: install Rust 1.86 or newer (rustup.rs)');
  const reported = run(cargo, ['metadata', '--locked', '--format-version', '1'], { cwd: folder });
  if (!reported.ok) throw new Error(`cargo could not read ${folder}: ${reported.why}`);
  return JSON.parse(reported.out);
}

/** Where cargo keeps the source that Rattan was built from. */
function rattanFolder() {
  const registries = path.join(process.env.CARGO_HOME ?? path.join(homedir(), '.cargo'), 'registry', 'src');
  const folders = existsSync(registries) ? readdirSync(registries) : [];
  const found = folders
    .map((each) => path.join(registries, each, `rattan-${RATTAN_VERSION}`))
    .find((each) => existsSync(each));
  if (!found)
    throw new Error(`cargo has no source of Rattan ${RATTAN_VERSION}: run "npm run setup" on Linux as root`);
  return found;
}

const ASK = `
import importlib.metadata, json
def licence(found):
    told = found.get('License-Expression') or found.get('License')
    if told and '\\n' not in told: return told
    classes = [c.split(' :: ')[-1] for c in found.get_all('Classifier', []) if c.startswith('License ::')]
    return ' OR '.join(classes)
print(json.dumps({d.metadata['Name'].lower(): [d.version, licence(d.metadata)] for d in importlib.metadata.distributions()}))
`;

/** hypercorn's packages with their licences, as they state them themselves. */
function pythonParts(root, wanted) {
  const { hypercorn } = findTestServers({ root, cache: cacheFolder(), say: () => {} }, { mayInstall: false });
  if (!hypercorn.path)
    throw new Error(`hypercorn, which states its licences itself, is missing: ${hypercorn.why}`);
  const reported = run(hypercorn.path, ['-c', ASK]);
  if (!reported.ok) throw new Error(`hypercorn's Python does not run: ${reported.why}`);
  const installed = JSON.parse(reported.out);
  return wanted
    .map(({ name, version }) => {
      const [found, licence] = installed[name.toLowerCase()] ?? installed[name.replaceAll('-', '_')] ?? [];
      if (found !== version || !licence)
        throw new Error(`the Python package ${name} ${version} is not installed or states no licence`);
      return { name, version, licence, use: name === 'hypercorn' ? 'tests play from it' : 'for hypercorn' };
    })
    .sort(byName);
}

/** One heading with its rows of { name, version, licence, use }. */
function section(title, words, rows) {
  const cells = rows.map(({ name, version, licence, use }) =>
    [name, version, licence, use].map((cell) => cell.replaceAll('|', '\\|')).join(' | '),
  );
  return [
    `## ${title}`,
    words,
    [
      '| part | version | licence | for what |',
      '| --- | --- | --- | --- |',
      ...cells.map((line) => `| ${line} |`),
    ].join('\n'),
  ].join('\n\n');
}

/** `sources` are { file, sha256 }, `sections` what `section` returns. */
function licencePage({ sections, sources }) {
  return `${[
    '# Licences',
    [
      'Pitwall is under the MIT licence ([LICENSE](../../LICENSE)). This page names all that it uses and did not write.',
      '`npm run licences` makes it from the lock files; a test fails when it does not match them.',
    ].join('\n'),
    [
      'A checkout has none of these parts in it. `npm run build` puts the packages of the built page into `dist/`, and',
      'their licences as `licences.txt` beside them: whoever publishes that ships them. All the rest is fetched or found by',
      'set-up, and only runs on the machine that sets up.',
    ].join('\n'),
    ...sections,
    '## Made from',
    sources.map(({ file, sha256 }) => `- \`${file}\`, SHA-256 \`${sha256}\``).join('\n'),
  ].join('\n\n')}\n`;
}

/** Rows { name, version, licence, use } without the root package. @throws Error for a crate without a licence */
export function cargoParts(metadata, { uses }) {
  const { root } = metadata.resolve;
  const needs = new Map(metadata.resolve.nodes.map(({ id, dependencies }) => [id, dependencies]));
  const byId = new Map(metadata.packages.map((each) => [each.id, each]));
  const broughtBy = whoBrings(needs, root, byId);
  const direct = uses ? needs.get(root).map((id) => byId.get(id).name) : [];
  return [...needs.keys()]
    .filter((id) => id !== root)
    .map((id) => {
      const { name, version, license } = byId.get(id);
      if (!license) throw new Error(`the crate ${name} ${version} states no licence`);
      return { name, version, licence: license, use: useOf(name, { by: broughtBy.get(id), direct, uses }) };
    })
    .sort(byName);
}

/** Names and versions of a Cargo.lock, without the package itself, which has no source. */
export function cargoLockParts(text) {
  return [...text.matchAll(/^\[\[package\]\]\nname = "([^"\n]+)"\nversion = "([^"\n]+)"\nsource = /gm)].map(
    ([, name = '', version = '']) => ({ name, version }),
  );
}

function whoBrings(needs, root, byId) {
  const broughtBy = new Map();
  for (const first of needs.get(root)) {
    const { name } = byId.get(first);
    const waiting = [first];
    while (waiting.length > 0) {
      const id = waiting.pop();
      const by = broughtBy.get(id) ?? new Set();
      if (by.has(name)) continue;
      broughtBy.set(id, by.add(name));
      waiting.push(...needs.get(id));
    }
  }
  return broughtBy;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const root = path.dirname(path.dirname(path.dirname(fileURLToPath(import.meta.url))));
  await main(root).catch((error) => {
    process.stderr.write(`licences: ${error.message}\n`);
    process.exitCode = 1;
  });
}
