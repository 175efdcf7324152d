import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { formatContent } from '../runner/formatPlan.ts';
import { resolveFile } from './resolve.ts';
import { startingFile } from '../design/startingFile.ts';

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'pitwall-contents-'));
  mkdirSync(path.join(folder, 'tables', 'film'), { recursive: true });
  for (const [rung, bytes] of [100_000, 200_000].entries())
    writeFileSync(path.join(folder, 'tables', 'film', `video_size_${rung}`), `${bytes}\n${bytes}\n`);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function load(contents: string[], seconds = 60) {
  const file = path.join(folder, 'c.json');
  writeFileSync(file, JSON.stringify({ ...startingFile, contents, seconds }));
  return (await resolveFile(file)).plan;
}
const errorOf = (contents: string[], seconds?: number): Promise<string> =>
  load(contents, seconds).then(
    () => 'no error',
    (error: Error) => error.message.replaceAll(folder, 'FOLDER'),
  );

test('a plan says which streams are to be made, and only those', async () => {
  const { contents } = await load([
    'demo',
    'padded:envivio',
    'padded:tables/film:segment=2:ladder=200,400:audio=32',
  ]);
  expect(contents).toEqual([
    {
      name: 'padded:envivio',
      folder: expect.stringMatching(/^envivio-padded-4s-[\da-f]{12}$/) as string,
      segments: 150,
      segmentSeconds: 4,
      ladderKbps: [300, 750, 1200, 1850, 2850, 4300],
      audioKbps: null,
    },
    {
      name: 'padded:tables/film:segment=2:ladder=200,400:audio=32',
      folder: expect.stringMatching(/^film-padded-2s-[\da-f]{12}$/) as string,
      segments: 300,
      segmentSeconds: 2,
      ladderKbps: [200, 400],
      audioKbps: 32,
    },
  ]);
  expect((await load(['demo'])).contents).toBeUndefined();
});

test('a stream goes on a minute after its sessions', async () => {
  const segments = async (seconds: number) =>
    (await load(['padded:envivio'], seconds)).contents![0]!.segments;
  expect(await segments(540)).toBe(150);
  expect(await segments(541)).toBe(151);
  expect(await segments(3600)).toBe(915);
});

test('another table of the same name is another plan', async () => {
  const name = 'padded:tables/film:ladder=200,400';
  const before = await load([name]);
  writeFileSync(path.join(folder, 'tables', 'film', 'video_size_1'), '200000\n200001\n');
  const after = await load([name]);
  expect(after.sessions).toEqual(before.sessions);
  expect(after.contents).not.toEqual(before.contents);
});

test('a dry run lists each stream', () => {
  const content = {
    name: 'padded:film',
    folder: 'film-padded-2s-000000000000',
    segments: 300,
    segmentSeconds: 2,
    ladderKbps: [200, 400],
    audioKbps: 32,
  };
  expect(formatContent({ contents: [content] })).toEqual([
    'padded:film: 10 min in segments of 2 s, 200, 400 kbit/s, audio of 32 kbit/s; must be made first, in about 2 s',
  ]);
  expect(formatContent({})).toEqual([]);
});

test('live streams are in the plan with what they repeat, and as long as any session', async () => {
  const plan = await load(['live:low-latency', 'live:padded:tables/film:segment=2:ladder=200,400'], 80_000);
  expect(plan.contents).toMatchObject([
    { name: 'live:low-latency', segments: 12, ladderKbps: [150, 300, 600], live: 'low-latency' },
    { segments: 300, segmentSeconds: 2, ladderKbps: [200, 400], live: 'whole-segments' },
  ]);
  const [test, padded] = formatContent(plan);
  expect(test).toContain('live:low-latency: live in chunks, 24 s, repeated, in segments of 2 s, 150, ');
  expect(padded).toContain('ladder=200,400: live, 10 min, repeated, in segments of 2 s, 200, 400 kbit/s');
  // The video on demand of the same table is as it ever was.
  const [again] = (await load(['padded:tables/film:segment=2:ladder=200,400'])).contents!;
  const { live, ...repeated } = plan.contents![1]!;
  expect(live).toBe('whole-segments');
  expect(again).toEqual({ ...repeated, name: again!.name });
});

describe('the error for what cannot be made names its place', () => {
  it.each<[string[], string]>([
    [
      ['demo', 'padded:tables/gone.json'],
      'FOLDER/c.json: /contents/1: FOLDER/tables/gone.json: There is no such file or folder. Built in: envivio.',
    ],
    [
      ['padded:tables'],
      'FOLDER/c.json: /contents/0: FOLDER/tables: There are no size files (video_size_0 and so on)',
    ],
    [['padded:tables/film'], 'FOLDER/c.json: /contents/0: FOLDER/tables/film'],
    [['padded:c.json'], 'FOLDER/c.json: /contents/0: FOLDER/c.json'],
  ])('%j', async (contents, sentence) => expect(await errorOf(contents)).toContain(sentence));

  it('the demo for a session that is longer', async () =>
    expect(await errorOf(['demo'], 120)).toBe(
      'FOLDER/c.json: /contents/0: demo is 72 s long, too short for sessions of 120 s. In a campaign, use a padded stream (padded:envivio): it is as long as the sessions need.',
    ));
});
