import { writeFile } from 'node:fs/promises';
import {
  actions,
  ADVANCE_MS,
  advance,
  LIMIT_MS,
  fillBelowTarget,
  type Action,
  type StreamName,
  makeHoldStreams,
  STREAMS,
  type HoldStreams,
} from '../fixtures/holdActions.ts';
import { eventsOf } from '../fixtures/logEvents.ts';
import type { OpenSession } from '../fixtures/openSession.ts';
import { startOrigin } from '../fixtures/startOrigin.ts';
import { expect, test } from '../fixtures/test.ts';
import type { Origin } from '../../lab/caddy/origin.ts';
import { seededRandom } from '../../src/analysis/statistics/random.ts';
import { playerRules } from '../../src/player/rules.ts';
import type { SessionLog } from '../../src/telemetry/schema/sessionLog.ts';

/**
 * Rules that hold, with numbers that make them hold well below dash.js' target of 20 s where they have such: then they
 * hold in a short stream, too, and at its end, where no request follows the answer.
 */
const HOLDING: Readonly<Record<string, string>> = {
  bola: 'bola:bufferMaxMs=6000',
  'bola-e': 'bola-e',
  'bola-finite': 'bola-finite:bufferMaxMs=6000',
  'bola-o': 'bola-o:bufferMaxMs=6000',
  'bola-u': 'bola-u:bufferMaxMs=6000',
  dynamic: 'dynamic',
  festive: 'festive:spreadSegments=4',
  sara: 'sara:initialMs=1000:alphaMs=2000:betaMs=4000',
};
/** Rules that can hold, but not here: the level of their top rung of three is at least 20.3 s, and dash.js' target 20 s. */
const ABOVE_TARGET = ['bola-e', 'dynamic'];
/** Rules of dash.js, which hold by its own means: only some of their holds are in our log. */
const DASHJS_HOLDING = ['dashjs-dynamic', 'dashjs-bola'];
/** Reasons why rules are not in the matrix. */
const LEFT_OUT: Readonly<Record<string, string>> = {
  pensieve: 'needs a file that a user brings, and never holds (neural is loaded the same way)',
};
const NO_HOLD =
  '"seek while held" of rules that never hold: there is no such state, and "seek back" is the same';

interface Part {
  readonly rule: string;
  readonly stream: StreamName;
  readonly actions: readonly Action[];
}
interface Cell {
  readonly rule: string;
  readonly stream: StreamName;
  readonly action: string;
  /** Sentence about why playback did not go on; null: it went on. */
  readonly fault: string | null;
}

const holds = (rule: string): boolean => rule in HOLDING || DASHJS_HOLDING.includes(rule);

const whole: readonly Part[] = playerRules
  .filter(({ id }) => !(id in LEFT_OUT))
  .flatMap(({ id: rule }) =>
    (Object.keys(STREAMS) as StreamName[]).map((stream) => ({
      rule,
      stream,
      actions: actions.filter(({ needsHold }) => !needsHold || holds(rule)),
    })),
  );

const SEED = Number(process.env['PITWALL_SEED'] ?? 41);
/** Count of the actions of each part that a plain run draws; the others are left out. */
const SAMPLED_ACTIONS = 2;
const isWhole = process.env['PITWALL_FULL'] === '1';
const drawn = isWhole ? whole : sample(whole, seededRandom(SEED));

/** Draws each of our rules that hold, on one stream each, and two of the other rules. */
function sample(from: readonly Part[], random: () => number): readonly Part[] {
  const draw = <T>(among: readonly T[]): T => among[Math.floor(random() * among.length)]!;
  const others = [...new Set(from.map(({ rule }) => rule))].filter((rule) => !(rule in HOLDING));
  return [...Object.keys(HOLDING), draw(others), draw(others)].map((rule) => {
    const part = draw(from.filter((each) => each.rule === rule));
    const order = part.actions.map((action) => ({ action, key: random() })).sort((a, b) => a.key - b.key);
    const chosen = order.slice(0, SAMPLED_ACTIONS).map(({ action }) => action);
    return { ...part, actions: part.actions.filter((action) => chosen.includes(action)) };
  });
}

/** Count of sessions at a time: two cores keep up with five small streams. */
const AT_ONCE = 5;

test.describe('playback goes on under every rule, after whatever a viewer does', () => {
  let streams: HoldStreams;
  let origin: Origin;
  test.beforeAll(async () => {
    streams = await makeHoldStreams();
    origin = await startOrigin({ mounts: streams.mounts });
  });
  test.afterAll(async () => {
    await origin.stop();
    await streams.remove();
  });

  test(`${isWhole ? 'all' : `a sample (seed ${SEED}) of all`} rules × actions × streams`, async ({
    open,
  }) => {
    test.setTimeout(isWhole ? 45 * 60_000 : 180_000);
    const browser = await open({ origin, mpd: STREAMS.short.mpd, autoplay: false });
    const waiting = [...drawn];
    const cells: Cell[] = [];
    const held = new Set<string>();
    const lane = async (): Promise<void> => {
      for (let part = waiting.shift(); part; part = waiting.shift()) {
        const result = await playPart(browser, part);
        cells.push(...result.cells);
        if (result.held) held.add(part.rule);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, lane));
    print(cells);
    expect(cells.filter(({ fault }) => fault !== null)).toEqual([]);
    expect(cells).toHaveLength(drawn.reduce((sum, part) => sum + part.actions.length, 0));
    // A rule that never held would be no test of holds.
    const mustHold = Object.keys(HOLDING).filter((rule) => !ABOVE_TARGET.includes(rule));
    if (isWhole) expect(mustHold.filter((rule) => !held.has(rule))).toEqual([]);
  });
});

interface Played {
  readonly cells: readonly Cell[];
  readonly held: boolean;
}

/** Plays one session with one action after the other; after a fault a new session does the rest. */
async function playPart(browser: OpenSession, { rule, stream, actions: todo }: Part): Promise<Played> {
  const left = [...todo];
  const cells: Cell[] = [];
  let held = false;
  while (left.length > 0) {
    const session = await browser.another({ mpd: STREAMS[stream].mpd, rule: HOLDING[rule] ?? rule });
    const done = await playActions(session, { rule, stream }, left);
    const log = await session.stop();
    await session.close();
    const seen = done.map(({ action, fault, ...span }) => ({
      rule,
      stream,
      action,
      fault: fault ?? faultInLog(log, span),
    }));
    if (seen.some(({ fault }) => fault !== null)) await keepLog(log, `${rule}-${stream}-${cells.length}`);
    cells.push(...seen);
    held ||= eventsOf(log, 'decision').some(({ holdUntilBufferMs }) => holdUntilBufferMs !== null);
  }
  return { cells, held };
}

/** An action, with the session time from it until playback had gone on; `fault` says why playback did not. */
interface Done {
  readonly action: string;
  readonly fault: string | null;
  readonly fromMs: number;
  readonly toMs: number;
}

/** Does the actions up to the first fault, and takes them from `left`. */
async function playActions(
  session: OpenSession,
  given: { rule: string; stream: StreamName },
  left: Action[],
): Promise<Done[]> {
  const done: Done[] = [];
  const rule = HOLDING[given.rule] ?? given.rule;
  const nowMs = async (): Promise<number> => (await session.state()).sessionMs;
  for (let action = left.shift(); action; action = left.shift()) {
    let fromMs = 0;
    try {
      if (done.length === 0) {
        await session.playing();
        await advance(session);
      }
      await fillBelowTarget(session, given.stream);
      await action.run(session, { stream: given.stream, rule });
      fromMs = await nowMs();
      await advance(session);
      done.push({ action: action.name, fault: null, fromMs, toMs: await nowMs() });
    } catch (thrown) {
      const fault = thrown instanceof Error ? thrown.message : String(thrown);
      return [...done, { action: action.name, fault, fromMs, toMs: fromMs }];
    }
  }
  return done;
}

/** Keeps a session's log beside the trace of a red run. */
const keepLog = (log: SessionLog, name: string): Promise<void> =>
  writeFile(test.info().outputPath(`${name}.json`), JSON.stringify(log));

/** States of playback in which the playhead is the place of the picture. */
const SAYS_PLACE: ReadonlySet<string> = new Set(['playing', 'sample']);

/** Finds in the session's log why playback did not go on: the playhead stood, or something failed or stalled for long. */
function faultInLog(log: SessionLog, { fromMs, toMs }: { fromMs: number; toMs: number }): string | null {
  const within = ({ atMs }: { atMs: number }): boolean => atMs >= fromMs && atMs <= toMs;
  // A jump is no movement: dash.js seeks by itself where it replaces a track.
  const seeks = eventsOf(log, 'seek').map(({ atMs }) => atMs);
  const seen = eventsOf(log, 'playback').filter((each) => SAYS_PLACE.has(each.state) && within(each));
  const movedMs = Math.max(
    0,
    ...seen.slice(1).map(({ atMs, playheadMs }, index) => {
      const before = seen[index]!;
      const jumped = seeks.some((seekMs) => seekMs > before.atMs && seekMs <= atMs);
      return jumped ? 0 : (playheadMs ?? 0) - (before.playheadMs ?? 0);
    }),
  );
  if (movedMs < ADVANCE_MS / 10) return `in the log the playhead moved by ${movedMs} ms`;
  const stall = eventsOf(log, 'stall').find(
    (each) => within(each) && (each.durationMs ?? LIMIT_MS) >= LIMIT_MS,
  );
  if (stall) return `in the log playback stalled at ${stall.atMs} ms`;
  const error = eventsOf(log, 'error').find((each) => each.fatal && within(each));
  return error ? `in the log: ${error.message}` : null;
}

/** Prints rule × action, each cell with the streams "short long"; a dot is for what was not played. */
function print(cells: readonly Cell[]): void {
  const line = (words: readonly string[]): void => console.log(words.map((word) => word.padEnd(18)).join(''));
  line(['', ...actions.map(({ name }) => name)]);
  for (const { id } of playerRules) {
    const mark = (stream: string, action: string): string => {
      const found = cells.filter(
        (each) => each.rule === id && each.stream === stream && each.action === action,
      );
      if (found.length === 0) return '.';
      return found.every(({ fault }) => fault === null) ? 'ok' : 'FROZEN';
    };
    line([id, ...actions.map(({ name }) => `${mark('short', name)} ${mark('long', name)}`)]);
  }
  const failed = cells.filter(({ fault }) => fault !== null);
  const all = whole.reduce((sum, part) => sum + part.actions.length, 0);
  console.log(
    `${cells.length - failed.length} of ${cells.length} cells went on; ${all - cells.length} left out (seed ${SEED})`,
  );
  for (const [rule, reason] of Object.entries(LEFT_OUT)) console.log(`never: ${rule}: ${reason}`);
  console.log(`never: ${NO_HOLD}`);
  for (const { rule, stream, action, fault } of failed)
    console.log(`${rule}, ${stream}, ${action}: ${fault}`);
}
