import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { RuleReport } from './simTable.ts';
import { meanOverNetworks, traceNetworks } from './traceNetworks.ts';
import { metrics } from '../../src/analysis/metrics/registry.ts';
import { pick } from '../../src/shared/registry.ts';
import { envivio } from '../../src/sim/envivio.ts';
import { readSession } from '../../src/telemetry/schema/readSession.ts';

const root = path.dirname(path.dirname(import.meta.dirname));
const folder = mkdtempSync(path.join(tmpdir(), 'pitwall-sim-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function sim(...args: string[]) {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [path.join(root, 'bin', 'pitwall'), 'sim', ...args],
    { encoding: 'utf8', cwd: folder },
  );
  return { status, stdout, stderr };
}

function file(name: string, text: string): string {
  mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
  writeFileSync(path.join(folder, name), text);
  return name;
}

/** A path of constant rate for 400 s, as Pensieve would write it. */
const constant = (mbps: number): string =>
  Array.from({ length: 401 }, (_, second) => `${second}\t${mbps}`).join('\n');

for (const mbps of [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]) file(`traces/steady-${mbps}`, constant(mbps));
const RUN = ['--traces', 'traces', '--no-optimum'];

const reportsOf = (name: string): RuleReport[] =>
  JSON.parse(readFileSync(path.join(folder, name), 'utf8')) as RuleReport[];

describe('a rule file', () => {
  it('plays as the manual has it, is called by its id, and its replay chooses the same', () => {
    const example = path.join(root, 'docs', 'examples', 'safe-rate.js');
    const rules = `${example},${example}:safety=0.4,throughput`;
    const played = sim('--rules', rules, ...RUN, '--log', 'own-logs', '--json', 'own.json');
    expect(played.status, played.stderr).toBe(0);
    const [usual, careful] = reportsOf('own.json');
    expect([usual!.rule, careful!.rule]).toEqual(['safe-rate', 'safe-rate:safety=0.4']);
    expect(careful!.meanBitrateKbps).toBeLessThan(usual!.meanBitrateKbps);
    const logs = readdirSync(path.join(folder, 'own-logs'), { recursive: true, encoding: 'utf8' });
    const own = logs.filter((name) => /safe-rate\b(?!.*0\.4).*\.json$/.test(name));
    expect(own).toHaveLength(10);
    const files = own.map((name) => path.join('own-logs', name));
    const program = [path.join(root, 'bin', 'pitwall'), 'replay', ...files];
    const replayed = spawnSync(process.execPath, [...program, '--rule', example, '--expect-same'], {
      encoding: 'utf8',
      cwd: folder,
    });
    expect([replayed.stderr, replayed.status]).toEqual(['', 0]);
  });
});

describe('pitwall sim', () => {
  it('scores a rule whose sessions can be worked out by hand', () => {
    // Never a stall at 10 Mbit/s: 4.3 a chunk, less 3.55 for the one step from the forced first rung.
    const { status } = sim(
      '--rules',
      'fixed:level=6',
      '--traces',
      'traces/steady-10',
      '--no-optimum',
      '--json',
      'a.json',
    );
    expect(status).toBe(0);
    const [report] = reportsOf('a.json');
    expect(report).toMatchObject({
      rule: 'fixed:level=6',
      sessions: 1,
      stallSecondsMean: 0,
      switchesMean: 1,
      shareOfOptimum: null,
    });
    expect(report!.qoePerChunkMean).toBeCloseTo(4.3 - 3.55 / 47, 9);
    const kbps = envivio.video.sizesBytes[1]![0]! / 1250 / 0.95 + 80;
    expect(report!.perTrace[0]!.joinSeconds).toBeCloseTo(kbps / 1000, 6);
  });

  it('writes a table, what was played, and exactly the fields that others rely on', () => {
    const { stdout, stderr, status } = sim('--rules', 'lowest,mpc-fast', ...RUN, '--json', 'b.json');
    expect(status).toBe(0);
    expect(stdout).toContain('µ = 4.3 (the top level in Mbit/s)');
    expect(stdout).toContain('qoe=lin');
    expect(stdout).toMatch(/^ {2}lowest +0\.29\d +– +–/m);
    expect(stdout).toMatch(/^ {2}mpc-fast +\d\.\d{3} +-?\d\.\d{3} … \d\.\d{3} +–/m);
    expect(stderr).toMatch(/20 of 20 sessions\n$/);
    const reports = reportsOf('b.json');
    expect(reports.map(({ rule }) => rule)).toEqual(['lowest', 'mpc-fast']);
    for (const report of reports) {
      expect(Object.keys(report)).toEqual(
        expect.arrayContaining(
          'rule sessions qoePerChunkMean qoePerChunkInterval shareOfOptimum stallSecondsMean switchesMean perTrace'.split(
            ' ',
          ),
        ),
      );
      expect(report.perTrace.map(({ trace }) => trace)).toEqual(
        readdirSync(path.join(folder, 'traces')).sort(),
      );
      const sum = report.perTrace.reduce((total, { qoePerChunk }) => total + qoePerChunk, 0);
      expect(report.qoePerChunkMean).toBeCloseTo(sum / 10, 12);
      expect(report.networks).toBe(10);
    }
    expect(reports[0]!.qoePerChunkInterval).toBeNull();
    const { qoePerChunkMean, qoePerChunkInterval } = reports[1]!;
    const [min, max] = qoePerChunkInterval!;
    expect(min).toBeLessThan(qoePerChunkMean);
    expect(max).toBeGreaterThan(qoePerChunkMean);
  });

  it('gives the same file on one core and on several, and other intervals with another seed', () => {
    const rules = ['--rules', 'bola,festive,mpc-robust'];
    for (const [name, ...more] of [
      ['one.json', '--jobs', '1'],
      ['three.json', '--jobs', '3'],
      ['seed.json', '--seed', '2'],
    ])
      expect(sim(...rules, ...RUN, '--json', name!, ...more).status).toBe(0);
    expect(readFileSync(path.join(folder, 'one.json'), 'utf8')).toBe(
      readFileSync(path.join(folder, 'three.json'), 'utf8'),
    );
    const [one, other] = [reportsOf('one.json')[0]!, reportsOf('seed.json')[0]!];
    expect(other.qoePerChunkInterval).not.toEqual(one.qoePerChunkInterval);
    expect(other.qoePerChunkMean).toBe(one.qoePerChunkMean);
  });

  it('gives the QoE of the run to a rule that plans for one, unless its text names another', () => {
    sim('--rules', 'mpc-fast,mpc-fast:qoe=hd', ...RUN, '--qoe', 'log', '--json', 'c.json');
    const parameters = reportsOf('c.json').map(
      (report) => (report as unknown as { parameters: { qoe: string } }).parameters,
    );
    expect(parameters.map(({ qoe }) => qoe)).toEqual(['log', 'hd']);
  });

  it('says that a trace begins again, and how long a video of size files is', () => {
    file('short/one', '0 2\n30 2\n');
    envivio.video.sizesBytes.forEach((row, rung) => file(`sizes/video_size_${rung}`, row.join('\n')));
    const { stdout } = sim('--rules', 'lowest', '--traces', 'short', '--video', 'sizes', '--no-optimum');
    expect(stdout).toContain('traces  1 (cooked); 1 of them shorter than the video (192 s): they repeat');
    expect(stdout).toContain('rates: mean 2.00 Mbit/s, from 2.00 Mbit/s to 2.00 Mbit/s');
    expect(stdout).toMatch(/^ {2}lowest +0\.290 +– +–/m);
    expect(stdout).toContain(
      'video   sizes: 48 of 49 segments of 4 s, 300, 750, 1200, 1850, 2850, 4300 kbit/s',
    );
  });

  it('counts the traces of one household once, and says so', () => {
    for (const [place, mbps] of [0.4, 0.6, 0.8, 1, 1.5, 2, 2.5, 3, 3.5, 4, 4.5, 5].entries())
      file(`fcc/trace_${place % 6}_http---www.ebay.com_${place}`, constant(mbps));
    const args = ['--traces', 'fcc', '--no-optimum', '--paired', '--json', 'fcc.json'];
    const { stdout } = sim('--rules', 'bola,lowest', ...args);
    expect(stdout).toContain('traces  12 (cooked) of 6 households');
    expect(stdout).toContain('95 % interval over households');
    expect(stdout).toMatch(/^ {2}lowest .* of 6 /m);
    const [bola] = reportsOf('fcc.json');
    expect(bola).toMatchObject({ sessions: 12, networks: 6 });
    const { perTrace, qoePerChunkInterval } = bola!;
    const qoe = perTrace.map(({ qoePerChunk }) => qoePerChunk);
    const networks = traceNetworks(perTrace.map(({ trace }) => trace));
    expect(qoePerChunkInterval).toEqual(meanOverNetworks(qoe, networks, 1).interval);
  });

  it('reads a large trace in little memory', () => {
    // 4.9 MB; as an object for each of its 700,000 lines it took more than this heap.
    file('large.mahi', Array.from({ length: 700_000 }, (_, line) => `${Math.floor(line / 2)}\n`).join(''));
    const { status, stdout } = spawnSync(
      process.execPath,
      [
        ...['--max-old-space-size=100', path.join(root, 'bin', 'pitwall'), 'sim', '--rules', 'lowest'],
        ...['--traces', 'large.mahi', '--no-optimum', '--jobs', '1'],
      ],
      { encoding: 'utf8', cwd: folder },
    );
    expect(stdout).toContain('traces  1 (mahimahi)');
    expect(status).toBe(0);
  });

  it('plays a profile beside a trace, and says what of it is not simulated', () => {
    const args = [
      '--rules',
      'lowest',
      '--traces',
      'profile:switch-wifi-3g',
      'traces/steady-3',
      '--no-optimum',
    ];
    const { status, stdout, stderr } = sim(...args, '--model', 'player', '--json', 'profile.json');
    expect([status, stderr]).toEqual([0, expect.not.stringContaining('pitwall:')]);
    expect(stdout).toContain('traces  2 (cooked, profile)');
    expect(stdout).toContain('profile:switch-wifi-3g without the queue, new addresses of the client');
    const names = reportsOf('profile.json')[0]!.perTrace.map(({ trace }) => trace);
    expect(names).toEqual(['steady-3', 'switch-wifi-3g']);
  });

  it.each(['chunk', 'player'])(
    'writes a log of each session in the %s model, valid and of the same score',
    (model) => {
      const rules = ['--rules', 'bola:gp=6,lowest', '--traces', 'traces/steady-1', 'traces/steady-2'];
      const { status } = sim(
        ...rules,
        '--no-optimum',
        '--model',
        model,
        '--log',
        `logs-${model}`,
        '--json',
        'l.json',
      );
      expect(status).toBe(0);
      const names = readdirSync(path.join(folder, `logs-${model}`));
      expect(names).toEqual([
        'bola_gp=6~steady-1.json',
        'bola_gp=6~steady-2.json',
        'lowest~steady-1.json',
        'lowest~steady-2.json',
      ]);
      for (const [index, name] of names.entries()) {
        const log = readSession(readFileSync(path.join(folder, `logs-${model}`, name), 'utf8'));
        if (!log.ok) throw new Error(log.error);
        const { stalls, switches } = reportsOf('l.json')[index >> 1]!.perTrace[index % 2]!;
        expect(pick(metrics, 'rebuffer-count').of(log.value).value).toBe(stalls);
        expect(log.value.events.filter(({ kind }) => kind === 'switch').length).toBeGreaterThanOrEqual(
          switches,
        );
      }
    },
  );

  it('plays a ladder of its own', () => {
    file('two/video_size_0', '50000\n50000\n50000\n');
    file('two/video_size_1', '100000\n100000\n100000\n');
    const args = ['--video', 'two', '--ladder', '200,400', '--segment-ms', '2000', '--json', 'd.json'];
    expect(sim('--rules', 'fixed:level=2', ...RUN, ...args).stdout).toContain('µ = 0.4');
    expect(reportsOf('d.json')[0]!.qoePerChunkMean).toBeCloseTo(0.4, 9);
  });
});

describe('pitwall sim, asked wrongly', () => {
  it.each([
    [
      'an unknown rule',
      ['--rules', 'magic', ...RUN],
      /^pitwall: Unknown rule "magic"; known: .*lowest.*\n$/,
      2,
    ],
    [
      'a broken trace',
      ['--rules', 'lowest', '--traces', file('bad/b', '0 1\n2 1\n1 1\n')],
      /^pitwall: bad\/b, line 3, .*\n$/,
      1,
    ],
    ['an unknown QoE', ['--rules', 'lowest', ...RUN, '--qoe', 'max'], /Allowed choices are lin, log, hd/, 2],
    ['no traces', ['--rules', 'lowest'], /required option '--traces/, 2],
  ] as const)('says so in a sentence and writes nothing: %s', (_, args, sentence, code) => {
    const { status, stderr, stdout } = sim(...args, '--json', 'never.json');
    expect(stderr).toMatch(sentence);
    expect(stdout).toBe('');
    expect(status).toBe(code);
    expect(readdirSync(folder).filter((name) => /never|tmp/.test(name))).toEqual([]);
  });
});

it('plays audio beside the video where it is asked for, and says so', () => {
  const player = [
    '--model',
    'player',
    '--rules',
    'fixed:level=2',
    '--traces',
    'traces/steady-1',
    '--no-optimum',
  ];
  const alone = sim(...player, '--json', 'alone.json');
  const beside = sim(...player, '--audio', '500', '--rtt', '50', '--json', 'beside.json');
  expect([alone.status, beside.status]).toEqual([0, 0]);
  expect(beside.stdout).toContain('4300 kbit/s; audio of 500 kbit/s\n');
  expect(alone.stdout).not.toContain('audio of');
  const settings = ['alone.json', 'beside.json'].map((name) => reportsOf(name)[0]!);
  expect(settings).toMatchObject([{ audioKbps: null }, { audioKbps: [500], modelSettings: { rttMs: 50 } }]);
  // 750 and 500 kbit/s do not pass where 1000 do.
  expect(reportsOf('alone.json')[0]!.stallSecondsMean).toBe(0);
  expect(reportsOf('beside.json')[0]!.stallSecondsMean).toBeGreaterThan(10);
});
