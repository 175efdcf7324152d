import { spawn } from 'node:child_process';
import { appendFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { enterNamespace, type Command } from '../namespaces.ts';
import { MAX_TCP_BYTES, readQuestion, writeAnswer, type Question, type Rcode } from './message.ts';
import { answerFrom, faultOfZone, formatRecord, type HostScript } from './zone.ts';

/** A DNS server that answers from a script, over UDP and TCP. */
export interface Resolver {
  readonly udpPort: number;
  readonly tcpPort: number;
  /** Questions so far, in the order of their answers. One without an answer stands where it came. */
  questions(): readonly LoggedQuestion[];
  /** Settles with one sentence when it ends before `stop`, or cannot answer or log a question. */
  readonly failed: Promise<string>;
  stop(): Promise<void>;
}

/** A question, as `ResolverOptions.logFile` has it too, one JSON line each. */
export interface LoggedQuestion {
  readonly askedAtUnixMs: number;
  /** When the answer was sent; null: the script has none. */
  readonly answeredAtUnixMs: number | null;
  readonly via: 'udp' | 'tcp';
  readonly name: string;
  readonly type: string;
  readonly rcode: Rcode;
  /** Records of the answer as zone files have them, without their owners. */
  readonly records: readonly string[];
}

interface ResolverOptions {
  readonly zone: readonly HostScript[];
  /** Default: 127.0.0.1. */
  readonly address?: string;
  /** Default: a free one for UDP, and one for TCP. */
  readonly port?: number;
  /** Linux network namespace to listen in; our own if not given. */
  readonly namespace?: string;
  /** Where each question goes; absent: nowhere. */
  readonly logFile?: string;
}

/**
 * How long an address waits for the question about HTTPS records of the same host. Browsers ask for both at once, and one
 * that has the address alone may begin without the record.
 */
const ADDRESS_WAITS_MS = 200;

/**
 * Starts a resolver and resolves when it listens. It ends with us.
 * @throws Error with one sentence where its script cannot be said, or it cannot listen
 */
export async function startResolver(options: ResolverOptions): Promise<Resolver> {
  const { zone, logFile } = options;
  const fault = faultOfZone(zone);
  if (fault !== null) throw new Error(fault);
  const logged: LoggedQuestion[] = [];
  const said = httpsAnswers();
  return {
    ...(await openDoor(options, async ({ via, data }, send) => {
      const question = readQuestion(data);
      if ('refusal' in question) return void (question.refusal && send(question.refusal));
      const line = await answer(question, { zone, said, via, send });
      logged.push(line);
      if (logFile !== undefined) appendFileSync(logFile, `${JSON.stringify(line)}\n`);
    })),
    questions: () => logged,
  };
}

interface Answering extends Pick<ResolverOptions, 'zone'> {
  readonly said: HttpsAnswers;
  readonly via: LoggedQuestion['via'];
  send(data: Buffer): void;
}

async function answer(question: Question, { zone, said, via, send }: Answering): Promise<LoggedQuestion> {
  const askedAtUnixMs = Date.now();
  const { name, type, maxUdpBytes } = question;
  const { host, records, waitMs, isAfterHttps } = answerFrom(zone, question);
  const rcode = host === null ? 'NXDOMAIN' : 'NOERROR';
  const about = { askedAtUnixMs, via, name, type, rcode, records: records.map(formatRecord) } as const;
  if (waitMs === null) return { ...about, answeredAtUnixMs: null };
  if (waitMs > 0) await pause(waitMs);
  if (isAfterHttps && host !== null)
    await Promise.race([said.about(host, askedAtUnixMs), pause(ADDRESS_WAITS_MS)]);
  send(writeAnswer(question, { rcode, records }, via === 'udp' ? maxUdpBytes : MAX_TCP_BYTES));
  if (type === 'HTTPS' && host !== null) said.note(host);
  return { ...about, answeredAtUnixMs: Date.now() };
}

/** Answers about HTTPS records that were sent, by host. */
interface HttpsAnswers {
  note(host: string): void;
  /** Resolves when one has been sent that belongs to the question for an address at a moment: just before it, or later. */
  about(host: string, askedAtUnixMs: number): Promise<void>;
}

function httpsAnswers(): HttpsAnswers {
  const sentAtUnixMs = new Map<string, number>();
  const waiting = new Map<string, (() => void)[]>();
  return {
    note(host) {
      sentAtUnixMs.set(host, Date.now());
      for (const go of waiting.get(host) ?? []) go();
      waiting.delete(host);
    },
    about: (host, askedAtUnixMs) =>
      new Promise((go) => {
        if (askedAtUnixMs - (sentAtUnixMs.get(host) ?? 0) < ADDRESS_WAITS_MS) go();
        else waiting.set(host, [...(waiting.get(host) ?? []), go]);
      }),
  };
}

/** A message as the process in the namespace passes it on. */
interface Passed {
  readonly via: LoggedQuestion['via'];
  /** Number of the TCP connection, or address and port over UDP. */
  readonly peer: string;
  readonly base64: string;
}

type Received = { readonly via: LoggedQuestion['via']; readonly data: Buffer };

/** Opens both sockets, where a process takes messages and passes them on to us. @throws Error when it cannot */
async function openDoor(
  { address = '127.0.0.1', port = 0, namespace }: ResolverOptions,
  hear: (received: Received, send: (data: Buffer) => void) => Promise<void>,
): Promise<Omit<Resolver, 'questions'>> {
  const inside: Command = [process.execPath, '-e', DOOR, address, String(port)];
  const [program, ...args] = namespace === undefined ? inside : enterNamespace(namespace, ...inside);
  const door = spawn(program, args, { stdio: ['ignore', 'ignore', 'pipe', 'ipc'] });
  const ports = await new Promise<readonly [number, number]>((resolve, reject) => {
    let complaint = '';
    door.stderr!.on('data', (text) => (complaint += String(text)));
    door.once('message', (message) => resolve(message as [number, number]));
    door.on('error', reject);
    door.once('close', () => {
      const why = /Error: (.*)/.exec(complaint)?.[1] ?? complaint.trim();
      reject(new Error(`The resolver cannot listen on ${address}: ${why}.`));
    });
  });
  const gone = new Promise((resolve) => door.once('exit', resolve));
  const failed = new Promise<string>((fail) => {
    void gone.then(() => door.killed || fail('The DNS server of the lab ended.'));
    door.on('message', ({ via, peer, base64 }: Passed) => {
      const send = (data: Buffer): void =>
        void (door.connected && door.send({ via, peer, base64: data.toString('base64') }));
      hear({ via, data: Buffer.from(base64, 'base64') }, send).catch((error: Error) =>
        fail(`The DNS server of the lab failed: ${error.message}.`),
      );
    });
  });
  const stop = async (): Promise<void> => {
    door.kill('SIGKILL');
    await gone;
  };
  return { udpPort: ports[0], tcpPort: ports[1], failed, stop };
}

/** Ends with us: our end of the channel closes. */
const DOOR = `
const [address, port] = process.argv.slice(1);
const udp = require('node:dgram').createSocket('udp4');
const connections = new Map();
let count = 0;
const pass = (via, peer, data) => process.send({ via, peer, base64: data.toString('base64') });
const tcp = require('node:net').createServer((socket) => {
  const peer = String(count += 1);
  connections.set(peer, socket);
  let rest = Buffer.alloc(0);
  const end = () => rest.length < 2 ? Infinity : 2 + rest.readUInt16BE(0);
  socket.on('data', (data) => {
    for (rest = Buffer.concat([rest, data]); rest.length >= end(); rest = rest.subarray(end()))
      pass('tcp', peer, rest.subarray(2, end()));
  });
  socket.setTimeout(30000, () => socket.destroy());
  socket.on('error', () => socket.destroy()).on('close', () => connections.delete(peer));
});
udp.on('message', (data, from) => pass('udp', from.address + ' ' + from.port, data));
process.on('message', ({ via, peer, base64 }) => {
  const data = Buffer.from(base64, 'base64');
  if (via === 'udp') return udp.send(data, Number(peer.split(' ')[1]), peer.split(' ')[0], () => {});
  connections.get(peer)?.write(Buffer.concat([Buffer.from([data.length >> 8, data.length & 255]), data]));
});
process.on('disconnect', () => process.exit());
// A callback of bind() takes errors for itself.
udp.on('error', (error) => { throw error; });
udp.bind(Number(port), address, () =>
  tcp.listen(Number(port), address, () => process.send([udp.address().port, tcp.address().port])));`;
