import { expect, test } from 'vitest';
import { exampleLog } from '../../telemetry/exampleLog.testing.ts';
import { playerNotices } from './errors.ts';

/** What is said of errors of the player, each with its code, its message and whether it ends playback. */
function said(errors: readonly (readonly [code: string, message: string, fatal?: boolean])[]): string[] {
  const watch = playerNotices.watch(exampleLog());
  for (const [index, [code, message, fatal = false]] of errors.entries())
    watch.see({
      kind: 'error',
      id: `e${index}`,
      atMs: index,
      source: 'player',
      code,
      message,
      fatal,
      requestId: null,
      missing: { requestId: 'not-applicable' },
    });
  return watch.findings([]).map(({ atMs, sentence }) => `${atMs} ${sentence}`);
}

test('what the player says of the stream or of itself is said once', () =>
  expect(
    said([
      ['left-out', 'A.'],
      ['dashjs-exception', 'B.'],
      ['left-out', 'A.'],
      ['waiting', 'D.'],
    ]),
  ).toEqual(['0 A', '1 B', '3 D']));

test('what has a finding of its own is not said again', () =>
  expect(
    said([
      ['dashjs-28', 'A segment is missing.'],
      ['ended', 'It is over.', true],
    ]),
  ).toEqual([]));

test('a day of notices stays a short list', () =>
  expect(said(Array.from({ length: 5000 }, (_, index) => ['left-out', `Hole ${index}.`]))).toHaveLength(10));
