/** DNS messages by `dns-packet`, and the data of HTTPS records, which it does not know. */
import dnsPacket, { type Packet } from 'dns-packet';
import { randomInt } from 'node:crypto';
import { isIPv4 } from 'node:net';
import type { HttpsRecord, ZoneRecord } from './zone.ts';

/** A question that one message asks. */
export interface Question {
  readonly id: number;
  /** As it was asked, in capital letters too. */
  readonly name: string;
  /** `A`, `HTTPS`, …, or `UNKNOWN_` and a number. */
  readonly type: string;
  /** Whether the one who asks wants other servers to be asked, too; an answer repeats it. */
  readonly isRecursive: boolean;
  /** The longest answer over UDP, bytes; it is said in an answer where the question has said it (EDNS, RFC 6891). */
  readonly maxUdpBytes: number;
  readonly hasEdns: boolean;
}

/** Codes of a response (RFC 1035, section 4.1.1). */
const RCODES = { NOERROR: 0, FORMERR: 1, NXDOMAIN: 3, NOTIMP: 4 } as const;
export type Rcode = keyof typeof RCODES;

const HEADER_BYTES = 12;
/** Bits of a message's second word. */
const [RESPONSE, OPCODE, TRUNCATED, RECURSION_AVAILABLE] = [0x8000, 0x7800, 0x0200, 0x0080];
const { AUTHORITATIVE_ANSWER, RECURSION_DESIRED } = dnsPacket;
/** What is sent over UDP at most, whoever asks: no path makes fragments of it (RFC 9715). */
const MAX_UDP_BYTES = 1232;
const MIN_UDP_BYTES = 512;
/** Over TCP a message has its length in two bytes. */
export const MAX_TCP_BYTES = 0xffff;
/** `dns-packet` has no name for it. */
const HTTPS = 'UNKNOWN_65';
const TTL_SECONDS = 300;
const EDNS = { type: 'OPT', name: '.', udpPayloadSize: MAX_UDP_BYTES, flags: 0, options: [] };

/** Reads a question. A message that is none has an answer that refuses it, or none: null. */
export function readQuestion(data: Buffer): Question | { readonly refusal: Buffer | null } {
  if (data.length < HEADER_BYTES) return { refusal: null };
  const [id, flags] = [data.readUInt16BE(0), data.readUInt16BE(2)];
  // An answer to an answer would be answered again.
  if (flags & RESPONSE) return { refusal: null };
  const refuse = (rcode: Rcode): { refusal: Buffer } => ({
    refusal: dnsPacket.encode({ type: 'response', id, flags: RCODES[rcode] }),
  });
  if (flags & OPCODE) return refuse('NOTIMP');
  const packet = decode(data);
  const [question, ...others] = packet?.questions ?? [];
  if (!packet || !question || others.length > 0) return refuse('FORMERR');
  const maxBytes = ednsBytes(packet);
  return {
    id,
    name: question.name,
    type: (question.type as string) === HTTPS ? 'HTTPS' : question.type,
    isRecursive: (flags & RECURSION_DESIRED) !== 0,
    maxUdpBytes: Math.max(MIN_UDP_BYTES, Math.min(maxBytes ?? 0, MAX_UDP_BYTES)),
    hasEdns: maxBytes !== null,
  };
}

/** What a question says that it takes over UDP; null: nothing. */
function ednsBytes({ additionals = [] }: Packet): number | null {
  const edns = additionals.find((each) => each.type === 'OPT');
  return edns?.type === 'OPT' ? edns.udpPayloadSize : null;
}

/** null for bytes that are no message, a name that points to itself among them. */
function decode(data: Buffer): Packet | null {
  try {
    return dnsPacket.decode(data);
  } catch {
    return null;
  }
}

interface Answer {
  readonly rcode: Rcode;
  readonly records: readonly ZoneRecord[];
}

/** Writes an answer. One that would be longer than `maxBytes` has no records, and says so (RFC 2181, section 9). */
export function writeAnswer(question: Question, { rcode, records }: Answer, maxBytes: number): Buffer {
  const whole = write(question, records, RCODES[rcode]);
  return whole.length <= maxBytes ? whole : write(question, [], RCODES[rcode] | TRUNCATED);
}

function write(question: Question, records: readonly ZoneRecord[], flags: number): Buffer {
  const { id, name, type, isRecursive, hasEdns } = question;
  const packet = {
    type: 'response',
    id,
    flags: flags | AUTHORITATIVE_ANSWER | RECURSION_AVAILABLE | (isRecursive ? RECURSION_DESIRED : 0),
    questions: [{ name, type: type === 'HTTPS' ? HTTPS : type }],
    answers: records.map((record) => ({
      name: record.owner,
      type: record.type === 'HTTPS' ? HTTPS : record.type,
      ttl: TTL_SECONDS,
      data: record.type === 'HTTPS' ? httpsData(record.https) : record.address,
    })),
    additionals: hasEdns ? [EDNS] : [],
  };
  // Its types have no records of unknown types.
  return dnsPacket.encode(packet as unknown as Packet);
}

/** Data of an HTTPS record (RFC 9460, section 2.2): parameters in the order of their numbers. */
export function httpsData(record: HttpsRecord & { readonly target: string }): Buffer {
  const { priority, target, alpn, noDefaultAlpn = false, port, hints = [] } = record;
  const parameters: readonly (readonly Buffer[] | null)[] = [
    null,
    alpn ? alpn.map(withLength) : null,
    noDefaultAlpn ? [] : null,
    port === undefined ? null : [short(port)],
    addresses(hints.filter(isIPv4)),
    null,
    addresses(hints.filter((each) => !isIPv4(each))),
  ];
  return Buffer.concat([
    short(priority),
    ...labels(target).map(withLength),
    Buffer.alloc(1),
    ...parameters.flatMap((parts, key) => {
      const value = parts && Buffer.concat(parts);
      return value ? [short(key), short(value.length), value] : [];
    }),
  ]);
}

function short(value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16BE(value);
  return bytes;
}

const withLength = (text: string): Buffer => Buffer.from([Buffer.byteLength(text), ...Buffer.from(text)]);

const labels = (name: string): string[] => name.split('.').filter((label) => label !== '');

const addresses = (hints: readonly string[]): Buffer[] | null =>
  hints.length === 0 ? null : hints.map(addressBytes);

/** An address as an A or AAAA record has it, after its length. The types of `dns-packet` lack both. */
const addressBytes = (address: string): Buffer => (isIPv4(address) ? a : aaaa).encode(address).subarray(2);

const { a, aaaa } = dnsPacket as unknown as Record<'a' | 'aaaa', { encode(address: string): Buffer }>;

/** Asks for the HTTPS records of a name, by a resolver that asks other servers. */
export function writeHttpsQuestion(name: string): Buffer {
  const packet = {
    type: 'query',
    id: randomInt(0x10000),
    flags: RECURSION_DESIRED,
    questions: [{ name, type: HTTPS }],
    additionals: [EDNS],
  };
  return dnsPacket.encode(packet as unknown as Packet);
}

/** What an HTTPS record says. A service has the target '' where it is at the name itself. */
export interface ReadHttpsRecord {
  readonly priority: number;
  readonly target: string;
  readonly alpn: readonly string[];
  readonly port: number | null;
}

/** Reads the HTTPS records of an answer. @throws Error when it is a failure, or cannot be read */
export function readHttpsRecords(reply: Buffer): ReadHttpsRecord[] {
  const code = reply[3]! & 0xf;
  if (code === RCODES.NXDOMAIN) return [];
  if (code !== 0) throw new Error(`it answers with the error ${code} (RFC 1035, section 4.1.1)`);
  try {
    const answers = (dnsPacket.decode(reply).answers ?? []) as readonly { type: string; data: unknown }[];
    return answers.flatMap(({ type, data }) => (type === HTTPS ? [readHttps(data as Buffer)] : []));
  } catch {
    throw new Error('its answer cannot be read');
  }
}

/** RFC 9460, sections 2.2 and 14.3.2. @throws RangeError where the data ends early */
function readHttps(data: Buffer): ReadHttpsRecord {
  let at = 2;
  const take = (length: number): Buffer => {
    if (at + length > data.length) throw new RangeError();
    return data.subarray(at, (at += length));
  };
  const target: string[] = [];
  for (let length = take(1)[0]!; length > 0; length = take(1)[0]!)
    target.push(take(length).toString('latin1'));
  const alpn: string[] = [];
  let port: number | null = null;
  while (at < data.length) {
    const [key, length] = [take(2).readUInt16BE(), take(2).readUInt16BE()];
    const end = at + length;
    if (key === 1) while (at < end) alpn.push(take(take(1)[0]!).toString('latin1'));
    if (key === 3) port = take(2).readUInt16BE();
    take(end - at);
  }
  return { priority: data.readUInt16BE(0), target: target.join('.'), alpn, port };
}
