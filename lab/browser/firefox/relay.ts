import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import type { LaunchOptions } from '../browser.ts';

/** A port of this machine's loopback that leads to the same port of the loopback in a namespace. */
interface Relay {
  readonly port: number;
  /** Closes the port and its connections. */
  close(): void;
}

/** Runs in the namespace, for one connection: standard input and output are its two directions. */
const INSIDE = `
const socket = require('node:net').connect(Number(process.argv[1]), '127.0.0.1');
process.stdin.pipe(socket).pipe(process.stdout);
for (const end of ['error', 'close']) socket.on(end, () => process.exit());
`;

/**
 * Opens a port to the loopback that `enter` leads to. Nothing crosses the network between the two: each connection has a process
 * in the namespace, and pipes to it.
 */
export async function openRelay(enter: NonNullable<LaunchOptions['enter']>): Promise<Relay> {
  const children = new Set<ChildProcess>();
  const server = createServer((socket) => {
    const child = connectInside(socket, enter, (server.address() as AddressInfo).port);
    children.add(child);
    child.once('close', () => children.delete(child));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    close() {
      server.close();
      for (const child of children) child.kill();
    },
  };
}

function connectInside(
  socket: Socket,
  enter: NonNullable<LaunchOptions['enter']>,
  port: number,
): ChildProcess {
  const [program, ...args] = enter([process.execPath, '-e', INSIDE, String(port)]);
  const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'ignore'] });
  socket.pipe(child.stdin);
  child.stdout.pipe(socket);
  socket.on('error', () => child.kill()).on('close', () => child.kill());
  child.stdin.on('error', () => socket.destroy());
  child.on('error', () => socket.destroy()).on('close', () => socket.destroy());
  return child;
}
