import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, test } from 'vitest';

/** The published traces and golden rows lie beside the repository, or where PITWALL_TRACES says. */
const folder =
  process.env['PITWALL_TRACES'] ?? fileURLToPath(new URL('../../../../shared/traces', import.meta.url));

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
