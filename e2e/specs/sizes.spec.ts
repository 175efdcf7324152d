import path from 'node:path';
import { readFile } from 'node:fs/promises';
import { answersOf, requestsIn, eventsOf } from '../fixtures/logEvents.ts';
import type { OpenSession, SessionOptions } from '../fixtures/openSession.ts';
import { expect, test } from '../fixtures/test.ts';
import { readSizesFile } from '../../src/abr/sizesFile.ts';
import { contentMounts } from '../../lab/content/contentMounts.ts';
import type { SessionLog } from '../../src/telemetry/schema/sessionLog.ts';
import type { SizesEvent } from '../../src/abr/rule.ts';

const DEMO = '/media/demo/manifest.mpd';

async function played(
  open: (options: SessionOptions) => Promise<OpenSession>,
  options: SessionOptions,
): Promise<SessionLog> {
  const session = await open({ rule: 'throughput', ...options });
  await session.playing();
  await session.page.waitForTimeout(5000);
  // What is on its way when a session ends is cut off, and the log says so. Stopped in the same turn of the page, or the
  // next request is out before the page hears of the stop.
  await session.page.evaluate(async () => {
    while (window.pitwall!.state().requestsInFlight > 0) await new Promise((done) => setTimeout(done, 10));
    await window.pitwall!.stop();
  });
  return await session.log();
}

/** The size inputs of the video's rule. */
const sizesInputs = (log: SessionLog): SizesEvent[] =>
  eventsOf(log, 'rule-input')
    .filter(({ mediaType }) => mediaType === 'video')
    .map(({ input }) => input)
    .filter((input) => input.kind === 'sizes');

/** Expects each size input of a segment that was then loaded whole to be the size that arrived. */
function expectTrue(log: SessionLog): number {
  const sizes = new Map<string, number | null>(
    sizesInputs(log).flatMap(({ rung, firstSegment, sizesBytes }) =>
      sizesBytes.map((size, index) => [`${rung}/${firstSegment + index}`, size] as const),
    ),
  );
  let compared = 0;
  for (const { mediaType, rung, segment, receivedBytes, outcome } of requestsIn(log)) {
    const size = sizes.get(`${rung}/${segment}`);
    if (mediaType !== 'video' || outcome !== 'ok' || size === undefined) continue;
    expect(receivedBytes).toBe(size);
    compared += 1;
  }
  return compared;
}

test('a stream with an index: dash.js reads it of every rung; the rule receives all sizes before it decides', async ({
  open,
}) => {
  const log = await played(open, { mpd: '/media/test/base/manifest.mpd' });
  const input = sizesInputs(log);
  expect(input.map(({ from, rung }) => [from, rung])).toEqual([
    ['sidx', 0],
    ['sidx', 1],
    ['sidx', 2],
  ]);
  expect(input.map(({ sizesBytes }) => sizesBytes.length)).toEqual([12, 12, 12]);
  expect(expectTrue(log)).toBeGreaterThan(3);
  const indexes = requestsIn(log, ['index']).filter(({ mediaType }) => mediaType === 'video');
  expect(new Set(indexes.map(({ representationId }) => representationId)).size).toBe(3);
  // A rule starts at its first question, so its inputs come later by the clock; the decision names the last of them.
  const decisions = eventsOf(log, 'decision').filter(({ mediaType }) => mediaType === 'video');
  const { inputId } = decisions[0]!;
  const inputs = eventsOf(log, 'rule-input');
  const lastSizes = inputs.findLastIndex(
    ({ mediaType, input }) => mediaType === 'video' && input.kind === 'sizes',
  );
  expect(inputs.findIndex(({ id }) => id === inputId)).toBeGreaterThanOrEqual(lastSizes);
  // The sizes are of use where the rule knows the length of segments, and which one comes.
  const ladders = inputs.flatMap(({ mediaType, input: each }) =>
    mediaType === 'video' && each.kind === 'ladder' ? [each.segmentMs] : [],
  );
  expect(ladders).toEqual([2000]);
  expect(decisions.slice(1).map(({ segment }) => segment)).not.toContain(null);
});

test('a side file that the MPD names is loaded once, recorded, and passed to the rule unchanged', async ({
  open,
  ownOrigin,
}) => {
  const log = await played(open, { mpd: DEMO, origin: ownOrigin });
  const folder = contentMounts()['/media/demo']!;
  const file = readSizesFile(await readFile(path.join(folder, 'sizes.json'), 'utf8'));
  if (!file.ok) throw new Error(file.error);
  const video = file.value.representations.filter(({ mediaType }) => mediaType === 'video');
  const input = sizesInputs(log);
  expect(input.map(({ sizesBytes }) => sizesBytes)).toEqual(video.map(({ sizesBytes }) => sizesBytes));
  expect(input.every(({ from }) => from === 'side-file')).toBe(true);
  expect(expectTrue(log)).toBeGreaterThan(1);
  const [request, ...others] = requestsIn(log, ['index']);
  expect(others).toEqual([]);
  expect(request).toMatchObject({ outcome: 'ok', status: 200, mediaType: null, protocol: 'h2' });
  expect(answersOf(ownOrigin, '/media/demo/sizes.json')).toHaveLength(1);
  expect(eventsOf(log, 'error')).toEqual([]);
});

test('HEAD requests tell the next segments of every rung, and stand in the log like the origin’s', async ({
  open,
  ownOrigin,
}) => {
  const log = await played(open, { mpd: DEMO, query: { sizes: 'head' }, origin: ownOrigin });
  const input = sizesInputs(log);
  expect(new Set(input.map(({ rung }) => rung))).toEqual(new Set([0, 1, 2, 3, 4, 5, 6, 7]));
  expect(input.every(({ from, sizesBytes }) => from === 'head' && sizesBytes.length === 1)).toBe(true);
  expect(expectTrue(log)).toBeGreaterThan(1);
  const heads = requestsIn(log, ['index']);
  expect(new Set(heads.map(({ method, outcome }) => `${method} ${outcome}`))).toEqual(new Set(['HEAD ok']));
  const answered = answersOf(ownOrigin, '/media/demo/').filter(({ method }) => method === 'HEAD');
  expect(heads.map(({ url }) => new URL(url).pathname).sort()).toEqual(answered.map(({ uri }) => uri).sort());
  // A media request must not be given the timing of the HEAD before it.
  for (const { missing } of requestsIn(log)) expect(missing['lastByteMs']).not.toBe('range-ambiguous');
  expect(eventsOf(log, 'error')).toEqual([]);
});

for (const [what, query, message] of [
  ['none: nothing is looked up', { sizes: 'none' }, null],
  [
    'a file that is not there',
    { sizes: 'nowhere.json' },
    'The sizes file nowhere.json was not loaded: the server answered 404.',
  ],
  [
    'a file that is something else',
    { sizes: 'manifest.mpd' },
    'The sizes file manifest.mpd is not used. It is not JSON',
  ],
] as const)
  test(`sizes from ${what}`, async ({ open }) => {
    const log = await played(open, { mpd: DEMO, query });
    expect(sizesInputs(log)).toEqual([]);
    const errors = eventsOf(log, 'error').map((error) => error.message);
    if (message === null) expect(errors).toEqual([]);
    else {
      expect(errors).toHaveLength(1);
      expect(errors[0]).toContain(message);
    }
  });
