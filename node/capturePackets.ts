import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { CaptureFault, createCaptureReader } from '../src/network/capture/captureReader.ts';
import { ipPacketOf, isKnownLinkType, type IpPacket } from '../src/network/capture/ipPacket.ts';
import { formatCount } from '../src/shared/format.ts';
import { formatFileError } from './files.ts';

/** What a capture has besides its packets. */
interface CaptureSummary {
  /** Count of all packets, with those that carry no IP. */
  readonly packets: number;
  /** Sentences about what was left out. */
  readonly notes: readonly string[];
  /** Why packets are missing, a sentence each, without the name of the file. */
  readonly lacking: readonly string[];
}

/** Takes a packet; `number` counts all packets of the file from 1. */
type OnPacket = (packet: IpPacket, seen: { readonly atUnixMs: number; readonly number: number }) => void;

/** Reads a capture file of any size (pcap, pcapng) once, in pieces. @throws Error in one sentence that names the file */
export async function readPackets(file: string, onPacket: OnPacket): Promise<CaptureSummary> {
  const entry = await stat(file).catch((error: unknown) => {
    throw new Error(formatFileError(file, error));
  });
  if (entry.isDirectory()) throw new Error(`${file}: It is a folder, not a file.`);
  try {
    return await readPieces(file, onPacket);
  } catch (error) {
    if (error instanceof CaptureFault)
      throw new Error(`${file}, byte ${error.atByte}: ${error.message}`, { cause: error });
    throw error;
  }
}

const PIECE_BYTES = 1 << 20;

async function readPieces(file: string, onPacket: OnPacket): Promise<CaptureSummary> {
  const reader = createCaptureReader();
  const unknownLinks = new Map<number, number>();
  let packets = 0;
  for await (const piece of createReadStream(file, { highWaterMark: PIECE_BYTES }))
    for (const captured of reader.push(piece as Uint8Array)) {
      packets += 1;
      const { linkType, atUnixMs } = captured;
      if (!isKnownLinkType(linkType)) unknownLinks.set(linkType, (unknownLinks.get(linkType) ?? 0) + 1);
      const packet = ipPacketOf(captured);
      if (packet) onPacket(packet, { atUnixMs, number: packets });
    }
  const { leftBytes, lostPackets } = reader.end();
  return {
    packets,
    notes: formatUnknownLinks(file, unknownLinks),
    lacking: [
      ...(leftBytes > 0 ? ['The last packet is cut off; it is left out.'] : []),
      ...(lostPackets
        ? [`It lacks ${formatCount(lostPackets, 'packet')}, says the program that captured.`]
        : []),
    ],
  };
}

/** Names of link types that people capture by mistake: Wi-Fi with and without its radio's header, USB. */
const LINK_NAMES: Readonly<Record<number, string>> = {
  105: 'IEEE 802.11',
  127: 'radiotap (IEEE 802.11)',
  189: 'USB',
  220: 'USB',
};

const formatUnknownLinks = (file: string, found: ReadonlyMap<number, number>): string[] =>
  [...found].map(
    ([linkType, count]) =>
      `${file}: ${formatCount(count, 'packet')} of link type ${linkType}${linkType in LINK_NAMES ? `, ${LINK_NAMES[linkType]}` : ''}, cannot be read: capture at the network card (Ethernet) or on "any".`,
  );
