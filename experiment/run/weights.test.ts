import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { givenWeights } from './weights.ts';

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
