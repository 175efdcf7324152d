import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { runSim } from './runSim.ts';
import type { SimOptions } from './simInputs.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'pitwall-sim-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function file(name: string, text: string): string {
  const at = path.join(folder, name);
  mkdirSync(path.dirname(at), { recursive: true });
  writeFileSync(at, text);
  return at;
}

const good = file('good', '0 1\n300 1\n');
const empty = path.join(folder, 'empty');
mkdirSync(empty);
file('texts/notes.txt', 'hello');
file('holes/video_size_0', '5\n6\n');
file('holes/video_size_1', '7\n');
file('single/video_size_0', '5\n');

const RUN: SimOptions = {
  rules: 'lowest',
  traces: [good],
  video: 'envivio',
  qoe: 'lin',
  model: 'chunk',
  seed: 1,
  jobs: 1,
  optimum: false,
};

it.each<[string, Partial<SimOptions>, RegExp]>([
  ['an unknown rule', { rules: 'lowest,magic' }, /^Unknown rule "magic"; known: .*lowest/],
  ['a setting that is not there', { rules: 'bola:size=3' }, /no parameter "size"/],
  ['no rule', { rules: ' , ' }, /^Name at least one rule: .*lowest/],
  ['weights that are not there', { rules: 'pensieve:weights=gone' }, /^The weights gone cannot be read/],
  ['a folder that is not there', { traces: ['gone'] }, /^gone: There is no such file or folder\.$/],
  [
    'a profile that is not there',
    { traces: ['profile:dsl'] },
    /^profile:dsl: Unknown profile "dsl": did you mean "dvl"\? Known: 3g, .*, wifi\.$/,
  ],
  ['an empty folder', { traces: [empty] }, /empty: There is no trace in this folder\.$/],
  [
    'a folder of other files',
    { traces: [good, path.join(folder, 'texts')] },
    /^\S+texts: There is no trace in this folder\. \S+notes\.txt: It looks like no format known here .*\.$/,
  ],
  [
    'time that goes back',
    { traces: [file('b', '0 1\n2 1\n1 1\n')] },
    /b, line 3, column 1: Time goes from 2 s to 1 s; it must rise\.$/,
  ],
  ['an empty trace', { traces: [file('e', '')] }, /e: The file is empty\.$/],
  ['a negative rate', { traces: [file('n', '0 1\n1 -1\n')] }, /n, line 2, column 3: .*negative\.$/],
  ['NaN', { traces: [file('nan', '0 1\n1 NaN\n')] }, /nan, line 2, column 3: .*not a number\.$/],
  ['a trace that never carries anything', { traces: [file('z', '0 0\n1 0\n')] }, /z: Every rate is 0/],
  [
    'a trace that may be two things',
    { traces: [file('two', '0 50\n30 60\n')] },
    /two: The format may be cooked or pairs/,
  ],
  [
    'a format that it is not in',
    { traces: [good], format: 'sabre' },
    /good, line 1, column 3: After the end of the JSON stands "1"\.$/,
  ],
  ['a setting of another model', { rtt: 50 }, /^--rtt needs --model player\.$/],
  ['an unknown video', { video: 'gone' }, /^gone: There is no such file or folder\. Built in: envivio\.$/],
  ['a folder without sizes', { video: empty }, /empty: There are no size files \(video_size_0/],
  [
    'a rung without sizes',
    { video: path.join(folder, 'holes'), ladder: [1, 2] },
    /holes: The level of 2 kbit\/s has no size for segment 1/,
  ],
  [
    'a video of one segment',
    { video: path.join(folder, 'single'), ladder: [1] },
    /A score needs at least two segments/,
  ],
  [
    'a place that cannot be written to',
    { json: path.join('gone', 'x.json') },
    /^gone: There is no such file or folder\.$/,
  ],
  ['results into a folder', { json: empty }, /empty: It is a folder, not a file\.$/],
  ['results into no name', { json: '' }, /^--json takes the name of a file\.$/],
  ['logs into no name', { log: '' }, /^--log takes the name of a folder\.$/],
  ['logs into a file', { log: good }, /good: It is a file, not a folder\.$/],
  ['a trace twice', { traces: [good, folder + path.sep + 'good'] }, /good: This trace is given twice\.$/],
  ['a profile twice', { traces: ['profile:3g', 'profile:3g'] }, /^profile:3g: This trace is given twice\.$/],
  [
    'a file that is no text',
    { traces: [file('zip', 'PK\u0003\u0004,\u0000\u0001')] },
    /zip: The file is not UTF-8 text/,
  ],
  [
    'a trace that hardly carries anything',
    { traces: [file('slow', '0 0\n1 1e-10\n2 0\n')] },
    /slow: It carries 0\.00005 bit\/s on average, .*units right\?$/,
  ],
  ['a ladder for a video that has one', { ladder: [1, 2] }, /^envivio: --ladder needs a folder/],
  ['a segment length for one that has it', { segmentMs: 2000 }, /^envivio: --segment-ms needs a folder/],
  ['an empty video', { video: file('movie', ' ') }, /movie: The file is empty\.$/],
  [
    'a QoE that a rule does not know',
    { rules: 'mpc-fast:qoe=mos' },
    /qoe of mpc-fast is one of lin, log, hd/,
  ],
])('%s is one sentence, and nothing is written', async (_, wrong, sentence) => {
  const before = readdirSync(folder);
  const error: unknown = await runSim({ json: path.join(folder, 'never.json'), ...RUN, ...wrong }).catch(
    (each: unknown) => each,
  );
  expect((error as Error).message).toMatch(sentence);
  expect((error as Error).message).not.toContain('\n');
  expect(readdirSync(folder)).toEqual(before);
});
