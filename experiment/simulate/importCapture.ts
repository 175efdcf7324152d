import path from 'node:path';
import { readPackets } from '../../node/capturePackets.ts';
import {
  createFlowRates,
  type Idle,
  MAX_COPY_MS,
  MAX_INTERVALS,
  type Sender,
  tracePieces,
} from '../../src/network/capture/flowRates.ts';
import { formatCount, formatInteger, formatSize } from '../../src/shared/format.ts';

interface CaptureOptions {
  readonly intervalMs: number;
  /** Addresses of the servers; empty: whoever sent most. */
  readonly addresses: readonly string[];
}

/** Contents of a capture. */
interface ReadCapture {
  /** Senders by their bytes, most first. */
  readonly senders: readonly Sender[];
  readonly packets: number;
  /** Sentences about what was left out. */
  readonly notes: readonly string[];
}

/** Reads a capture file, of any size, once. @throws Error in one sentence that names the file */
export async function readCapture(
  file: string,
  { intervalMs, addresses }: CaptureOptions,
): Promise<ReadCapture> {
  const rates = createFlowRates(intervalMs, addresses);
  try {
    const { packets, notes, lacking } = await readPackets(file, (packet, { atUnixMs, number }) => {
      const backMs = rates.add(atUnixMs, packet);
      // Nobody knows where its packets belong.
      if (backMs > MAX_REORDER_MS)
        throw new Error(
          `${file}: At packet ${formatInteger(number)} the time goes back by ${(backMs / 1000).toFixed(1)} s between the same two addresses. If the clock was set back, cut the file there (editcap -r); if it was made of several files, put it in order (reordercap).`,
        );
    });
    const senders = rates.senders();
    return {
      senders,
      packets,
      notes: [
        ...lacking.map((sentence) => `${file}: ${sentence}`),
        ...notes,
        ...formatRepeated(file, senders),
        ...formatCopied(file, senders),
      ],
    };
  } catch (error) {
    if (error instanceof RangeError)
      throw new Error(
        `${file}: It spans more than ${MAX_INTERVALS} intervals of ${intervalMs} ms; give a longer --interval.`,
        { cause: error },
      );
    throw error;
  }
}

function formatCopied(file: string, senders: readonly Sender[]): string[] {
  const copied = senders.reduce((sum, { copiedPackets }) => sum + copiedPackets, 0);
  if (copied === 0) return [];
  const came = copied === 1 ? 'came again: it counts' : 'came again: each counts';
  return [
    `${file}: Within ${MAX_COPY_MS} ms ${formatCount(copied, 'packet')} ${came} once. Mirror ports (SPAN) show such copies.`,
  ];
}

function formatRepeated(file: string, senders: readonly Sender[]): string[] {
  const repeated = senders.reduce((sum, { repeatedPackets }) => sum + repeatedPackets, 0);
  if (repeated === 0) return [];
  const left = `${formatCount(repeated, 'packet')} of the others ${repeated === 1 ? 'is' : 'are'} left out`;
  return [
    `${file}: Several interfaces saw the same flows, as on "any" behind a bridge: of each flow the interface with most bytes counts, and ${left}.`,
  ];
}

/** Maximum time by which packets may swap their places, ms; a clock that is set goes back further. */
const MAX_REORDER_MS = 100;

interface ImportOptions extends CaptureOptions {
  readonly idle: Idle;
  /** Round-trip time that is assumed, ms; null: the trace has none. */
  readonly rttMs: number | null;
}

interface ImportedTrace {
  /** The text of a file, `pitwall-trace/1`. */
  readonly text: string;
  /** What was chosen and what was assumed, a sentence each. */
  readonly notes: readonly string[];
}

/** Makes a trace of what a server sent in a capture. @throws Error in one sentence that names the file */
export async function importCapture(file: string, options: ImportOptions): Promise<ImportedTrace> {
  const { senders, packets, notes } = await readCapture(file, options);
  const [sender] = senders;
  if (!sender) throw new Error(formatNothing(file, options, { packets, notes }));
  const bytesByInterval = sender.bytesByInterval();
  const pieces = tracePieces(bytesByInterval, options);
  const idlePieces = bytesByInterval.slice(0, pieces.length).filter((bytes) => bytes === 0).length;
  const about = formatSender(sender);
  const name = path.basename(file);
  const source = `Imported from ${name}: what came from ${about}; first packet at ${new Date(sender.firstUnixMs).toISOString()}. ${SEEN}`;
  return {
    text: `${JSON.stringify({ schema: 'pitwall-trace/1', source, pieces }, null, 1)}\n`,
    notes: [
      ...notes,
      `${file}: ${about}.`,
      ...(options.addresses.length === 0 && senders.length > 1
        ? [`It is the sender of most bytes; --list shows all ${senders.length}, and --address names another.`]
        : []),
      `${formatCount(pieces.length, 'piece')} of ${options.intervalMs} ms; rates count whole IP packets.`,
      ...(idlePieces > 0 ? [formatIdle(idlePieces, pieces.length, options.idle)] : []),
      SEEN,
    ],
  };
}

/** Sentence on what every import assumes. */
const SEEN =
  'The rate is what was seen, not what the path could carry: where the sender had nothing to send, the path may have carried more.';

function formatIdle(idle: number, all: number, how: Idle): string {
  const count = `In ${idle} of ${formatCount(all, 'piece')} nothing came: `;
  return how === 'hold'
    ? `${count}they have the rate of the piece before, which hides an outage.`
    : `${count}their rate is 0, an outage to whoever plays the trace; --idle hold keeps the rate before.`;
}

/** Formats a sender: `10.0.0.1 to 10.0.0.2: 1,200 packets, 1.2 MB over TCP and 3.4 MB over UDP, 2 flows, 61.2 s`. */
function formatSender({ name, packets, flows, ...sender }: Sender): string {
  const { tcpBytes, udpBytes, ipBytes, firstUnixMs, lastUnixMs } = sender;
  const transports = [
    ...(tcpBytes > 0 ? [`${formatSize(tcpBytes)} over TCP`] : []),
    ...(udpBytes > 0 ? [`${formatSize(udpBytes)} over UDP`] : []),
  ];
  const carried = transports.length > 0 ? transports.join(' and ') : formatSize(ipBytes);
  const seconds = ((lastUnixMs - firstUnixMs) / 1000).toFixed(1);
  return `${name}: ${formatCount(packets, 'packet')}, ${carried}, ${formatCount(flows, 'flow')}, ${seconds} s`;
}

function formatNothing(
  file: string,
  { addresses }: ImportOptions,
  { packets, notes }: Pick<ReadCapture, 'packets' | 'notes'>,
): string {
  if (packets === 0) return `${file}: It has no packet.`;
  if (addresses.length > 0)
    return `${file}: None of its ${formatCount(packets, 'packet')} comes from ${addresses.join(', ')}; --list shows who sent.`;
  return [`${file}: None of its ${formatCount(packets, 'packet')} has an IP header.`, ...notes].join(' ');
}
