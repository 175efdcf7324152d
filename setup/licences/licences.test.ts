import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { cargoLockParts, cargoParts, knownParts } from './licences.mjs';
import { licenceTexts } from './notices.mjs';
import { npmParts, type Part } from './npmParts.mjs';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');
const read = (file: string): string => readFileSync(path.join(root, file), 'utf8');
const AGAIN = 'docs/generated/licences.md does not match the lock files: run "npm run licences"';

describe('docs/generated/licences.md', () => {
  const page = read('docs/generated/licences.md');
  const known = knownParts(root);
  const named = (rows: readonly { name: string; version: string }[]): string[] =>
    rows.map(({ name, version }) => `${name} ${version}`);
  const bare = (rows: readonly Part[]): Part[] =>
    rows.map(({ name, version, licence, use }) => ({ name, version, licence, use }));

  it.each([
    ['Programs', known.programs],
    ['In the built page', known.shipped],
    ['Build, command line and tests', known.development],
  ])('%s', (title, rows) => expect(rowsOf(page, title), AGAIN).toEqual(bare(rows)));

  it('names the crates of our origin', () => {
    const locked = named(cargoLockParts(read('lab/origin/Cargo.lock')));
    expect(locked.length).toBeGreaterThan(50);
    expect(named(rowsOf(page, 'Our origin')).sort(), AGAIN).toEqual(locked.sort());
  });

  it('names the Python packages of the test servers', () =>
    expect(named(rowsOf(page, 'Python')), AGAIN).toEqual(expect.arrayContaining(named(known.python))));

  it('names the version of Rattan whose crates it lists', () => {
    const { version } = known.programs.find(({ name }) => name === 'Rattan')!;
    expect(rowsOf(page, `Rattan ${version}`).length, AGAIN).toBeGreaterThan(50);
  });

  it('has the hashes of what it was made from', () => {
    for (const { file, sha256 } of known.sources)
      expect(page, AGAIN).toContain(`- \`${file}\`, SHA-256 \`${sha256}\``);
  });

  it('says of every part under which licence and for what', () => {
    const rows = page.split('\n').filter((line) => line.startsWith('| '));
    expect(rows.length).toBeGreaterThan(500);
    for (const row of rows) expect(row).not.toMatch(/\|\s*(for )?\s*\|/);
  });

  it('has nothing in the built page that asks for more than its notice', () => {
    for (const { name, licence } of known.shipped)
      expect(['MIT', 'ISC', '0BSD', 'BSD-2-Clause', 'BSD-3-Clause', 'Apache-2.0'], name).toContain(licence);
  });
});

it('the built page carries the notice of everything in it', () => {
  const texts = licenceTexts(root);
  for (const { name, version, licence } of knownParts(root).shipped)
    expect(texts).toContain(`\n${name} ${version} (${licence})\n====`);
  // The three that BSD, MIT and Apache ask for by name.
  for (const holder of [
    'Dash Industry Forum',
    'Chart.js Contributors',
    'Streaming Video Technology Alliance',
  ])
    expect(texts).toContain(holder);
});

describe('npmParts', () => {
  const lock = (extra: object = {}) => ({
    packages: {
      '': { dependencies: { player: '1' }, devDependencies: { tool: '1' } },
      'node_modules/player': { version: '1.0.0', license: 'MIT', dependencies: { shared: '1' } },
      'node_modules/shared': { version: '1.5.0', license: 'ISC' },
      'node_modules/tool': {
        version: '1.0.0',
        license: 'MIT',
        dev: true,
        dependencies: { shared: '2', deep: '1' },
      },
      'node_modules/tool/node_modules/shared': { version: '2.0.0', license: 'ISC', dev: true },
      'node_modules/deep': { version: '1.0.0', license: 'MIT', dev: true, dependencies: { shared: '1' } },
      ...extra,
    },
  });
  const uses = { player: 'plays', tool: 'builds' };

  it('tells who brings each version, and what is shipped', () =>
    expect(npmParts(lock(), { uses, unstated: {} }).map((row) => Object.values(row).join(' '))).toEqual([
      'deep 1.0.0 MIT false for tool',
      'player 1.0.0 MIT true plays',
      'shared 1.5.0 ISC true for player',
      'shared 2.0.0 ISC false for tool',
      'tool 1.0.0 MIT false builds',
    ]));

  it('refuses a package without a licence, unless it is known', () => {
    const silent = lock({ 'node_modules/silent': { version: '0.1.0', dev: true } });
    expect(() => npmParts(silent, { uses, unstated: {} })).toThrow(
      'the npm package silent@0.1.0 states no licence: look it up, and add it to NPM_UNSTATED',
    );
    expect(npmParts(silent, { uses, unstated: { 'silent@0.1.0': 'MIT' } })).toHaveLength(6);
  });

  it('refuses a direct dependency of which nobody says what it is for', () =>
    expect(() => npmParts(lock(), { uses: { player: 'plays' }, unstated: {} })).toThrow(
      'nothing says what tool is for',
    ));
});

it('cargoParts tells who brings each crate', () => {
  const crate = (name: string, license: string | null = 'MIT') => ({
    id: name,
    name,
    version: '1.0.0',
    license,
  });
  const node = (id: string, ...dependencies: string[]) => ({ id, dependencies });
  const metadata = (license: string | null) => ({
    packages: [crate('origin'), crate('quic'), crate('tls', 'ISC'), crate('ring', license)],
    resolve: {
      root: 'origin',
      nodes: [node('origin', 'quic', 'tls'), node('quic', 'tls'), node('tls', 'ring'), node('ring')],
    },
  });
  expect(cargoParts(metadata('ISC'), { uses: { quic: 'QUIC', tls: 'TLS' } })).toEqual([
    { name: 'quic', version: '1.0.0', licence: 'MIT', use: 'QUIC' },
    { name: 'ring', version: '1.0.0', licence: 'ISC', use: 'for quic, tls' },
    { name: 'tls', version: '1.0.0', licence: 'ISC', use: 'TLS' },
  ]);
  expect(() => cargoParts(metadata(null), { uses: null })).toThrow('the crate ring 1.0.0 states no licence');
});

/** The table below a heading of the page. */
function rowsOf(page: string, title: string): Part[] {
  const after = page.split(`## ${title}\n`)[1] ?? '';
  const table = after.split('\n## ')[0]!.split('\n');
  return table
    .filter((line) => line.startsWith('| '))
    .slice(2)
    .map((line) => {
      const [, name = '', version = '', licence = '', use = ''] = line.split('|').map((cell) => cell.trim());
      return { name, version, licence, use };
    });
}
