import { eventsOf, requestsIn, uriOf } from '../fixtures/logEvents.ts';
import type { OpenSession, SessionOptions } from '../fixtures/openSession.ts';
import {
  answersIn,
  protocolOf,
  type Answer,
  type Folders,
  startNginx,
  startApache,
  startHypercorn,
} from '../fixtures/otherServers.ts';
import { packageWithShaka, type ShakaStreams } from '../fixtures/packageWithShaka.ts';
import { expect, test as base } from '../fixtures/test.ts';
import { metrics } from '../../src/analysis/metrics/registry.ts';
import type { RequestEvent } from '../../src/telemetry/event.ts';
import type { SessionLog } from '../../src/telemetry/schema/sessionLog.ts';
import type { Origin } from '../../lab/caddy/origin.ts';
import { tools, type Tools } from '../../lab/tools.ts';

/** Streams of another packager from servers of other projects: nothing that answers here is ours. */
const test = base.extend<object, { shaka: ShakaStreams }>({
  shaka: [
    async ({}, use) => {
      const shaka = await packageWithShaka();
      await use(shaka);
      await shaka.remove();
    },
    { scope: 'worker' },
  ],
});

interface Case {
  readonly name: string;
  readonly needs: Exclude<keyof Tools, 'missing'>;
  readonly start: (mounts: Folders) => Promise<Origin>;
  readonly scheme: 'http' | 'https';
  readonly mode: NonNullable<SessionOptions['mode']>;
  readonly stream: 'base' | 'timeline';
  readonly protocol: string;
}

const nginx = { needs: 'nginx', start: startNginx } as const;
const apache = { needs: 'apache', start: startApache } as const;
const hypercorn = { needs: 'hypercorn', start: startHypercorn } as const;
const http1 = { scheme: 'http', mode: 'h2', protocol: 'http/1.1' } as const;
const h2 = { scheme: 'https', mode: 'h2', protocol: 'h2' } as const;
const h3 = { scheme: 'https', mode: 'h3-only', protocol: 'h3' } as const;

const cases: readonly Case[] = [
  { name: 'nginx over http/1.1', ...nginx, ...http1, stream: 'timeline' },
  { name: 'nginx over h2', ...nginx, ...h2, stream: 'base' },
  { name: 'Apache over http/1.1', ...apache, ...http1, stream: 'base' },
  { name: 'hypercorn over h2', ...hypercorn, ...h2, stream: 'base' },
  { name: 'hypercorn over h3', ...hypercorn, ...h3, stream: 'timeline' },
];

for (const { name, needs, start, scheme, mode, stream, protocol } of cases)
  test.describe(name, () => {
    const lacks = lacking([needs, 'shakaPackager']);
    test.skip(lacks !== null, lacks ?? '');

    test(`Shaka's ${stream} plays, and the log is the server's own`, async ({ open, origin, shaka }) => {
      const server = await start({ '/media': shaka.folder });
      try {
        const url = scheme === 'http' ? server.httpUrl : server.httpsUrl;
        // The page comes from our own origin, as for any visitor of another.
        const session = await open({
          mpd: `${url}/media/${stream}/manifest.mpd`,
          mode,
          origin: { ...server, httpUrl: origin.httpUrl },
        });
        const log = await played(session);
        expect(eventsOf(log, 'error')).toEqual([]);
        await expectServersOwn(log, { server, protocol });
        expectBitrates(log, await shaka.bitratesKbps(stream));
        for (const { id, of } of metrics.filter((metric) => metric.id.startsWith('qoe-')))
          expect(of(log), id).toMatchObject({ value: expect.any(Number) });
      } finally {
        await server.stop();
      }
    });
  });

/** Why tests that need these tools are skipped; null where they run. In CI they run, and fail. */
function lacking(names: readonly Case['needs'][]): string | null {
  if (process.env['CI'] === 'true') return null;
  const found = tools();
  const [name] = names.filter((each) => found[each] === null);
  return name === undefined ? null : `${name} is missing: ${found.missing[name] ?? 'set up again'}`;
}

async function played(session: OpenSession): Promise<SessionLog> {
  await session.playing();
  await session.page.waitForFunction(() => window.pitwall!.state().playheadMs! > 5000);
  return session.stop();
}

/** Requests, statuses, ranges, byte counts and protocols are those of the server's own log. */
async function expectServersOwn(
  log: SessionLog,
  { server, protocol }: Pick<Case, 'protocol'> & { server: Origin },
): Promise<void> {
  const requests = requestsIn(log, ['manifest', 'init', 'index', 'media', 'other']);
  // What was on its way when the session ended is cut off: the server may have answered it whole, or not at all.
  const whole = requests.filter(({ outcome }) => outcome === 'ok');
  const cutOff = requests.filter(({ outcome }) => outcome !== 'ok');
  expect(whole.length).toBeGreaterThan(8);
  expect(cutOff.filter(({ outcome }) => outcome !== 'aborted')).toEqual([]);
  // A server writes its line when the answer has gone.
  await expect
    .poll(() => without(answersIn(server), cutOff).map(asAnswered).sort())
    .toEqual(whole.map(asLogged).sort());
  expect(new Set(answersIn(server).map(protocolOf))).toEqual(new Set([protocol]));
  // The log has the protocol also over plain http with an ETag, where Chromium 156 states none for a range once it has cached
  // another range of the file.
  expect(whole.filter((request) => request.protocol !== protocol)).toEqual([]);
}

/** The answers but one, the last, to each of these requests. */
function without(answers: readonly Answer[], requests: readonly RequestEvent[]): Answer[] {
  const left = [...answers];
  for (const request of requests) {
    const at = left.findLastIndex(
      (answer) => answer.uri === uriOf(request) && rangeOf(answer) === (request.range ?? 'whole'),
    );
    if (at >= 0) left.splice(at, 1);
  }
  return left;
}

const rangeOf = ({ range }: Answer): string => /^bytes=(.+)$/.exec(range)?.[1] ?? 'whole';

const asLogged = (request: RequestEvent): string =>
  `${request.status} ${uriOf(request)} ${request.range ?? 'whole'} ${request.receivedBytes}`;

const asAnswered = (answer: Answer): string =>
  `${answer.status} ${answer.uri} ${rangeOf(answer)} ${answer.sizeBytes}`;

/** Every request and the ladder have the bitrates that the MPD states. */
function expectBitrates(log: SessionLog, stated: ReadonlyMap<string, number>): void {
  for (const { url, representationId, bitrateKbps } of requestsIn(log))
    expect(bitrateKbps, url).toBe(stated.get(representationId ?? ''));
  // A ladder is announced again when more is known of it.
  const rungs = eventsOf(log, 'ladder').flatMap((ladder) => ladder.rungs);
  expect(new Map(rungs.map(({ representationId, bitrateKbps }) => [representationId, bitrateKbps]))).toEqual(
    stated,
  );
}
