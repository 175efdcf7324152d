import type { Origin } from '../../lab/caddy/origin.ts';
import { metrics } from '../../src/analysis/metrics/registry.ts';
import { har } from '../../src/export/har.ts';
import { pick } from '../../src/shared/registry.ts';
import { requestsIn } from '../fixtures/logEvents.ts';
import { misbehave, type Misbehaving } from '../fixtures/misbehave.ts';
import { expect, test } from '../fixtures/test.ts';

/** Enough for a first frame. */
const WHOLE_ANSWERS = 10;

interface StuckOrigin {
  readonly server: Misbehaving;
  /** How many answers were begun that never end. */
  stuck(): number;
}

/** Answers the first requests as the origin does, and of all later ones half, without ever ending. */
async function stuckOrigin({ httpPort }: Pick<Origin, 'httpPort'>): Promise<StuckOrigin> {
  let answers = 0;
  const server = await misbehave((request, response) => {
    const { range } = request.headers;
    const headers = range ? { range } : {};
    void fetch(`http://127.0.0.1:${httpPort}${request.url}`, { headers }).then(async (answer) => {
      const body = Buffer.from(await answer.arrayBuffer());
      response.writeHead(answer.status, {
        'Content-Type': answer.headers.get('content-type') ?? 'video/mp4',
        'Content-Length': body.length,
        'Access-Control-Allow-Origin': '*',
        'Timing-Allow-Origin': '*',
      });
      answers += 1;
      if (answers <= WHOLE_ANSWERS) response.end(body);
      else response.write(body.subarray(0, body.length >> 1));
    });
  });
  return { server, stuck: () => Math.max(0, answers - WHOLE_ANSWERS) };
}

/** Whole files go by dash.js' own loader, byte ranges by ours. */
for (const [what, kind] of [
  ['whole files', 'template'],
  ['byte ranges', 'base'],
] as const)
  test(`what a seek and Stop abort of ${what} has not failed, in log, metric and HAR`, async ({
    open,
    origin,
  }) => {
    const { server, stuck } = await stuckOrigin(origin);
    try {
      const session = await open({ mpd: `${server.url}/media/test/${kind}/manifest.mpd` });
      await session.playing();
      await expect.poll(stuck).toBeGreaterThan(0);
      const before = stuck();
      await session.page.evaluate(() => window.pitwall!.seek(20_000));
      // Not those of before, which the seek aborts.
      await expect.poll(stuck).toBeGreaterThan(before);
      const log = await session.stop();

      const requests = requestsIn(log, ['manifest', 'init', 'index', 'media']);
      const aborted = requests.filter(({ outcome }) => outcome === 'aborted');
      // By the seek, and by the stop.
      expect(aborted.length).toBeGreaterThanOrEqual(2);
      expect(requests.filter(({ outcome }) => outcome !== 'ok' && outcome !== 'aborted')).toEqual([]);
      for (const { missing } of aborted) expect(Object.values(missing)).not.toContain('failed');

      const counts = pick(metrics, 'requests').of(log).by;
      expect(counts).toMatchObject({ aborted: aborted.length });
      expect(counts).not.toHaveProperty('failed');

      const archive = har.convert(log, { screen: '', fps: null });
      if (!archive.ok) throw new Error(archive.error);
      expect(archive.value.text).not.toContain('"_error"');
      expect(archive.value.text.split('"Aborted by the player').length - 1).toBe(aborted.length);
    } finally {
      await server.close();
    }
  });
