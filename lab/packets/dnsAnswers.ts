/** DNS answers about h3 (RFC 9460): HTTPS records whose ALPN has it. */

const HEADER_BYTES = 12;
const IS_ANSWER = 0x8000;
const HTTPS = 65;
const ALPN_KEY = 1;
/** A name has at most 127 labels; pointers of a hostile one lead in circles. */
const MAX_LABELS = 127;

/** Returns the hosts for which a DNS message says that they have h3. */
export function hostsWithH3(message: Buffer): string[] {
  try {
    return answersIn(message);
  } catch (error) {
    // Not whole, or no DNS: a length in it points behind its end.
    if (error instanceof RangeError) return [];
    throw error;
  }
}

function answersIn(message: Buffer): string[] {
  if ((message.readUInt16BE(2) & IS_ANSWER) === 0) return [];
  const [questions, answers] = [message.readUInt16BE(4), message.readUInt16BE(6)];
  let at = HEADER_BYTES;
  for (let count = 0; count < questions; count += 1) at = readName(message, at).end + 4;
  const hosts: string[] = [];
  for (let count = 0; count < answers; count += 1) {
    const { name, end } = readName(message, at);
    const kind = message.readUInt16BE(end);
    const from = end + 10;
    at = from + message.readUInt16BE(end + 8);
    if (kind === HTTPS && offersH3(message.subarray(from, at))) hosts.push(hostOf(name));
  }
  return hosts;
}

/** A name for another port than 443 is `_8443._https.host` (RFC 9460 §2.3). */
const hostOf = (name: string): string => name.replace(/^_\d+\._https\./, '');

function offersH3(record: Buffer): boolean {
  for (let at = readName(record, 2).end; at + 4 <= record.length; at += 4 + record.readUInt16BE(at + 2)) {
    if (record.readUInt16BE(at) !== ALPN_KEY) continue;
    const list = record.subarray(at + 4, at + 4 + record.readUInt16BE(at + 2));
    for (let place = 0; place < list.length; place += 1 + list[place]!)
      if (list.subarray(place + 1, place + 1 + list[place]!).toString('latin1') === 'h3') return true;
  }
  return false;
}

/** Reads a name that may go on elsewhere in the message (RFC 1035 §4.1.4); `end`: behind it, where it stands. */
function readName(message: Buffer, from: number): { readonly name: string; readonly end: number } {
  const labels: string[] = [];
  let [at, end] = [from, -1];
  while (labels.length <= MAX_LABELS) {
    const length = message.readUInt8(at);
    if (length >= 0xc0) {
      if (end < 0) end = at + 2;
      const to = message.readUInt16BE(at) & 0x3fff;
      // Only backwards, so that it comes to an end.
      if (to >= at) throw new RangeError('a pointer of a name leads forwards');
      at = to;
    } else if (length === 0) return { name: labels.join('.').toLowerCase(), end: end < 0 ? at + 1 : end };
    else {
      labels.push(message.toString('latin1', at + 1, at + 1 + length));
      at += 1 + length;
    }
  }
  throw new RangeError('a name has too many labels');
}
