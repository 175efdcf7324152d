import { expect, test } from 'vitest';
import { startServer } from './serverProcess.ts';

test('a server process is known before it listens, so that a watchdog can end it then', async () => {
  const spawned: number[] = [];
  const starting = startServer({
    name: 'A server',
    program: '/bin/sh',
    arguments: ['-c', 'sleep 0.2; echo ready'],
    readyMessage: 'ready',
    complaint: 'Error:',
    onSpawned: (pid) => spawned.push(pid),
  });
  expect(spawned).toHaveLength(1);
  const { pid, gone } = await starting;
  expect(spawned).toEqual([pid]);
  await gone;
});

test('a program that is not there is no process', async () => {
  const spawned: number[] = [];
  await expect(
    startServer({
      name: 'A server',
      program: '/nowhere/server',
      arguments: [],
      readyMessage: 'ready',
      complaint: 'Error:',
      onSpawned: (pid) => spawned.push(pid),
    }),
  ).rejects.toThrow('A server could not be run from /nowhere/server');
  expect(spawned).toEqual([]);
});
