import { spawn } from 'node:child_process';
import path from 'node:path';
import { enterNamespace } from '../../namespaces.ts';
import type { LinkEnd } from '../linkEnd.ts';
import type { Link } from '../link.ts';
import type { BothWays } from './calibrationCase.ts';

/**
 * What a process inside a namespace can send, receive and tell. Times are ms of the kernel's monotonic clock, which all
 * processes of a machine share. Sizes are IP packets: payload and 28 bytes of IP and UDP header.
 */
export interface Traffic {
  /** Answers every UDP packet on a port. */
  echo(port: number): Promise<void>;
  /** Round trips of small packets to `echo`, one after the other; a lost one is null. */
  ping(options: Target & { readonly count: number; readonly intervalMs: number }): Promise<(number | null)[]>;
  /** Begins to take down what `flow` sends to a port. */
  listen(port: number): Promise<void>;
  /** What came since `listen`, which ends. */
  arrivals(port: number): Promise<Arrivals>;
  /** Sends numbered UDP packets at an even pace. Time that the machine lost is not made up for by a burst. */
  flow(options: Target & FlowOptions): Promise<Sent>;
  /** Accepts TCP connections and sends on each for as long as it lives. */
  pour(port: number): Promise<void>;
  /** Opens one and reads it. */
  drink(options: Target & { readonly durationMs: number }): Promise<Drunk>;
}

export interface Target {
  readonly host: string;
  readonly port: number;
}

export interface FlowOptions {
  readonly kbps: number;
  readonly ipBytes: number;
  readonly count: number;
}

export interface Sent {
  readonly packets: number;
  /** By number. */
  readonly atMs: readonly number[];
}

/** In the order of arrival; the two lists have the same length. */
export interface Arrivals {
  readonly numbers: readonly number[];
  readonly atMs: readonly number[];
  readonly ipBytes: number;
  /** Lost in the receiver's own socket: the machine's fault, not the link's. */
  readonly socketDrops: number;
}

/** Bytes of the stream read until each moment. */
export interface Drunk {
  readonly atMs: readonly number[];
  readonly totalBytes: readonly number[];
}

/** A call of `Traffic` as it goes to the process in the namespace, and its answer. */
export interface TrafficCall {
  readonly id: number;
  readonly name: string;
  readonly argument: unknown;
}

type TrafficAnswer = { readonly id: number } & ({ readonly value: unknown } | { readonly error: string });

/** An entry of the bundle: see `setup/bundleCommandLine.mjs`. */
const PROGRAM = path.join(import.meta.dirname, 'trafficEnd.mjs');
const NAMES = ['echo', 'ping', 'listen', 'arrivals', 'flow', 'pour', 'drink'] as const;

interface RunningTraffic extends Traffic {
  stop(): void;
}

/** Starts a process in a namespace that does what is called here. It ends with us. */
export function startTraffic({ namespace }: LinkEnd): RunningTraffic {
  const [program, ...args] = enterNamespace(namespace, 'sh', '-c', AHEAD, 'sh', process.execPath, PROGRAM);
  const child = spawn(program, args, {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    detached: true,
  });
  const waiting = new Map<number, { resolve(value: unknown): void; reject(error: Error): void }>();
  child.on('message', (answer: TrafficAnswer) => {
    const call = waiting.get(answer.id);
    waiting.delete(answer.id);
    if ('error' in answer) call?.reject(new Error(answer.error));
    else call?.resolve(answer.value);
  });
  child.on('exit', () => {
    for (const { reject } of waiting.values()) reject(new Error('A process inside the link ended.'));
  });
  let id = 0;
  const call = (name: string, argument: unknown): Promise<unknown> =>
    new Promise((resolve, reject) => {
      waiting.set((id += 1), { resolve, reject });
      child.send({ id, name, argument });
    });
  const calls = Object.fromEntries(NAMES.map((name) => [name, (argument: unknown) => call(name, argument)]));
  return { ...(calls as unknown as Traffic), stop: () => void child.kill('SIGKILL') };
}

/** What was sent one way, and what came of it. */
export interface Flow {
  readonly sent: Sent;
  readonly arrivals: Arrivals;
}

const PORT = 7001;
const RESERVE_MS = 200;
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Sends the same flow both ways at once, and waits until the last packet can have come: `drainMs` after it was sent. */
export async function flowBothWays(
  { link, client, server }: { link: Pick<Link, 'client' | 'server'>; client: Traffic; server: Traffic },
  options: FlowOptions,
  drainMs: number,
): Promise<BothWays<Flow>> {
  await Promise.all([client.listen(PORT), server.listen(PORT)]);
  const [down, up] = await Promise.all([
    server.flow({ host: link.client.address, port: PORT, ...options }),
    client.flow({ host: link.server.address, port: PORT, ...options }),
  ]);
  await pause(drainMs + RESERVE_MS);
  const [atClient, atServer] = await Promise.all([client.arrivals(PORT), server.arrivals(PORT)]);
  return { down: { sent: down, arrivals: atClient }, up: { sent: up, arrivals: atServer } };
}

/**
 * Put before a command that leads a session of its own (`detached`): gives it ten times the weight of ordinary work where
 * the machine allows that, without stopping others. For what measures a link: JavaScript has no place in real time.
 */
const AHEAD = `{ echo -10 > /proc/self/autogroup; } 2>/dev/null
nice -n -10 true 2>&1 | grep -q . || exec nice -n -10 "$@"
exec "$@"`;
