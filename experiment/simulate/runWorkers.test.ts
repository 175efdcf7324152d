import { EventEmitter, once } from 'node:events';
import { expect, test } from 'vitest';
import { formatFileError } from '../../node/files.ts';
import { EXIT, usageError } from '../../node/exitCodes.ts';
import { answerJobs } from './runWorkers.ts';

/** The end of a worker thread that does `work`: sends a job, and gives the answer. */
function workerOf(work: (job: number) => number) {
  const port = new EventEmitter();
  const answers = new EventEmitter();
  answerJobs(
    work,
    Object.assign(port, { postMessage: (answer: unknown) => void answers.emit('answer', answer) }),
  );
  return async (job: number): Promise<unknown> => {
    const answer = once(answers, 'answer');
    port.emit('message', job);
    return (await answer)[0];
  };
}

test('a worker answers with what was done', async () => {
  expect(await workerOf((job) => 2 * job)(21)).toEqual({ done: 42 });
});

test.each<[string, unknown, { error: string; exitCode: number }]>([
  [
    'a full disk',
    new Error(formatFileError('a.json', { code: 'ENOSPC' }), {
      cause: Object.assign(new Error(), { code: 'ENOSPC' }),
    }),
    { error: 'a.json: There is no space left on the disk.', exitCode: EXIT.noSpace },
  ],
  ['wrong usage', usageError('no'), { error: 'no', exitCode: EXIT.usage }],
  ['any other', 'no', { error: 'no', exitCode: EXIT.failed }],
])('what failed keeps its exit code: %s', async (_, thrown, answer) => {
  const work = workerOf(() => {
    throw thrown;
  });
  expect(await work(1)).toEqual(answer);
});
