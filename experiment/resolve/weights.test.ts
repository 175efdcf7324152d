import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it, test } from 'vitest';
import { givenWeights, rulesWith } from './weights.ts';
import { keepWeights } from '../runner/prepare.ts';

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

test('the weights of a run are those that were hashed, beside what came of them, whatever is in their file by then', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'pitwall-weights-'));
  try {
    const text = readFileSync(SHIPPED, 'utf8');
    const file = path.join(folder, 'net.json');
    writeFileSync(file, text);
    const [given] = await givenWeights(['bola', 'neural:weights=net.json'], folder);
    writeFileSync(file, '{}');
    const kept = path.join(folder, 'weights', `${given!.sha256}.json`);
    expect(keepWeights([given!], folder)).toEqual({
      weights: { 'neural:weights=net.json': { spec: 'neural', file: kept } },
    });
    expect(readFileSync(kept, 'utf8')).toBe(text);
    const rule = await rulesWith([given!], (each) => each)('neural:weights=net.json');
    expect(rule.id).toBe('neural');
  } finally {
    rmSync(folder, { recursive: true });
  }
});
