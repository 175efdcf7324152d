import { describe, expect, test } from 'vitest';
import { createConnections } from './connections.ts';
import { playerModelDefaults } from './playerModelSettings.ts';

const h1 = () => createConnections({ ...playerModelDefaults, protocol: 'h1' });
const h2 = () => createConnections({ ...playerModelDefaults, protocol: 'h2' });

describe('a request over h1', () => {
  test('takes the idle connection that was used last, as Chromium does', () => {
    const connections = h1();
    const [first, second] = [connections.take(0, 50)!, connections.take(10, 50)!];
    expect([first.isNew, second.isNew]).toEqual([true, true]);
    connections.leave(second.connection, false);
    connections.leave(first.connection, false);
    expect(connections.take(100, 50)).toEqual({ connection: first.connection, isNew: false });
    expect(connections.take(110, 50)).toEqual({ connection: second.connection, isNew: false });
    // The audio was asked for first, and now the video has its connection.
    connections.leave(first.connection, false);
    connections.leave(second.connection, false);
    expect(connections.take(200, 50)!.connection).toBe(second.connection);
  });

  test('opens another while none is idle, up to six, and then waits', () => {
    const connections = h1();
    const taken = Array.from({ length: 6 }, () => connections.take(0, 50)!);
    expect(new Set(taken.map(({ connection }) => connection)).size).toBe(6);
    expect(connections.take(0, 50)).toBeNull();
    connections.leave(taken[3]!.connection, true);
    expect(connections.take(0, 50)).toMatchObject({ isNew: true });
  });
});

test('over h2 all requests share one connection, also after one is aborted', () => {
  const connections = h2();
  const first = connections.take(0, 50)!;
  expect(connections.take(5, 50)).toEqual({ connection: first.connection, isNew: false });
  connections.leave(first.connection, true);
  expect(first.connection.load).toBe(1);
  expect(connections.take(9, 50)!.connection).toBe(first.connection);
});
