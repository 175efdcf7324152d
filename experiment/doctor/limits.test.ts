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

const GZIP = { 'content-type': 'application/dash+xml', 'content-encoding': 'gzip' };

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
        answer: (_, answer) => !!answer.writeHead(200, { ...GZIP, 'content-encoding': coding }).end(body),
      },
      { place, folder },
    );
    expect(found).not.toMatch(/^(unreadable-manifest|coded-media): /m);
    expect(notChecked['unreadable-manifest']).toBe(
      'the manifest is longer than what is read of it (4 MB at most)',
    );
  });

  /** Sends the manifest in pieces, and never ends where there is one fewer than it says. */
  const slowly =
    (pieces: number, pauseMs: number): NonNullable<Change['answer']> =>
    (asked, answer) => {
      if (!asked.url!.endsWith('.mpd')) return false;
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
    expect(notChecked['no-h3']).toBe('not asked');
  });

  test('and stops is a finding', async () => {
    const { found } = await examine({ answer: slowly(2, 0) });
    expect(found).toMatch(
      /^no-answer: 127\.0\.0\.1:\d+ \(manifest\) does not answer \(no byte within 4 s while the body of/m,
    );
  });
});
