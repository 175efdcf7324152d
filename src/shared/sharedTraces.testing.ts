import { existsSync } from 'node:fs';
import path from 'node:path';
import { describe, test } from 'vitest';

/** Found by its package.json, so that moving this file cannot move the folder of traces. */
const repository = repositoryAbove(import.meta.dirname);

/** The published traces and golden rows lie beside the repository, or where PITWALL_TEST_TRACES says; empty: nowhere. */
const folder = process.env['PITWALL_TEST_TRACES'] ?? path.join(path.dirname(repository), 'shared', 'traces');

function repositoryAbove(at: string): string {
  return existsSync(path.join(at, 'package.json')) ? at : repositoryAbove(path.dirname(at));
}

/**
 * Tests that need the published traces. Where those are not, they are skipped and say why; `npm test` lists what it skipped.
 */
export function describeWithTraces(name: string, body: (folder: string) => void): void {
  if (existsSync(folder)) describe(name, () => body(folder));
  else test.skip(`${name}: needs published traces, which do not ship (PITWALL_TEST_TRACES)`, () => {});
}
