import { writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  BROKEN_AFTER_S,
  goesOn,
  nameOf,
  outageCases,
  type OutageCase,
} from '../../src/player/failures/outageCases.testing.ts';
import { eventsOf } from '../fixtures/logEvents.ts';
import type { OpenSession } from '../fixtures/openSession.ts';
import { sampled } from '../fixtures/sampled.ts';
import { startFaultyServer, type FaultyServer, type MediaRequest } from '../fixtures/screen/faultyServer.ts';
import { screenSource } from '../fixtures/screen/screenStream.ts';
import { expect, test } from '../fixtures/test.ts';

const isWhole = process.env['PITWALL_FULL'] === '1';
/** The seed draws each kind of stream and each kind of outage once. */
const cases = sampled(outageCases, { count: 3, seed: 1458 });
/** Count of sessions at a time: they mostly wait. */
const AT_ONCE = 6;

const PLAYS_FIRST_S = 6;
const LOOK_EVERY_MS = 500;
/** What has to be played after an outage, without standing. */
const PLAYS_ON_S = 8;
/** What a busy machine adds. */
const TOLERANCE_S = 5;
/** The longest pause of the page between two rounds of tries, and a round. */
const ROUND_S = 8 + 3;
/** The preset's time limit of a request, and dash.js' pause after it. */
const TIMEOUT_S = 120 + 1;
/** dash.js seeks at the end of the live stream's window of 30 s; the page looks each second, and goes to the edge after 65 s. */
const HANGS_S = 30 + 1 + 65 + 1;

/** s after the beginning of the outage. */
function limitS({ kind, how, outageS }: OutageCase): number {
  if (how !== 'silent') return outageS + ROUND_S;
  return kind === 'vod' ? outageS + TIMEOUT_S : HANGS_S;
}

/**
 * Requests for one file in any one second, and for all of one kind of media a second, on average over an outage. With low latency
 * dash.js may try two segments at a time, ten times a second each.
 */
const MAX_A_SECOND = {
  vod: { burst: 4, mean: 1.3 },
  live: { burst: 4, mean: 1.3 },
  'low-latency': { burst: 14, mean: 10 },
};

interface Look {
  /** s since the beginning of the outage. */
  readonly atS: number;
  readonly playheadS: number;
  readonly loadedUntilS: number;
  /** The sentence that playback ended with, as the page's state has it and as it is shown. */
  readonly error: string | null;
  readonly shown: string;
}

interface Played {
  readonly looks: readonly Look[];
  /** s of the stream that were loaded ahead at the end of the outage. */
  readonly aheadS: number;
  /** The look at which it played what came after the outage; null: it did not. */
  readonly back: Look | null;
  readonly requests: readonly MediaRequest[];
  readonly fatals: readonly string[];
}

test(`after an outage playback goes on, or ends with a true sentence (${isWhole ? 'all' : 'sampled'} cases)`, async ({
  open,
  origin,
}) => {
  test.setTimeout(isWhole ? 30 * 60_000 : 300_000);
  const server = await startFaultyServer(await screenSource());
  try {
    const browser = await open({
      origin,
      mpd: '/media/demo/manifest.mpd',
      autoplay: false,
    });
    // The longest first.
    const waiting = [...cases].sort((one, other) => limitS(other) - limitS(one));
    const lane = async (): Promise<void> => {
      for (let each = waiting.shift(); each; each = waiting.shift())
        check(each, await play(browser, server, each));
    };
    await Promise.all(Array.from({ length: AT_ONCE }, lane));
  } finally {
    await server.stop();
  }
});

async function play(browser: OpenSession, server: FaultyServer, asked: OutageCase): Promise<Played> {
  const mpd = server.manifestUrl({ delivery: asked.kind, hasSound: true }, []);
  const session = await browser.another({ mpd });
  await session.playing();
  await sleep(PLAYS_FIRST_S * 1000);
  server.setOutage(mpd, asked.how);
  const beganUnixMs = Date.now();
  const look = async (): Promise<Look> => ({
    ...(await lookAt(session)),
    atS: (Date.now() - beganUnixMs) / 1000,
  });
  const looks = [await look()];
  const lookUntil = async (isDone: (last: Look) => boolean): Promise<void> => {
    while (looks.at(-1)!.error === null && !isDone(looks.at(-1)!)) {
      await sleep(LOOK_EVERY_MS);
      looks.push(await look());
    }
  };
  await lookUntil(({ atS }) => atS >= asked.outageS);
  server.setOutage(mpd, null);
  const { loadedUntilS, playheadS } = looks.at(-1)!;
  const untilS = limitS(asked) + (loadedUntilS - playheadS) + TOLERANCE_S + PLAYS_ON_S;
  await lookUntil(({ atS }) => atS >= untilS || backIn(looks, loadedUntilS) !== null);
  const fatals = eventsOf(await session.log(), 'error').flatMap(({ fatal, message }) =>
    fatal ? [message] : [],
  );
  await session.close();
  const requests = server.requestsOf(mpd).filter(({ atUnixMs }) => atUnixMs >= beganUnixMs);
  return {
    looks,
    aheadS: loadedUntilS - playheadS,
    back: backIn(looks, loadedUntilS),
    requests,
    fatals,
  };
}

const lookAt = ({ page }: OpenSession): Promise<Omit<Look, 'atS'>> =>
  page.evaluate(() => {
    const { currentTime, buffered } = document.querySelector('video')!;
    return {
      playheadS: currentTime,
      loadedUntilS: buffered.length > 0 ? buffered.end(buffered.length - 1) : currentTime,
      error: window.pitwall!.state().error,
      shown: document.querySelector('[role=alert]')?.textContent ?? '',
    };
  });

/** The first look from which it played on, beyond what was loaded in the outage; null: there is none yet. */
function backIn(looks: readonly Look[], loadedUntilS: number): Look | null {
  const last = looks.at(-1)!;
  const stood = looks.findLastIndex(({ playheadS }, index) => playheadS === looks[index - 1]?.playheadS);
  const back = looks.slice(stood + 1).find(({ playheadS }) => playheadS > loadedUntilS);
  return back && last.atS - back.atS >= PLAYS_ON_S ? back : null;
}

function check(asked: OutageCase, played: Played): void {
  const { looks, back, aheadS, requests, fatals } = played;
  const name = nameOf(asked);
  const last = looks.at(-1)!;
  const duringOutage = requests.filter(({ outage }) => outage !== null);
  const stoodS =
    (looks.filter(({ playheadS }, index) => playheadS === looks[index - 1]?.playheadS).length *
      LOOK_EVERY_MS) /
    1000;
  const outcome = back
    ? `goes on at ${back.atS.toFixed(1)} s`
    : `ends at ${last.atS.toFixed(1)} s: ${last.error}`;
  console.log(`${name}: ${outcome}; stood for ${stoodS} s, ${duringOutage.length} requests in the outage`);
  const faults = [
    ...(goesOn(asked) ? faultsOfGoingOn(asked, { back, aheadS, fatals }) : faultsOfEnd(asked, played)),
    ...faultsOfRequests(asked, duringOutage),
    ...(stoodS === 0 && duringOutage.length === 0 ? ['the outage had no effect'] : []),
  ];
  if (faults.length > 0)
    writeFileSync(test.info().outputPath(`${name.replaceAll(/\W+/g, '-')}.json`), JSON.stringify(played));
  expect.soft(faults, name).toEqual([]);
}

function faultsOfGoingOn(
  asked: OutageCase,
  { back, aheadS, fatals }: Pick<Played, 'back' | 'aheadS' | 'fatals'>,
): readonly string[] {
  const limit = Math.max(limitS(asked), asked.outageS + aheadS) + TOLERANCE_S;
  if (back === null) return ['playback did not go on', ...fatals];
  return back.atS <= limit ? fatals : [`it went on at ${back.atS} s, later than ${limit} s`];
}

function faultsOfEnd(asked: OutageCase, { looks, requests, fatals }: Played): readonly string[] {
  const { atS, error, shown } = looks.at(-1)!;
  const sentence = new RegExp(
    `^The segment of the (video|audio) \\((\\d+)\\.m4s\\) could not be loaded: the server answered ${asked.how}\\. ` +
      '5 segments in a row are missing, so playback ends here\\.$',
  );
  const [, media, number] = sentence.exec(error ?? '') ?? [];
  if (media === undefined) return [`it ended with ${error}`];
  const inOutage = requests.filter(({ outage, path }) => outage !== null && path.startsWith(`/${media}`));
  const missing = new Set(inOutage.flatMap(({ path }) => /(\d+)\.m4s/.exec(path)?.[1] ?? []));
  return [
    ...(missing.size === 5 && missing.has(number!)
      ? []
      : [`the server was asked for ${[...missing].join()}`]),
    ...(shown.includes(error!) ? [] : [`the page shows ${shown}`]),
    ...(fatals.length === 1 ? [] : fatals),
    ...(atS <= BROKEN_AFTER_S + TOLERANCE_S ? [] : [`it ended at ${atS} s`]),
  ];
}

function faultsOfRequests(
  { kind, outageS, how }: OutageCase,
  requests: readonly MediaRequest[],
): readonly string[] {
  const { burst, mean } = MAX_A_SECOND[kind];
  return ['video', 'audio'].flatMap((media) => {
    const asked = requests.filter(({ path }) => path.startsWith(`/${media}`));
    const inASecond = Math.max(
      0,
      ...asked.map(
        ({ path, atUnixMs: fromMs }) =>
          asked.filter(
            (each) => each.path === path && each.atUnixMs >= fromMs && each.atUnixMs < fromMs + 1000,
          ).length,
      ),
    );
    // What has no answer is asked for again by a seek alone.
    const max = how === 'silent' ? 3 : outageS * mean + burst;
    return [
      ...(inASecond <= burst ? [] : [`${inASecond} requests for one file of ${media} in one second`]),
      ...(asked.length <= max ? [] : [`${asked.length} requests for ${media} in the outage`]),
    ];
  });
}
