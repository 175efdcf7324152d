// `npm run test:full`: every check, every test with its whole matrix, every bench with --quick. It goes on where it was cut
// off, as long as the code is the same, and writes docs/generated/test-full.md.
//   -- --list          the parts and how they stand      -- --only NAME,…   these parts, again
//   -- --fresh         forgets what was done             -- --summary       writes docs/generated/test-full.md of what is done
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, readdirSync, renameSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { runChecks } from './check.mjs';
import { reportsFolder, runPlaywright, runVitest } from './testRunners.mjs';

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const stateFile = path.join(root, '.pitwall', 'test-full.json');
const env = { PITWALL_FULL: '1' };
/** Ids of the benches in bench/registry.ts; `testFull.test.ts` keeps the two lists equal. */
export const BENCHES = [
  ...['page', 'sim', 'size', 'netlog', 'report', 'verdicts', 'gate-history', 'gate-power', 'origin'],
  ...['senders', 'trial'],
];

/** Count of specs that one Playwright plays, two at a time: both cores are used, and little is lost where it is cut off. */
const TOGETHER = 6;

/**
 * Every part: a name and what runs it. A part is the unit that is done, or done again, as a whole. Parts with a `spec` are run by
 * one Playwright, those of the project `behaviour` several at a time.
 */
export function partsOf(folder = root) {
  const specs = readdirSync(path.join(folder, 'e2e', 'specs')).filter((name) => name.endsWith('.spec.ts'));
  return [
    { name: 'check', run: () => ({ ...runChecks(), skipped: 0 }) },
    ...['together', 'alone'].map((project) => ({
      name: `unit-${project}`,
      run: () => runVitest(root, { args: ['--project', project], env }),
    })),
    ...specs
      .sort()
      .map((spec) => ({ name: `e2e-${spec.replace('.spec.ts', '')}`, spec }))
      .sort((one, other) => isAlone(one) - isAlone(other)),
    ...BENCHES.map((id) => ({ name: `bench-${id}`, run: () => runBench(id) })),
  ];
}

const isAlone = ({ spec }) => spec === undefined || /\.(alone|linked|waiting)\.spec\.ts$/.test(spec);

/** Splits parts into those that are run at once, in their order. */
export function batchesOf(parts) {
  const batches = [];
  for (const part of parts) {
    const last = batches.at(-1);
    if (last && last.length < TOGETHER && !isAlone(part) && !isAlone(last[0])) last.push(part);
    else batches.push([part]);
  }
  return batches;
}

/** Runs the parts of a batch. Returns the result of each. @throws Error where they were cut off */
function runBatch(batch) {
  const [{ name, spec, run }] = batch;
  const { signal, byFile, ...result } = spec === undefined ? run() : runSpecs(batch.map((each) => each.spec));
  // Cut off by hand or by a clock: it was not run.
  if (signal) throw new Error(`${name} was cut off (${signal}); the same command goes on there`);
  const broke = { passed: 0, failed: 1, skipped: 0, failures: [result.failures?.[0] ?? 'it was not run'] };
  return batch.map((part) => (batch.length === 1 ? result : (byFile.get(part.spec) ?? broke)));
}

/** Each batch keeps what its red tests left: Playwright empties the folder that it writes to. */
const runSpecs = (specs) =>
  runPlaywright(root, {
    args: [
      ...(specs[0].endsWith('.alone.spec.ts') ? ['--workers=1'] : []),
      `--output=${path.join(root, '.pitwall', 'test-full', specs[0].replace('.spec.ts', ''))}`,
      ...specs.map((spec) => `specs/${spec}`),
    ],
    env,
  });

function runBench(id) {
  const { status, signal } = spawnSync(process.execPath, ['bin/pitwall', 'bench', id, '--quick'], {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, ...env },
  });
  const failures = status === 0 ? [] : [`bench ${id} --quick ended with ${status ?? signal}`];
  return { passed: status === 0 ? 1 : 0, failed: failures.length, skipped: 0, failures, signal };
}

/** A hash of all that is tested: the committed files but docs, and what is changed in them. */
function codeKey() {
  const git = (...args) =>
    execFileSync('git', args, { cwd: root, encoding: 'utf8', maxBuffer: 256 * 1024 * 1024 });
  const tree = git('ls-tree', '-r', 'HEAD')
    .split('\n')
    .filter((line) => !/\.md$/.test(line));
  const changed = git('diff', 'HEAD', '--', '.', ':!*.md');
  const hash = createHash('sha256').update(tree.join('\n')).update(changed).digest('hex').slice(0, 16);
  const commit = git('rev-parse', '--short=10', 'HEAD').trim();
  return { hash, version: changed === '' ? commit : `${commit}, with changes that are not committed` };
}

function readState({ hash, version }, fresh) {
  const found = existsSync(stateFile) && !fresh ? JSON.parse(readFileSync(stateFile, 'utf8')) : null;
  return found?.hash === hash ? found : { hash, version, parts: {} };
}

function writeWhole(file, text) {
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(`${file}.${process.pid}`, text);
  renameSync(`${file}.${process.pid}`, file);
}

function runParts(batch, state) {
  const startedAt = Date.now();
  const results = runBatch(batch);
  const wholeSeconds = Math.round((Date.now() - startedAt) / 1000);
  for (const [index, { name }] of batch.entries()) {
    const { passed, failed, skipped, failures, seconds = wholeSeconds } = results[index];
    const date = new Date().toISOString().slice(0, 10);
    state.parts[name] = { passed, failed, skipped, failures, seconds, date };
  }
  writeWhole(stateFile, JSON.stringify(state, null, 1));
}

const machine = () => {
  const cores = os.availableParallelism();
  return `${cores} cores, ${Math.round(os.totalmem() / 2 ** 30)} GiB, ${os.type()} ${os.release().split('.').slice(0, 2).join('.')}, Node ${process.versions.node}`;
};

async function main() {
  const { values } = parseArgs({
    options: {
      list: { type: 'boolean' },
      fresh: { type: 'boolean' },
      summary: { type: 'boolean' },
      only: { type: 'string' },
    },
  });
  const state = readState(codeKey(), values.fresh);
  const only = values.only?.split(',') ?? null;
  const parts = partsOf();
  const unknown = only?.find((name) => parts.every((part) => part.name !== name));
  if (unknown) throw new Error(`"${unknown}" is no part; --list names them`);
  const todo = parts.filter(({ name }) => (only ? only.includes(name) : !state.parts[name]));
  const print = (line) => void process.stdout.write(`${line}\n`);
  if (values.list) {
    for (const { name } of parts) print(`${name}: ${state.parts[name] ? 'done' : 'to do'}`);
    return 0;
  }
  if (!values.summary) {
    const { setUp } = await import('./setup.mjs');
    // Only these tests play in Firefox.
    await setUp({ forTests: true, withFirefox: true });
    mkdirSync(reportsFolder(root), { recursive: true });
    for (const batch of batchesOf(todo)) {
      const names = batch.map(({ name }) => name).join(', ');
      print(`\ntest:full: ${names}, ${todo.indexOf(batch[0]) + 1} of ${todo.length} that are left`);
      runParts(batch, state);
    }
  }
  const names = parts.map(({ name }) => name);
  const { text, passed, failed, skipped, open } = summaryOf({ ...state, names, machine: machine() });
  const page = path.join(root, 'docs', 'generated', 'test-full.md');
  writeWhole(page, text);
  // Its columns are aligned as in every other page.
  spawnSync(path.join(root, 'node_modules', '.bin', 'prettier'), ['--write', '--log-level=warn', page], {
    cwd: root,
  });
  print(`\ndocs/generated/test-full.md is written; ${open} of ${names.length} parts are left.`);
  print(`\n${passed} passed, ${failed} failed, ${skipped} skipped`);
  return failed > 0 ? 1 : 0;
}

const clock = (seconds) =>
  seconds < 60
    ? `${seconds} s`
    : `${Math.floor(seconds / 60)} min ${String(seconds % 60).padStart(2, '0')} s`;

/**
 * `parts` holds what is done, by name; `names` are all parts in order. Returns the page and the sums; `open` is how many
 * parts are not done.
 */
export function summaryOf({ version, parts, names, machine }) {
  const done = names.filter((name) => parts[name]);
  const sum = (key) => done.reduce((total, name) => total + parts[name][key], 0);
  const [passed, failed, skipped, seconds] = ['passed', 'failed', 'skipped', 'seconds'].map(sum);
  const dates = [...new Set(done.map((name) => parts[name].date))].sort();
  const open = names.filter((name) => !parts[name]);
  const failures = done.flatMap((name) => parts[name].failures.map((title) => `- ${name}: ${title}`));
  const rows = done.map((name) => {
    const part = parts[name];
    return `| ${name} | ${part.passed} | ${part.failed} | ${part.skipped} | ${clock(part.seconds)} |`;
  });
  const text = `# The last full test

\`npm run test:full\` runs every check, every test with its whole matrix and every bench with \`--quick\`, and writes this page.

- Version: ${version}
- Date: ${dates.join(', ') || 'none'}
- Machine: ${machine}
- Result: ${passed} passed, ${failed} failed, ${skipped} skipped, in ${clock(seconds)}
- Not run: ${open.length === 0 ? 'nothing' : open.join(', ')}

## What failed

${failures.length === 0 ? 'Nothing.' : failures.join('\n')}

## Parts

| part | passed | failed | skipped | time |
| ---- | -----: | -----: | ------: | ---: |
${rows.join('\n')}
`;
  return { text, passed, failed, skipped, open: open.length };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  process.exitCode = await main().catch((error) => {
    process.stderr.write(`test:full: ${error.message}\n`);
    return 1;
  });
}
