import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it, test } from 'vitest';
import { main } from './main.ts';
import { runMain, type Ran } from './runMain.testing.ts';
import { startFiles, type Started } from '../experiment/doctor/startFiles.testing.ts';
import { EXIT } from '../node/exitCodes.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'pitwall-doctor-cli-'));
let served: Started;
let allowed: Readonly<Record<string, string>> = {};

beforeAll(async () => {
  writeFileSync(path.join(folder, 'segment.mp4'), 'a file of any kind');
  served = await startFiles(folder, {
    answer: (_, answer) => {
      for (const [name, value] of Object.entries(allowed)) answer.setHeader(name, value);
      return false;
    },
  });
});
afterAll(async () => {
  await served.stop();
  rmSync(folder, { recursive: true, force: true });
});

const run = (...args: string[]): Promise<Ran> =>
  runMain(['doctor', `http://127.0.0.1:${served.port}/segment.mp4`, '--no-browser', ...args], {
    main,
    folder,
    files: /\.xml$/,
  });

it('names what is wrong, why, and the fix for each product, and ends with the code of the worst', async () => {
  allowed = {};
  const { stdout, status } = await run();
  expect(status).toBe(EXIT.problemFound);
  expect(stdout).toMatch(/^http:.*: 1 problem, 2 warnings \(\d+ bytes in \d+\.\d s\)$/m);
  expect(stdout).toMatch(/^problem: 127\.0\.0\.1:\d+ \(media\) sends no Access-Control-Allow-Origin$/m);
  expect(stdout).toMatch(/^ {2}nginx {4}add_header Access-Control-Allow-Origin "\*" always;$/m);
  expect(stdout).toMatch(/^not checked: .*codecs.*$/m);
});

it('ends with another code where nothing is worse than a warning', async () => {
  allowed = {
    'access-control-allow-origin': 'https://player.example',
    vary: 'origin',
    'timing-allow-origin': '*',
  };
  expect((await run()).status).toBe(EXIT.warningFound);
});

it('writes JSON and JUnit', async () => {
  allowed = {};
  const { stdout } = await run('--json', '--junit', 'doctor.xml');
  const { schema, findings, evidence } = JSON.parse(stdout) as {
    schema: string;
    findings: { check: string; by: Record<string, string> | null }[];
    evidence: { files: { whole: { status: number } }[] };
  };
  expect(schema).toBe('pitwall-doctor/1');
  expect(findings.map(({ check }) => check)).toContain('no-cors');
  expect(evidence.files[0]!.whole.status).toBe(200);
  const junit = readFileSync(path.join(folder, 'doctor.xml'), 'utf8');
  expect(junit).toMatch(/<testsuite name="pitwall doctor" tests="\d+" failures="3" errors="0" skipped="\d+"/);
  expect(junit).toMatch(
    /<testcase classname="pitwall.doctor" name="no-cors" time="0">\s*<failure type="problem"/,
  );
});

it('reads no more than it may', async () => {
  const { stdout } = await run('--max-bytes', '10000', '--json');
  expect((JSON.parse(stdout) as { spentBytes: number }).spentBytes).toBeLessThanOrEqual(10_000);
});

test.each([
  [['cdn.example/a.mpd'], /<url> takes an http or https address/],
  [['https://cdn.example/a.mpd', '--resolver', 'dns.example'], /--resolver takes an IP address/],
  [['https://cdn.example/a.mpd', '--from', 'player'], /--from takes an http or https address/],
  [['https://cdn.example/a.mpd', '--max-bytes', '5'], /--max-bytes takes a whole number of 10000 or more/],
])('%s is wrong usage', async (args, sentence) => {
  const { stderr, status } = await runMain(['doctor', ...args], { main, folder, files: /\.xml$/ });
  expect(status).toBe(EXIT.usage);
  expect(stderr).toMatch(sentence);
});
