import { describe, expect, it, vi } from 'vitest';
import { fileSource } from './fileSource.ts';
import { headSource, segmentUrl, type AskableSegment } from './headSource.ts';
import { rangeSizes } from './indexSource.ts';
import type { SizesNews, SizesQuestion } from './sizesSource.ts';

const question: SizesQuestion = { mediaType: 'video', choices: [], segment: 0 };
const settled = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));

describe('sizes of byte ranges', () => {
  it.each([
    [
      ['0-99', '100-349'],
      [100, 250],
    ],
    [['0-99', null], null],
    [['0-99', 'bytes=1-2'], null],
    [['99-0'], null],
    [[], null],
  ])('%j are %j', (ranges, sizes) =>
    expect(rangeSizes(ranges.map((mediaRange) => ({ mediaRange })))).toEqual(sizes),
  );
  it('are not known without segments', () => expect(rangeSizes(null)).toBeNull());
});

describe('the URL of a numbered segment', () => {
  const values = { id: 'v1', bandwidth: 300_000, number: 7 };
  it.each([
    ['$RepresentationID$/$Number$.m4s', 'v1/7.m4s'],
    ['$Bandwidth$/seg-$Number%05d$.mp4', '300000/seg-00007.mp4'],
    ['a$$b/$Number$', 'a$b/7'],
    ['$RepresentationID$/$Time$.m4s', null],
    ['$Number$-$SubNumber$.m4s', null],
    ['one-file.mp4', null],
  ])('%s is %s', (template, url) => expect(segmentUrl(template, values)).toBe(url));
});

describe('a side file', () => {
  const text = JSON.stringify({
    schema: 'pitwall-sizes/1',
    segmentMs: 4000,
    representations: [{ id: 'v1', mediaType: 'video', bitrateKbps: 300, sizesBytes: [10, null] }],
  });
  const setUp = (load: () => Promise<{ status: number; text: string }>) => {
    const news: SizesNews[] = [];
    const faults: string[] = [];
    const loading = vi.fn(load);
    const source = fileSource({
      urlFor: () => 'https://cdn.example/a/sizes.json',
      load: loading,
      onNews: (each) => void news.push(each),
      onFault: (sentence) => void faults.push(sentence),
    });
    return { news, faults, loading, source };
  };

  it('is loaded once, reported when it is there, and known from then on', async () => {
    const { news, faults, loading, source } = setUp(() => Promise.resolve({ status: 200, text }));
    source.lookUp(question);
    source.lookUp(question);
    expect(source.known('video', 'v1')).toBeNull();
    await settled();
    const known = { from: 'side-file', firstSegment: 0, sizesBytes: [10, null] };
    expect(source.known('video', 'v1')).toEqual(known);
    expect(news).toEqual([{ mediaType: 'video', representationId: 'v1', ...known }]);
    expect(source.known('audio', 'v1')).toBeNull();
    expect(source.known('video', 'v2')).toBeNull();
    expect([loading.mock.calls.length, faults]).toEqual([1, []]);
  });

  it.each([
    [{ status: 404, text: '' }, 'The sizes file sizes.json was not loaded: the server answered 404.'],
    [
      { status: 200, text: '{}' },
      'The sizes file sizes.json is not used. Its schema is missing, not "pitwall-sizes/1".',
    ],
  ])('that cannot be used is reported once: %j', async (answer, sentence) => {
    const { faults, source } = setUp(() => Promise.resolve(answer));
    source.lookUp(question);
    await settled();
    source.lookUp(question);
    await settled();
    expect(faults).toEqual([sentence]);
    expect(source.known('video', 'v1')).toBeNull();
  });

  it('that does not come is reported', async () => {
    const { faults, source } = setUp(() => Promise.reject(new Error('Failed to fetch')));
    source.lookUp(question);
    await settled();
    expect(faults).toEqual(['The sizes file was not loaded: Failed to fetch.']);
  });
});

describe('sizes by HEAD', () => {
  const segment = (number: number, representationId = 'v1'): AskableSegment => ({
    mediaType: 'video',
    representationId,
    segment: number,
    url: `https://cdn.example/${representationId}/${number}.m4s`,
  });
  const setUp = (
    wanted: () => readonly AskableSegment[],
    answer: (asked: AskableSegment) => Promise<{ status: number; sizeBytes: number | null }>,
  ) => {
    const asked: string[] = [];
    const news: SizesNews[] = [];
    const faults: string[] = [];
    const source = headSource({
      segmentsFor: wanted,
      head(each) {
        asked.push(`${each.representationId}/${each.segment}`);
        return answer(each);
      },
      onNews: (each) => void news.push(each),
      onFault: (sentence) => void faults.push(sentence),
    });
    return { asked, news, faults, source };
  };
  const sized = ({ segment: number }: AskableSegment) =>
    Promise.resolve({ status: 200, sizeBytes: 1000 + number });

  it('are asked for once each, and known as a run', async () => {
    let from = 3;
    const { asked, news, source } = setUp(() => [segment(from), segment(from + 1)], sized);
    source.lookUp(question);
    await settled();
    from = 4;
    source.lookUp(question);
    await settled();
    expect(asked).toEqual(['v1/3', 'v1/4', 'v1/5']);
    expect(news.map(({ firstSegment, sizesBytes }) => [firstSegment, sizesBytes])).toEqual([
      [3, [1003]],
      [4, [1004]],
      [5, [1005]],
    ]);
    expect(source.known('video', 'v1')).toEqual({
      from: 'head',
      firstSegment: 3,
      sizesBytes: [1003, 1004, 1005],
    });
    from = 20;
    source.lookUp(question);
    await settled();
    expect(source.known('video', 'v1')).toMatchObject({ firstSegment: 20, sizesBytes: [1020, 1021] });
    expect(source.known('audio', 'v1')).toBeNull();
  });

  it('are asked for four at a time', async () => {
    const waiting: (() => void)[] = [];
    const many = Array.from({ length: 9 }, (_, number) => segment(number));
    const { asked, source } = setUp(
      () => many,
      (each) =>
        new Promise((resolve) => waiting.push(() => resolve({ status: 200, sizeBytes: each.segment + 1 }))),
    );
    source.lookUp(question);
    expect(asked).toHaveLength(4);
    waiting.splice(0, 2).forEach((answer) => answer());
    await settled();
    expect(asked).toHaveLength(6);
  });

  it.each([
    [{ status: 405, sizeBytes: null }, 'answered 405'],
    [{ status: 200, sizeBytes: null }, 'does not send the length'],
  ])('stop for a rung that fails, reported once: %j', async (answer, why) => {
    const both = (number: number) => [segment(number, 'bad'), segment(number, 'worse'), segment(number)];
    let from = 0;
    const { asked, faults, source } = setUp(
      () => both(from),
      (each) => (each.representationId === 'v1' ? sized(each) : Promise.resolve(answer)),
    );
    source.lookUp(question);
    await settled();
    from = 1;
    source.lookUp(question);
    await settled();
    expect(asked).toEqual(['bad/0', 'worse/0', 'v1/0', 'v1/1']);
    expect(faults).toEqual([`Sizes by HEAD: cdn.example ${why}, so these sizes stay unknown.`]);
  });
});
