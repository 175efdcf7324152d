import { createReadStream } from 'node:fs';
import { failed, type Result } from '../../../src/shared/result.ts';
import type { NetLogFacts } from '../../../src/telemetry/netlog/netLogFacts.ts';
import { createNetLogReader } from '../../../src/telemetry/netlog/readNetLog.ts';

/** Reads a NetLog file of any size, closed or not. A fault is one sentence. */
export async function readNetLogFile(file: string): Promise<Result<NetLogFacts>> {
  const reader = createNetLogReader();
  try {
    for await (const chunk of createReadStream(file, { encoding: 'utf8', highWaterMark: 1 << 20 })) {
      reader.push(chunk as string);
      const refused = reader.refused();
      if (refused !== null) return failed(refused);
    }
  } catch (fault) {
    const code = (fault as NodeJS.ErrnoException).code ?? String(fault);
    return failed(`It cannot be read (${code}).`);
  }
  return reader.end();
}
