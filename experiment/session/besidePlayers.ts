import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Page } from '@playwright/test';
import { launchIn } from './launchIn.ts';
import type { Place } from './place.ts';
import type { CompareCell, ComparePlan } from './plan.ts';
import { answered, playSession } from './playSession.ts';
import type { RunningBrowser } from '../../lab/browser/browser.ts';
import { ALONE, besideOf } from '../factors/besideOf.ts';
import type { Profile } from '../../src/network/profile.ts';
import { logEndMs } from '../../src/analysis/timeline/log.ts';
import { playedBySecond } from '../../src/analysis/transport/sharedLink.ts';
import { valueOf } from '../../src/shared/result.ts';
import type { SessionLog } from '../../src/telemetry/schema/sessionLog.ts';

/** Other viewers of a session's stream. Each has a browser and a page of its own. */
export interface BesidePlayers {
  /** Makes all players request play at this moment. */
  begin(playDueAtUnixMs: number): void;
  /** Settles with a sentence when one ends too early: the laboratory failed, not the network. */
  readonly failed: Promise<string>;
  /** Ends all players and resolves to their logs. Repeated calls resolve to the same logs. */
  end(): Promise<readonly SessionLog[]>;
  /** Closes the browsers. Safe to call twice. */
  stop(): Promise<void>;
}

export interface PlayersOptions {
  readonly plan: ComparePlan;
  /** Cell of the viewer. The others play the same stream, and in the same mode where they have none of their own. */
  readonly cell: CompareCell;
  readonly place: Pick<Place, 'appUrl' | 'mpdUrl' | 'browser'>;
  /** Facts of link and origin that the logs of the others have. */
  readonly facts: Partial<SessionLog['environment']>;
}

/**
 * Starts the browsers of the other viewers and loads their pages. Nothing crosses the link before `begin`.
 * @throws Error when a browser does not start or its page does not load
 */
export async function preparePlayers(options: PlayersOptions): Promise<BesidePlayers> {
  const cells = cellsBeside(options.cell);
  const browsers: RunningBrowser[] = [];
  const folders: string[] = [];
  const stop = async (): Promise<void> => {
    await Promise.all(browsers.splice(0).map((browser) => browser.close().catch(() => undefined)));
    for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  };
  let begin = (_playDueAtUnixMs: number): void => {};
  const due = new Promise<number>((resolve) => (begin = resolve));
  try {
    const playing: Playing[] = [];
    for (const cell of cells) {
      const profileDir = await mkdtemp(path.join(tmpdir(), 'pitwall-profile-'));
      folders.push(profileDir);
      const browser = await launchIn(options.place, cell, { profileDir });
      browsers.push(browser);
      playing.push(await startPlaying(browser, { ...options, cell }, due));
    }
    return playersOf(playing, { begin, stop });
  } catch (error) {
    await stop();
    throw error;
  }
}

export const hasPlayers = (cell: CompareCell): boolean => cellsBeside(cell).length > 0;

/** Returns cells like the viewer's, but with rule and mode of their own, cold, without seeks, and with whole segments. */
function cellsBeside(cell: CompareCell): CompareCell[] {
  const groups = valueOf(besideOf(cell.beside ?? ALONE));
  return groups
    .flatMap((group) => (group.kind === 'players' ? Array<typeof group>(group.players).fill(group) : []))
    .map(({ rule, transport }, index) => ({
      ...withoutOptions(cell),
      id: `${cell.id}.beside-${index + 1}`,
      browserProfile: 'cold',
      design: null,
      rule: rule ?? cell.rule,
      transport: transport ?? cell.transport,
    }));
}

const withoutOptions = ({
  viewer: _viewer,
  steering: _steering,
  split: _split,
  racing: _racing,
  priority: _priority,
  player: _player,
  ...cell
}: CompareCell): CompareCell => cell;

interface Playing {
  readonly page: Page;
  readonly log: Promise<SessionLog>;
}

/** Starts a player. Resolves when its page is loaded and only waits for the moment to play. */
async function startPlaying(
  { context }: RunningBrowser,
  { plan, cell, place, facts }: PlayersOptions,
  due: Promise<number>,
): Promise<Playing> {
  const page = context.pages()[0] ?? (await context.newPage());
  let tellLoaded = (): void => {};
  const loaded = new Promise<void>((resolve) => (tellLoaded = resolve));
  const itsPlace: Place = {
    ...place,
    async ready() {
      tellLoaded();
      return due;
    },
    brokeDown: new Promise<never>(() => {}),
    facts: () => Promise.resolve(facts),
    leave: () => Promise.resolve(),
  };
  const log = playSession(page, { plan, cell, place: itsPlace, isEndless: true }).then((its) => ({
    ...its,
    id: cell.id,
    design: null,
  }));
  await Promise.race([loaded, log]);
  return { page, log };
}

function playersOf(
  playing: readonly Playing[],
  { begin, stop }: Pick<BesidePlayers, 'begin' | 'stop'>,
): BesidePlayers {
  let isOver = false;
  let logs: Promise<SessionLog[]> | null = null;
  const failed = new Promise<string>((tell) => {
    for (const { log } of playing)
      log.catch((error: Error) => {
        if (!isOver) tell(`A player beside the viewer ended: ${error.message}`);
      });
  });
  return {
    begin,
    failed,
    end() {
      isOver = true;
      logs ??= Promise.all(
        playing.map(async ({ page, log }) => {
          await answered(page.evaluate(() => window.pitwall!.stop()));
          return log;
        }),
      );
      return logs;
    },
    async stop() {
      isOver = true;
      await stop();
    },
  };
}

type BesideRun = NonNullable<SessionLog['environment']['beside']>;

/** Adds what the logs of other viewers say to what ran beside a viewer. `steps` are those of the link, from its start on. */
export function withPlayers(
  beside: BesideRun,
  others: readonly SessionLog[],
  steps: Profile['steps'],
): BesideRun {
  if (others.length === 0) return beside;
  const { secondsFromUnixMs } = beside;
  const endsAtUnixMs = Math.max(...others.map((log) => log.clock.startedAtUnixMs + logEndMs(log)));
  const seconds = Math.max(0, Math.ceil((endsAtUnixMs - secondsFromUnixMs) / 1000));
  return {
    ...beside,
    players: others.map((log) => ({
      log: `${log.id}.json`,
      rule: log.environment.rule ?? '',
      transport: log.environment.transport ?? '',
      ...playedBySecond(log, { fromUnixMs: secondsFromUnixMs, seconds }),
    })),
    linkKbpsBySecond: ratesBySecond(steps, seconds),
  };
}

/** Returns the rate of the link in each second, kbit/s; the last step lasts for as long as needed. null: without a limit. */
export function ratesBySecond(steps: Profile['steps'], seconds: number): (number | null)[] {
  let [at, endMs] = [0, steps[0]?.durationMs ?? 0];
  return Array.from({ length: seconds }, (_, second) => {
    while (second * 1000 >= endMs && at + 1 < steps.length) endMs += steps[(at += 1)]!.durationMs;
    return steps[at]?.downKbps ?? null;
  });
}
