import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import type { AddressInfo, Server } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { enterNamespace } from '../namespaces.ts';

/** Where one of our servers listens. */
interface Listening {
  /** On 127.0.0.1. */
  readonly port: number;
  /** Removes what the way to it needed; the server is closed by whoever has it. */
  leave(): Promise<void>;
}

/**
 * Lets a server listen on loopback, in our own network namespace or in another: there a process takes connections and passes
 * them on through a socket file, which namespaces do not keep apart. @throws Error when that process does not start
 */
export async function listening(server: Server, namespace: string | undefined): Promise<Listening> {
  if (namespace === undefined) {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return { port: (server.address() as AddressInfo).port, leave: () => Promise.resolve() };
  }
  const folder = await mkdtemp(path.join(tmpdir(), 'pitwall-live-'));
  const socketFile = path.join(folder, 'socket');
  await new Promise<void>((resolve) => server.listen(socketFile, resolve));
  const [program, ...args] = enterNamespace(namespace, process.execPath, '-e', DOORMAN, socketFile);
  const doorman = spawn(program, args, {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const leave = async (): Promise<void> => {
    doorman.kill('SIGKILL');
    await rm(folder, { recursive: true, force: true });
  };
  try {
    const port = await new Promise<number>((resolve, reject) => {
      doorman.stdout.once('data', (text: Buffer) => resolve(Number(text)));
      doorman.once('error', reject);
      doorman.once('exit', () => reject(new Error(`Nothing listens in the namespace ${namespace}.`)));
    });
    return { port, leave };
  } catch (error) {
    await leave();
    server.close();
    throw error;
  }
}

/** Ends with us: our end of its input closes. */
const DOORMAN = `
const { connect, createServer } = require('node:net');
const { pipeline } = require('node:stream');
const [file] = process.argv.slice(1);
const server = createServer((socket) => {
  pipeline(socket, connect(file), socket, () => {});
});
server.listen(0, '127.0.0.1', () => process.stdout.write(String(server.address().port)));
process.stdin.resume().on('end', () => process.exit());`;
