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
 * Tests that need the published traces. Where those are not, they are skipped and say why; on a CI machine they fail, because
 * there nobody would notice, unless PITWALL_TEST_TRACES is empty.
 */
export function describeWithTraces(name: string, body: (folder: string) => void): void {
  const missing = `${name}: needs the traces, and there is no folder ../shared/traces beside the repository`;
  if (existsSync(folder)) describe(name, () => body(folder));
  else if (process.env['CI'] && folder !== '')
    test(name, () => {
      throw new Error(`${missing} (PITWALL_TEST_TRACES names another, and none if it is empty).`);
    });
  else test.skip(missing, () => {});
}
