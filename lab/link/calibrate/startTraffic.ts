import { spawn } from 'node:child_process';
import path from 'node:path';
import type { LinkEnd } from '../controller.ts';
import { ahead } from './ahead.ts';
import type { Traffic } from './traffic.ts';
import type { TrafficAnswer } from './trafficEnd.ts';

/** An entry of the bundle: see `setup/bundleCommandLine.mjs`. */
const PROGRAM = path.join(import.meta.dirname, 'trafficEnd.mjs');
const NAMES = ['echo', 'ping', 'listen', 'arrivals', 'flow', 'pour', 'drink'] as const;

export interface RunningTraffic extends Traffic {
  stop(): void;
}

/** Starts a process in a namespace that does what is called here. It ends with us. */
export function startTraffic({ namespace }: LinkEnd): RunningTraffic {
  const child = spawn('ip', ['netns', 'exec', namespace, ...ahead, process.execPath, PROGRAM], {
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
