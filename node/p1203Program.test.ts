import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { findP1203, scoreP1203 } from './p1203Program.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'pitwall-p1203-test-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/**
 * A program with the command line and the report of the reference implementation, whose score is the `score` of an input. It
 * fails for all inputs where one has a codec that the standard does not know, as that one does.
 */
const PROGRAM = `#!${process.execPath}
const { appendFileSync, readFileSync } = require('node:fs');
const args = process.argv.slice(2);
if (args.includes('--version')) { console.log('1.8.3'); process.exit(0); }
if (process.env.P1203_NOTICE) { console.log('by passing the --accept-notice option.'); process.exit(1); }
const files = args.slice(args.indexOf('--cpu-count') + 2);
appendFileSync(${JSON.stringify(path.join(folder, 'calls'))}, files.length + '\\n');
const inputs = files.map((file) => JSON.parse(readFileSync(file, 'utf8')));
if (inputs.some(({ codec }) => codec === 'vp9')) {
  console.error('Traceback (most recent call last):\\nitu_p1203.errors.P1203StandaloneError: Unsupported codec: vp9');
  process.exit(1);
}
for (const { warning } of inputs)
  if (warning) console.error('\\x1b[1;33mWARNING\\x1b[1;0m - p1203Pq - ' + warning);
console.log(JSON.stringify(Object.fromEntries(files.map((file, place) => [file, { O46: inputs[place].score, mode: 0 }]))));
`;
const file = path.join(folder, 'p1203');
writeFileSync(file, PROGRAM);
chmodSync(file, 0o755);

const program = { command: [file], version: '1.8.3' };
const input = (score: unknown, codec = 'h264') => JSON.stringify({ score, codec });

test('is found by its command, which may have arguments', async () => {
  expect(await findP1203(`${process.execPath}  ${file}`)).toEqual({
    ok: true,
    value: { command: [process.execPath, file], version: '1.8.3' },
  });
});

test('one that is not there, or does not answer, is named with what to install', async () => {
  for (const command of [path.join(folder, 'none'), 'false'])
    expect(await findP1203(command)).toMatchObject({
      error: expect.stringMatching(
        /^--p1203-program: ".*" does not run\. Install the reference .*\.$/,
      ) as string,
    });
});

test('scores all inputs with one process; one that it refuses costs the others nothing', async () => {
  const inputs = [input(4.2), input(1), input(3, 'vp9'), input(5), input(2.5)];
  const counts: number[] = [];
  expect(await scoreP1203(program, inputs, { onDone: (count) => counts.push(count) })).toEqual([
    { ok: true, value: 4.2 },
    { ok: true, value: 1 },
    { ok: false, error: 'The program for P.1203 failed: Unsupported codec: vp9.' },
    { ok: true, value: 5 },
    { ok: true, value: 2.5 },
  ]);
  expect(readFileSync(path.join(folder, 'calls'), 'utf8')).toBe('5\n3\n2\n1\n2\n');
  expect(counts).toEqual([5]);
});

test('its warnings are passed on, each once', async () => {
  const outside = 'Excluding stalling event at position 25.4, since it is outside of media range (0, 25)';
  const warned = (warning: string) => JSON.stringify({ score: 4, warning });
  const warnings: string[] = [];
  await scoreP1203(
    program,
    [
      warned(outside),
      warned(outside),
      warned('Excluding stalling event at position 0, since it has zero duration'),
      input(4),
    ],
    { onWarning: (warning) => warnings.push(warning) },
  );
  expect(warnings).toEqual([outside]);
});

test.each([0.9, 5.1, null, 'good'])('a score of %j is none', async (score) =>
  expect(await scoreP1203(program, [input(score)])).toEqual([
    { ok: false, error: 'The program for P.1203 reported no score O46.' },
  ]),
);

test('its licence is for the user to accept', async () => {
  process.env['P1203_NOTICE'] = '1';
  try {
    await expect(scoreP1203(program, [input(4)])).rejects.toThrow(/accept its licence first: run /);
  } finally {
    delete process.env['P1203_NOTICE'];
  }
});
