import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { diagnose } from '../../src/doctor/diagnose.ts';
import { gatherEvidence } from './gatherEvidence.ts';
import { startFiles, type Started } from './startFiles.testing.ts';

const PAGE = 'https://player.example';
const folder = mkdtempSync(path.join(tmpdir(), 'pitwall-redirects-'));
/** What the server at the end allows, and the origins that requests named to it. */
let allowed = '';
const origins = new Set<string | undefined>();
let first: Started;
let last: Started;

beforeAll(async () => {
  writeFileSync(path.join(folder, 'segment.mp4'), 'x'.repeat(2000));
  last = await startFiles(folder, {
    answer(asked, answer) {
      origins.add(asked.headers.origin);
      answer.setHeader('access-control-allow-origin', allowed);
      answer.setHeader('access-control-allow-headers', '*');
      answer.setHeader('access-control-max-age', '60');
      answer.setHeader('timing-allow-origin', allowed);
      answer.setHeader('vary', 'origin');
      return false;
    },
  });
  first = await startFiles(folder, {
    answer: (_, answer) =>
      !!answer
        .writeHead(302, {
          'access-control-allow-origin': '*',
          'timing-allow-origin': '*',
          location: `http://127.0.0.1:${last.port}/segment.mp4`,
        })
        .end(),
  });
});
afterAll(async () => {
  await Promise.all([first.stop(), last.stop()]);
  rmSync(folder, { recursive: true });
});

async function foundOn(started: Started, pageOrigin: string): Promise<string[]> {
  origins.clear();
  const { evidence } = await gatherEvidence(`http://127.0.0.1:${started.port}/segment.mp4`, {
    ...{ pageOrigin, maxBytes: 1e6, trusted: undefined, resolver: undefined, knownUrl: undefined },
    ...{ chromiumPath: null, noBrowser: 'not asked' },
  });
  return diagnose(evidence)
    .findings.filter(({ check }) => check.topic === 'cross-origin')
    .map(({ check, sentence }) => `${check.id}: ${sentence}`);
}

// Fetch standard: a request that is redirected from another origin than the page's to one more has a tainted origin.
describe('after a redirect from one server to another a browser names the origin null', () => {
  test('which a server that allows one site refuses', async () => {
    allowed = PAGE;
    const found = await foundOn(first, PAGE);
    expect([...origins]).toEqual(['null']);
    expect(found.map((each) => each.split(':')[0])).toEqual(['other-cors', 'no-timing']);
    expect(found[0]).toContain(`allows ${PAGE}, not null, the origin after the redirect`);
    expect(await foundOn(last, PAGE)).toEqual([]);
  });

  test.each(['*', 'null'])('and %s allows it', async (value) => {
    allowed = value;
    expect(await foundOn(first, PAGE)).toEqual([]);
  });

  test('but not after one from the server of the page, and what comes then needs permission', async () => {
    const own = `http://127.0.0.1:${first.port}`;
    allowed = own;
    expect(await foundOn(first, own)).toEqual([]);
    expect([...origins]).toEqual([own]);
    allowed = 'https://other.example';
    expect(await foundOn(first, own)).toContainEqual(expect.stringMatching(/^other-cors: /));
  });

  test('and keeps it on the way back to the server of the page', async () => {
    allowed = PAGE;
    expect(await foundOn(first, `http://127.0.0.1:${last.port}`)).toContainEqual(
      expect.stringMatching(/^other-cors: .* not null, /),
    );
  });
});
