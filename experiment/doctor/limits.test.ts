import { copyFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { testFolder } from '../../lab/content/testStreams.ts';
import { requireTool } from '../../lab/tools.ts';
import { diagnose } from '../../src/doctor/diagnose.ts';
import { gatherEvidence, type Gathering } from './gatherEvidence.ts';
import { startFiles, type Change } from './startFiles.testing.ts';

const streams = testFolder(requireTool('cacheFolder'));
const folder = mkdtempSync(path.join(tmpdir(), 'pitwall-limits-'));
const MPD = readFileSync(path.join(streams, 'template', 'manifest.mpd'), 'utf8');

beforeAll(() => copyFileSync(path.join(streams, 'template', 'manifest.mpd'), path.join(folder, 'long')));
afterAll(() => rmSync(folder, { recursive: true }));

const reset: NonNullable<Change['answer']> = ({ socket }) => !!socket.destroy();
const hang = (): boolean => true;
const loop: NonNullable<Change['answer']> = ({ url }, answer) =>
  !!answer.writeHead(302, { location: url! }).end();

/** Examines the test stream where a server does something wrong, without a browser. */
async function examine(
  change: Change,
  more: Partial<Gathering & { place: string; folder: string }> = {},
): Promise<{ found: string; notChecked: Readonly<Record<string, string>> }> {
  const { place = 'manifest.mpd', folder: at = path.join(streams, 'template'), ...gathering } = more;
  const started = await startFiles(at, change);
  const { evidence } = await gatherEvidence(`http://127.0.0.1:${started.port}/${place}`, {
    ...{ pageOrigin: 'https://player.example', maxBytes: 16e6, trusted: undefined, resolver: undefined },
    ...{ knownUrl: undefined, chromiumPath: null, noBrowser: 'not asked', ...gathering },
  });
  await started.stop();
  const { findings, notChecked } = diagnose(evidence);
  return {
    found: findings.map(({ check, sentence }) => `${check.id}: ${sentence}`).join('\n'),
    notChecked: Object.fromEntries(notChecked.map(({ check, why }) => [check.id, why])),
  };
}

describe('a manifest that is large', () => {
  const LONG = `${MPD}<!-- ${'padding '.repeat(600_000)} -->`;

  test.each([
    ['gzip', gzipSync(LONG), 'manifest.mpd'],
    ['br', brotliCompressSync(LONG), 'manifest.mpd'],
    // What it is, is known by its content here.
    ['gzip', gzipSync(LONG), 'long'],
  ])('unpacked from %s is not checked', async (coding, body, place) => {
    const { found, notChecked } = await examine(
      {
        answer: (_, answer) => !!answer.writeHead(200, { 'content-encoding': coding }).end(body),
      },
      { place, folder },
    );
    expect(found).not.toMatch(/^(unreadable-manifest|coded-media): /m);
    expect(notChecked['unreadable-manifest']).toBe(
      'the manifest is longer than what is read of it (4 MB at most)',
    );
  });

  /** Sends so many quarters of the manifest, and never ends where one is missing. */
  const slowly =
    (pieces: number, pauseMs: number): NonNullable<Change['answer']> =>
    (asked, answer) => {
      if (!asked.url!.endsWith('.mpd') || asked.method !== 'GET') return false;
      answer.writeHead(200, { 'content-type': 'application/dash+xml' });
      void sendSlowly(answer, pieces, pauseMs);
      return true;
    };
  async function sendSlowly(answer: ServerResponse, pieces: number, pauseMs: number): Promise<void> {
    for (let at = 0; at < pieces; at += 1) {
      answer.write(MPD.slice((at * MPD.length) / 4, ((at + 1) * MPD.length) / 4));
      await wait(pauseMs);
    }
    if (pieces === 4) answer.end();
  }

  test('and slow is read to its end', async () => {
    const { found, notChecked } = await examine({ answer: slowly(4, 1200) });
    expect(found).not.toMatch(/^(no-answer|unreadable-manifest): /m);
    expect(notChecked).not.toHaveProperty('unreadable-manifest');
  });

  test('and slower than the check is not checked, with the reason', async () => {
    const { found, notChecked } = await examine({ answer: slowly(4, 1200) }, { withinMs: 2000 });
    expect(found).not.toMatch(/^(no-answer|unreadable-manifest): /m);
    expect(notChecked['unreadable-manifest']).toBe(
      'the time of the check was up while the body of /manifest.mpd was coming',
    );
  });

  test('and stops is a finding', async () => {
    const { found } = await examine({ answer: slowly(2, 0) });
    expect(found).toMatch(
      /^no-answer: 127\.0\.0\.1:\d+ \(manifest\) does not answer \(no byte within 4 s while the body of/m,
    );
  });
});

describe('a file that does not answer', () => {
  const at =
    (place: RegExp, act: NonNullable<Change['answer']>): NonNullable<Change['answer']> =>
    (asked, answer, body) =>
      place.test(asked.url!) && act(asked, answer, body);

  test.each([
    ['resets', reset, /answers nothing \(.+\)/],
    ['hangs', hang, /answers nothing \(no answer within 4 s\)/],
    ['redirects in a loop', loop, /answers nothing \(more than 5 redirects\)/],
  ])('and is the first of a level, or the last segment, is missing where it %s', async (_, act, how) => {
    const { found, notChecked } = await examine({ answer: at(/video-2\/init|video-1\/12\./, act) });
    const missing = found.split('\n').filter((each) => each.startsWith('missing-files: '));
    expect(missing).toEqual([
      expect.stringMatching(new RegExp(`${how.source} for level video-2 .*\\(/video-2/init.mp4\\)$`)),
      expect.stringMatching(new RegExp(`${how.source} for the last segment \\(/video-1/12.m4s\\)$`)),
    ]);
    expect(notChecked).not.toHaveProperty('missing-files');
  });

  test('before the time of the check is up is not checked; what came is judged', async () => {
    const gone: NonNullable<Change['answer']> = (_, answer) => !!answer.writeHead(404).end();
    const { found, notChecked } = await examine(
      {
        answer: (...asked) => at(/video-2\/init/, hang)(...asked) || at(/video-1\/12\./, gone)(...asked),
      },
      { withinMs: 1500 },
    );
    expect(found).not.toContain('video-2');
    expect(found).toMatch(/^missing-files: .* answers 404 for the last segment/m);
    expect(notChecked['missing-files']).toBe('the time of the check was up');
  });

  test('because the bytes are used up is not checked', async () => {
    const short = await examine({}, { maxBytes: 300 });
    expect(short.notChecked['unreadable-manifest']).toMatch(/--max-bytes/);
    const { found, notChecked } = await examine({}, { maxBytes: MPD.length + 1 });
    expect(found).not.toMatch(/^(missing-files|no-ranges|no-preflight): /m);
    expect(notChecked['missing-files']).toMatch(/--max-bytes/);
  });

  test.each([
    ['no-ranges', ({ range }) => range === 'bytes=4-99', 'answers a byte range with nothing'],
    ['no-304', (headers) => 'if-none-match' in headers, 'sends nothing'],
    ['no-preflight', (headers) => 'access-control-request-method' in headers, 'refuses the preflight'],
  ] as [string, (headers: Readonly<Record<string, unknown>>) => boolean, string][])(
    'to a request that has a finding of its own: %s',
    async (id, isIt, sentence) => {
      const answer: NonNullable<Change['answer']> = (asked, to, body) => {
        to.setHeader('access-control-allow-origin', '*');
        to.setHeader('access-control-allow-headers', '*');
        return /m4s$/.test(asked.url!) && isIt(asked.headers) && reset(asked, to, body);
      };
      const { found } = await examine({ answer });
      expect(found).toMatch(new RegExp(`^${id}: .*\\(media\\) ${sentence}.*\\(.+\\)`, 'm'));
      expect(found.match(/^(no-ranges|no-304|no-preflight|page-for-missing):/gm)).toEqual([`${id}:`]);
    },
  );

  test('for what nobody has, neither', async () => {
    const { found, notChecked } = await examine({ answer: at(/missing-file/, reset) });
    expect(found).toMatch(/^page-for-missing: .*answers nothing \(.+\) for a file that is not there$/m);
    const late = await examine({ answer: at(/missing-file/, hang) }, { withinMs: 1500 });
    expect(late.found).not.toContain('page-for-missing');
    expect([notChecked['page-for-missing'], late.notChecked['page-for-missing']]).toEqual([
      undefined,
      'the time of the check was up',
    ]);
  });
});

describe('a clock that does not answer', () => {
  const CLOCK = '<UTCTiming schemeIdUri="urn:mpeg:dash:utc:http-iso:2014" value="/clock"/>';
  const withClock = (act: NonNullable<Change['answer']>): Change => ({
    text: (text) => text.replace('</MPD>', `${CLOCK}</MPD>`),
    answer: (asked, ...rest) => asked.url === '/clock' && act(asked, ...rest),
  });

  test('is dead', async () => {
    expect((await examine(withClock(reset))).found).toMatch(/^dead-clock: .*\/clock: .+\)$/m);
  });

  test('before the time of the check is up is not checked', async () => {
    const { found, notChecked } = await examine(withClock(hang), { withinMs: 1500 });
    expect(found).not.toMatch(/clock/);
    expect(notChecked['dead-clock']).toBe('the time of the check was up');
  });

  test('in the bytes that are left is not checked', async () => {
    const { text } = withClock(hang);
    const { found, notChecked } = await examine(
      {
        text: text!,
        answer(asked, answer) {
          if (asked.url === '/clock') return !!answer.end(new Date().toISOString());
          return !/mpd$/.test(asked.url!) || asked.method === 'OPTIONS'
            ? !!answer.writeHead(404).end()
            : false;
        },
      },
      { maxBytes: text!(MPD, '').length + 5 },
    );
    expect(found).not.toMatch(/clock/);
    expect(notChecked['dead-clock']).toBe('the bytes of --max-bytes are used up');
  });
});
