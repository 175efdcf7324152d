import { randomInt } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { getServers } from 'node:dns';
import { isIP } from 'node:net';
import type { HttpsRecord } from '../../src/doctor/evidence.ts';

/** RFC 9460, section 14.1. Node's resolver does not know the type. */
const TYPE_HTTPS = 65;
const CLASS_IN = 1;
const TYPE_OPT = 41;
/** What a resolver may send at once (RFC 9715 advises 1232). */
const MAX_REPLY_BYTES = 1232;
/** SvcParamKeys, RFC 9460, section 14.3.2. */
const KEY_ALPN = 1;
const KEY_PORT = 3;

const PATIENCE_MS = 1500;
const TRIES = 2;

/** Finds the HTTPS records of a server by one small question to a resolver. @throws Error with the reason */
export async function httpsRecordsOf(
  origin: string,
  resolver: string = getServers()[0] ?? '',
): Promise<HttpsRecord[]> {
  const { hostname, port } = new URL(origin);
  if (isIP(hostname.replace(/^\[|\]$/g, '')) !== 0 || /(^|\.)localhost$/.test(hostname)) return [];
  if (resolver === '') throw new Error('the system names no resolver');
  // RFC 9460, section 9.1.
  const name = port === '' ? hostname : `_${port}._https.${hostname}`;
  for (let tries = 1; ; tries += 1)
    try {
      return readReply(await askResolver(questionFor(name), addressOf(resolver)));
    } catch (error) {
      if (tries === TRIES) throw new Error(`the resolver ${resolver}: ${(error as Error).message}`);
    }
}

/** Splits `1.1.1.1:5353` or `[::1]:5353`; port 53 where none is named. */
function addressOf(resolver: string): { host: string; port: number } {
  const [, host = resolver, port = '53'] =
    /^\[(.*)\](?::(\d+))?$/.exec(resolver) ?? /^([^:]*)(?::(\d+))?$/.exec(resolver) ?? [];
  return { host, port: Number(port) };
}

/** RFC 1035, section 4.1; with the buffer of RFC 6891. */
function questionFor(name: string): Buffer {
  const labels = name
    .split('.')
    .flatMap((label) => [Buffer.from([label.length]), Buffer.from(label, 'latin1')]);
  const head = Buffer.alloc(12);
  head.writeUInt16BE(randomInt(0x10000), 0);
  // Recursion desired; one question, one additional record.
  head.writeUInt16BE(0x0100, 2);
  head.writeUInt16BE(1, 4);
  head.writeUInt16BE(1, 10);
  const asked = Buffer.from([0, 0, TYPE_HTTPS, 0, CLASS_IN]);
  const options = Buffer.from([
    0,
    0,
    TYPE_OPT,
    MAX_REPLY_BYTES >> 8,
    MAX_REPLY_BYTES & 0xff,
    0,
    0,
    0,
    0,
    0,
    0,
  ]);
  return Buffer.concat([head, ...labels, asked, options]);
}

function askResolver(question: Buffer, { host, port }: { host: string; port: number }): Promise<Buffer> {
  const socket = createSocket(isIP(host) === 6 ? 'udp6' : 'udp4');
  let timer: NodeJS.Timeout | undefined;
  return new Promise<Buffer>((resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${PATIENCE_MS} ms`)), PATIENCE_MS);
    socket.on('message', (reply) => {
      // What somebody else sends has another id.
      if (reply.length < 12 || reply.readUInt16BE(0) !== question.readUInt16BE(0)) return;
      resolve(reply);
    });
    socket.on('error', reject);
    // Connected, so that a port where nobody listens is an error at once.
    socket.connect(port, host, () => socket.send(question));
  }).finally(() => {
    clearTimeout(timer);
    socket.close();
  });
}

const NAME_ERROR = 3;

/** @throws Error when the reply is a failure, or no reply that can be read */
export function readReply(reply: Buffer): HttpsRecord[] {
  const code = reply[3]! & 0xf;
  if (code === NAME_ERROR) return [];
  if (code !== 0) throw new Error(`it answers with the error ${code} (RFC 1035, section 4.1.1)`);
  try {
    let at = 12;
    for (let left = reply.readUInt16BE(4); left > 0; left -= 1) at = afterName(reply, at) + 4;
    const records: HttpsRecord[] = [];
    for (let left = reply.readUInt16BE(6); left > 0; left -= 1) {
      const head = afterName(reply, at);
      const data = reply.subarray(head + 10, head + 10 + reply.readUInt16BE(head + 8));
      if (reply.readUInt16BE(head) === TYPE_HTTPS) records.push(readRecord(data));
      at = head + 10 + data.length;
    }
    return records;
  } catch {
    throw new Error('its answer cannot be read');
  }
}

/** Skips a name, which may end in a pointer (RFC 1035, section 4.1.4). */
function afterName(reply: Buffer, from: number): number {
  let at = from;
  for (let length = reply.readUInt8(at); length > 0; length = reply.readUInt8(at)) {
    if (length >= 0xc0) return at + 2;
    at += 1 + length;
  }
  return at + 1;
}

/** RFC 9460, section 2.2. */
function readRecord(data: Buffer): HttpsRecord {
  const labels: string[] = [];
  let at = 2;
  for (let length = data.readUInt8(at); length > 0; length = data.readUInt8(at)) {
    labels.push(data.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  at += 1;
  let [alpn, port]: [string[], number | null] = [[], null];
  while (at + 4 <= data.length) {
    const value = data.subarray(at + 4, at + 4 + data.readUInt16BE(at + 2));
    if (data.readUInt16BE(at) === KEY_ALPN) alpn = readStrings(value);
    if (data.readUInt16BE(at) === KEY_PORT) port = value.readUInt16BE(0);
    at += 4 + value.length;
  }
  return { priority: data.readUInt16BE(0), target: labels.join('.'), alpn, port };
}

function readStrings(value: Buffer): string[] {
  const strings: string[] = [];
  for (let at = 0; at < value.length; at += 1 + value[at]!)
    strings.push(value.toString('latin1', at + 1, at + 1 + value[at]!));
  return strings;
}
