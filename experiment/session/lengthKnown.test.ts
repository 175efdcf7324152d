import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, test } from 'vitest';
import { lengthKnown, mpdSeconds } from './lengthKnown.ts';

const mpd = (attributes: string): string =>
  `<?xml version="1.0"?>\n<!-- of 1 h -->\n<MPD xmlns="urn:mpeg:dash:schema:mpd:2011" ${attributes}>\n<Period/></MPD>`;

test.each<[string, number | null]>([
  [mpd('type="static" mediaPresentationDuration="PT1M12S"'), 72],
  [mpd(`mediaPresentationDuration = 'PT596.458S'`), 596.458],
  [mpd('mediaPresentationDuration="P0Y0M1DT1H0M0.5S"'), 90_000.5],
  [mpd('type="dynamic" mediaPresentationDuration="PT72S"'), null],
  [mpd('type="static"'), null],
  [mpd('mediaPresentationDuration="P"'), null],
  [mpd('mediaPresentationDuration="72"'), null],
  ['<html>not found</html>', null],
])('%j lasts %s s', (text, seconds) => expect(mpdSeconds(text)).toBe(seconds));

describe('a stream elsewhere', () => {
  const asked = async (answer: { status: number; body: string }, seconds: number) => {
    const lines: string[] = [];
    const server = createServer((_, response) => response.writeHead(answer.status).end(answer.body));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/a.mpd`;
    const end = await lengthKnown(url, seconds, { print: (line) => lines.push(line) }).then(
      () => 'long enough',
      (error: Error) => error.message,
    );
    await new Promise((resolve) => server.close(resolve));
    return { end: end.replace(url, 'URL'), lines };
  };
  const body = mpd('mediaPresentationDuration="PT1M12S"');

  it('is refused as too short before anything is played', async () => {
    expect(await asked({ status: 200, body }, 72)).toEqual({ end: 'long enough', lines: [] });
    expect((await asked({ status: 200, body }, 73)).end).toBe(
      'URL is 72 s long, too short for sessions of 73 s. In a campaign, use a padded stream (padded:envivio): it is as long as the sessions need.',
    );
  });

  it('that its server refuses is refused', async () =>
    expect((await asked({ status: 404, body }, 1)).end).toBe('URL: The server answers 404.'));

  it('that cannot be reached from here gets a line', async () => {
    const lines: string[] = [];
    // Port 9 (discard) is one of those that fetch never asks.
    await lengthKnown('http://127.0.0.1:9/a.mpd', 1, { print: (line) => lines.push(line) });
    expect(lines).toEqual([
      expect.stringMatching(
        /^http:\/\/127\.0\.0\.1:9\/a\.mpd: The server cannot be reached \(.+\), so the length of the stream is unknown\.$/,
      ),
    ]);
  });
});
