/** Reads a part of a transport log that may be longer than memory. */
import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import type { TransportSample } from './readTransportLog.ts';

/**
 * The samples of the file from a byte on, where a line must begin, of the connections that are wanted. A last line that is
 * still being written is left out. @throws Error when there is no file, or another line is no JSON
 */
export async function transportSamples(
  file: string,
  { fromByte, isWanted }: { fromByte: number; isWanted: (connection: number) => boolean },
): Promise<TransportSample[]> {
  const found: TransportSample[] = [];
  let torn: string | null = null;
  for await (const line of createInterface({ input: createReadStream(file, { start: fromByte }) })) {
    if (torn !== null) throw new Error(`${file} has no JSON in the line ${torn.slice(0, 80)}`);
    const sample = sampleIn(line);
    if (sample === null) torn = line;
    else if (isWanted(sample.connection)) found.push(sample);
  }
  return found;
}

function sampleIn(line: string): TransportSample | null {
  try {
    return JSON.parse(line) as TransportSample;
  } catch {
    return null;
  }
}
