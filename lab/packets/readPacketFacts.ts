import { readPackets } from '../../node/capturePackets.ts';
import type { PacketFacts } from '../../src/telemetry/packets/packetFacts.ts';
import { createAttempts, MAX_ATTEMPTS } from './createAttempts.ts';

/** Reads what a capture file (pcap, pcapng), of any size, tells about connections. @throws Error in one sentence that names the file */
export async function readPacketFacts(
  file: string,
): Promise<PacketFacts & { /** Sentences about what was left out. */ readonly notes: readonly string[] }> {
  const attempts = createAttempts();
  let [from, to] = [Infinity, -Infinity];
  const { notes, lacking } = await readPackets(file, (packet, { atUnixMs }) => {
    [from, to] = [Math.min(from, atUnixMs), Math.max(to, atUnixMs)];
    attempts.add(atUnixMs, packet);
  }).catch((error: unknown) => {
    if (!(error instanceof RangeError)) throw error;
    throw new Error(
      `${file}: It has more than ${MAX_ATTEMPTS} attempts to connect; cut it into parts (editcap -c).`,
      { cause: error },
    );
  });
  const found = attempts.end();
  return {
    attempts: found.attempts,
    h3ByDns: found.h3ByDns,
    spanUnixMs: from <= to ? { from, to } : null,
    lacking: [...lacking, ...found.lacking],
    notes,
  };
}
