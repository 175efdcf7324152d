import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it } from 'vitest';
import { givenWeights } from './weights.ts';
import { keepWeights } from '../run/keepWeights.ts';

const SHIPPED = path.join(import.meta.dirname, '..', '..', 'public', 'models', 'neural.json');

it('are those that a rule comes with, too, so that another version does not go on with other nets', async () => {
  const text = readFileSync(SHIPPED, 'utf8');
  expect(await givenWeights(['bola', 'neural:qoe=log', 'dashjs-dynamic'], '.')).toEqual([
    {
      rule: 'neural:qoe=log',
      spec: 'neural:qoe=log',
      sha256: createHash('sha256').update(text).digest('hex'),
      text,
    },
  ]);
});

it('are refused of a rule that takes none', async () =>
  await expect(givenWeights(['bola:weights=mine.json'], '.')).rejects.toThrow(
    'The rule bola takes no weights.',
  ));

it('are refused where the file has changed since the plan was made: training may write it anew', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'pitwall-weights-'));
  try {
    const text = readFileSync(SHIPPED, 'utf8');
    const file = path.join(folder, 'net.json');
    writeFileSync(file, text);
    const rules = ['bola', 'neural:weights=net.json'];
    const planned = await givenWeights(rules, folder);
    const kept = () => keepWeights(rules, { folder, outDir: folder, planned });
    expect(Object.keys((await kept()).weights!)).toEqual(['neural:weights=net.json']);
    rmSync(path.join(folder, 'weights'), { recursive: true });
    writeFileSync(file, `${text}\n`);
    await expect(kept()).rejects.toThrow('neural:weights=net.json: The weights have changed since the run');
    expect(existsSync(path.join(folder, 'weights'))).toBe(false);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
