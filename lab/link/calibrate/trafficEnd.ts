import { createSocket, type Socket as UdpSocket } from 'node:dgram';
import { readFileSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import type { Arrivals, Drunk, FlowOptions, Sent, Target, Traffic, TrafficCall } from './traffic.ts';

/** A process of its own inside a namespace: carries out each `Traffic` call that comes over IPC (`startTraffic`). */

const udpTraffic: Pick<Traffic, 'echo' | 'ping' | 'listen' | 'arrivals' | 'flow'> = {
  echo: async (port) => {
    const socket = await bindSocket(port);
    socket.on('message', (message, from) => socket.send(message, from.port, from.address));
  },
  ping,
  listen: async (port) => {
    const socket = await bindSocket(port);
    const taken = { socket, numbers: [] as number[], atMs: [] as number[], ipBytes: 0 };
    socket.on('message', (message) => {
      taken.numbers.push(message.readUInt32BE(0));
      taken.atMs.push(nowMs());
      taken.ipBytes = message.length + HEADER_BYTES;
    });
    listening.set(port, taken);
  },
  arrivals: async (port) => {
    const taken = listening.get(port);
    if (!taken) throw new Error(`nobody listens on port ${port}`);
    listening.delete(port);
    const { socket, ...arrivals } = taken;
    const socketDrops = dropsOf(port);
    socket.close();
    return { ...arrivals, socketDrops };
  },
  flow,
};

/** IPv4 without options, and UDP. */
const HEADER_BYTES = 28;
const PING_TIMEOUT_MS = 2000;
const PING_BYTES = 32;
/** Size of the receive buffer, as much as the kernel gives: a busy machine may not read for a while. */
const RECEIVE_BUFFER_BYTES = 4 << 20;
/** A pause of the machine longer than this is not made up for. */
const MAX_BEHIND_MS = 4;

const listening = new Map<number, Omit<Arrivals, 'socketDrops'> & { socket: UdpSocket }>();
const nowMs = (): number => Number(process.hrtime.bigint()) / 1e6;
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

async function bindSocket(port: number): Promise<UdpSocket> {
  const socket = createSocket({ type: 'udp4' });
  await new Promise<void>((resolve) => socket.bind(port, resolve));
  socket.setRecvBufferSize(RECEIVE_BUFFER_BYTES);
  return socket;
}

async function ping({ host, port, count, intervalMs }: Parameters<Traffic['ping']>[0]) {
  const socket = await bindSocket(0);
  const rttMs: (number | null)[] = Array.from({ length: count }, () => null);
  const sentAtMs: number[] = [];
  socket.on('message', (message) => {
    const number = message.readUInt32BE(0);
    rttMs[number] = nowMs() - (sentAtMs[number] ?? Number.NaN);
  });
  for (let number = 0; number < count; number += 1) {
    const message = Buffer.alloc(PING_BYTES);
    message.writeUInt32BE(number, 0);
    sentAtMs.push(nowMs());
    socket.send(message, port, host);
    await pause(intervalMs);
  }
  for (const endMs = nowMs() + PING_TIMEOUT_MS; nowMs() < endMs && rttMs.at(-1) === null;) await pause(10);
  socket.close();
  return rttMs;
}

async function flow({ host, port, kbps, ipBytes, count }: Target & FlowOptions): Promise<Sent> {
  const socket = await bindSocket(0);
  // A refusal of a late packet is no news here.
  socket.on('error', () => {});
  await new Promise<void>((resolve) => socket.connect(port, host, () => resolve()));
  const message = Buffer.alloc(ipBytes - HEADER_BYTES);
  const packetMs = (ipBytes * 8) / kbps;
  const atMs: number[] = [];
  let nextAtMs = nowMs();
  while (atMs.length < count) {
    nextAtMs = Math.max(nextAtMs, nowMs() - Math.max(MAX_BEHIND_MS, packetMs));
    for (; atMs.length < count && nextAtMs <= nowMs(); nextAtMs += packetMs) {
      // The socket copies nothing: each packet needs a buffer of its own until it is sent.
      const numbered = Buffer.from(message);
      numbered.writeUInt32BE(atMs.length, 0);
      socket.send(numbered);
      atMs.push(nowMs());
    }
    await pause(1);
  }
  socket.close();
  return { packets: atMs.length, atMs };
}

/** The last column of /proc/net/udp, in the line whose local address ends with the port (proc(5)). */
function dropsOf(port: number): number {
  const wanted = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  const lines = readFileSync('/proc/self/net/udp', 'utf8').split('\n');
  const fields = lines.map((line) => line.trim().split(/\s+/)).find((row) => row[1]?.endsWith(wanted));
  return Number(fields?.at(-1) ?? 0);
}

const tcpTraffic: Pick<Traffic, 'pour' | 'drink'> = {
  pour: (port) =>
    new Promise((resolve) => {
      createServer(keepSending).listen(port, '0.0.0.0', () => resolve());
    }),
  drink: ({ host, port, durationMs }) =>
    new Promise<Drunk>((resolve, reject) => {
      const atMs: number[] = [];
      const totalBytes: number[] = [];
      const socket = connect(port, host);
      socket.on('data', (chunk) => {
        atMs.push(Number(process.hrtime.bigint()) / 1e6);
        totalBytes.push((totalBytes.at(-1) ?? 0) + chunk.length);
      });
      socket.on('error', reject);
      setTimeout(() => {
        socket.destroy();
        resolve({ atMs, totalBytes });
      }, durationMs);
    }),
};

function keepSending(socket: Socket): void {
  const chunk = Buffer.alloc(64 * 1024);
  const send = (): void => {
    while (!socket.destroyed && socket.write(chunk));
  };
  socket.on('drain', send);
  // The reader leaves in the middle.
  socket.on('error', () => {});
  send();
}

const calls = { ...udpTraffic, ...tcpTraffic } as Readonly<
  Record<string, (argument: never) => Promise<unknown>>
>;

process.on('message', ({ id, name, argument }: TrafficCall) => {
  void (calls[name]?.(argument as never) ?? Promise.reject(new Error(`no call ${name}`))).then(
    (value) => process.send?.({ id, value }),
    (error: unknown) => process.send?.({ id, error: String(error) }),
  );
});
process.on('disconnect', () => process.exit());
