import { EventEmitter } from 'node:events';
import { expect, test, vi } from 'vitest';
import { endWithCommand } from './progressReporter.ts';

test('a runner whose command is gone ends as by Ctrl-C, and does not wait for the command itself', () => {
  const runner = Object.assign(new EventEmitter(), {
    pid: 4711,
    kill: vi.fn(() => true),
    channel: { ref: vi.fn(), unref: vi.fn() },
  });
  endWithCommand(runner as unknown as NodeJS.Process);
  expect(runner.channel.unref).toHaveBeenCalledOnce();
  expect(runner.kill).not.toHaveBeenCalled();
  runner.emit('disconnect');
  expect(runner.kill).toHaveBeenCalledExactlyOnceWith(4711, 'SIGINT');
});
