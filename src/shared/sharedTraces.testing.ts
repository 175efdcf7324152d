import { existsSync } from 'node:fs';
import path from 'node:path';
import { describe, test } from 'vitest';

/** Found by its package.json, so that moving this file cannot move the folder of traces. */
const repository = repositoryAbove(import.meta.dirname);

/** The published traces and golden rows lie beside the repository, or where PITWALL_TRACES says. */
const folder = process.env['PITWALL_TRACES'] ?? path.join(path.dirname(repository), 'shared', 'traces');

function repositoryAbove(at: string): string {
  return existsSync(path.join(at, 'package.json')) ? at : repositoryAbove(path.dirname(at));
}

/**
 * Tests that need the published traces. Where those are not, they are skipped and say why; on a CI machine they fail,
 * because there nobody would notice.
 */
export function describeWithTraces(name: string, body: (folder: string) => void): void {
  const missing = `${name}: needs the traces, and there is no folder ../shared/traces beside the repository`;
  if (existsSync(folder)) describe(name, () => body(folder));
  else if (process.env['CI'])
    test(name, () => {
      throw new Error(`${missing} (PITWALL_TRACES names another).`);
    });
  else test.skip(missing, () => {});
}
