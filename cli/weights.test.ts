import { mkdtempSync, readFileSync, rmSync, writeFileSync, existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { main } from './main.ts';
import { runMain } from './runMain.testing.ts';
import { madeActor, madeCheckpoint } from './weights/madeCheckpoint.testing.ts';
import { rulesOf } from '../node/rules.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'pitwall-weights-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const place = (file: string): string => path.join(folder, file);
const { index, data } = madeCheckpoint(madeActor());
for (const [name, bytes] of [
  ['whole', data],
  ['cut', data.subarray(0, 1000)],
] as const) {
  writeFileSync(place(`${name}.ckpt.index`), index);
  writeFileSync(place(`${name}.ckpt.data-00000-of-00001`), bytes);
}
writeFileSync(place('alone.ckpt.index'), index);

const convert = (...args: string[]) =>
  runMain(['weights', 'convert', ...args], { main, folder, files: /\.(ckpt|index|data-\S+|json)$/ });

test.each(['whole.ckpt', 'whole.ckpt.index', 'whole.ckpt.data-00000-of-00001'])(
  '%s becomes a file with which pensieve decides',
  async (file) => {
    expect(await convert(file, '--out', 'made.json')).toEqual({
      status: 0,
      stdout: 'made.json: weights of the net whole, under the licence of its checkpoint\n',
      stderr: '',
    });
    const rules = await rulesOf([`pensieve:weights=${place('made.json')}`]);
    expect(rules.ok && rules.value[0]!.parameters['weights']).toBe('whole');
    expect(readFileSync(place('made.json'), 'utf8')).toContain('"format":"pitwall-pensieve/1"');
  },
);

test.each([
  ['gone.ckpt', 'gone.ckpt.index: There is no such file or folder.'],
  ['alone.ckpt', 'alone.ckpt.data-00000-of-00001: There is no such file or folder.'],
  [
    'cut.ckpt',
    'The checkpoint cut.ckpt cannot be converted: its data end at byte 1000, but actor/FullyConnected/W has bytes',
  ],
])('%s is refused in one sentence, and nothing is written', async (file, sentence) => {
  const { status, stdout, stderr } = await convert(file, '--out', 'refused.json');
  expect([status, stdout]).toEqual([2, '']);
  expect(stderr).toMatch(/^pitwall: [^\n]+\.\n$/);
  expect(stderr).toContain(sentence);
  expect(existsSync(place('refused.json'))).toBe(false);
});

test('an output is needed', async () => expect((await convert('whole.ckpt')).status).toBe(2));
