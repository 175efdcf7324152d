import type { Page } from '@playwright/test';
import type { Place } from './place.ts';
import { browserProfileOf, joinLimitMs, type CompareCell, type ComparePlan } from './plan.ts';
import { during, SessionFailure } from './sessionFailure.ts';
import { visitPage } from './visitPage.ts';
import { countDown, within } from './within.ts';
import { browserOf } from '../../lab/browser/registry.ts';
import { OWN_RULE } from '../factors/rule.ts';
import { ownRuleOf } from '../resolve/faultOfRule.ts';
import type { RuleFile } from '../../src/abr/ruleFile.ts';
import { formatSplit } from '../../src/shared/format.ts';
import { readSession } from '../../src/telemetry/schema/readSession.ts';
import type { SessionLog } from '../../src/telemetry/schema/sessionLog.ts';

/** Phases after which nothing plays: a viewer may leave before the session is over. */
const ENDS = ['failed', 'stopped'];

/** A constant lead-in means this: the same moment of the network for every arm. */
const ON_TIME_MS = 100;

export interface Playing {
  readonly plan: ComparePlan;
  readonly cell: CompareCell;
  readonly place: Place;
  /** Called once play has been asked for. */
  readonly asked?: () => void;
  /** The session goes on until its page is stopped, also without a frame; absent: it ends by itself. */
  readonly isEndless?: boolean;
}

/**
 * Plays one cell on a page and answers its log. A stream that does not start, or fails, leaves a log like any other: that
 * is an outcome. @throws SessionFailure when the laboratory failed
 */
export async function playSession(page: Page, playing: Playing): Promise<SessionLog> {
  const { plan, cell, place, asked } = playing;
  await makeReady(page, playing);
  const dueAtUnixMs = await place.ready();
  const leftMs = dueAtUnixMs === null ? () => 0 : countDown(dueAtUnixMs - EARLY_MS);
  const before =
    browserProfileOf(plan, cell) === 'warm' ? await visitPage(page, { place, cell, dueAtUnixMs }) : {};
  const opened = page.evaluate(openWhenDue, {
    query: String(queryOf(playing)),
    atUnixMs: dueAtUnixMs === null ? null : dueAtUnixMs - EARLY_MS,
    maxWaitMs: leftMs(),
  });
  await answered(opened, ANSWER_MS + Math.max(0, leftMs()));
  asked?.();
  const { joinMs, playMs } = limitsOf(playing);
  const hasStarted = await waitForState(page, ['playing', ...ENDS], { withinMs: joinMs, everyMs: 100 });
  if (dueAtUnixMs !== null) {
    const begun = await logOf(page);
    mustHaveBegunOnTime(begun, dueAtUnixMs, playRequestedMs(begun));
  }
  if (hasStarted) await waitForState(page, ENDS, { withinMs: playMs, everyMs: 1000 });
  await answered(page.evaluate(() => window.pitwall!.stop()));
  return placeSession(page, await logOf(page), playing, before);
}

/** How long the first frame is waited for, and how long the stream then plays. */
const limitsOf = ({ plan, cell, isEndless = false }: Playing): { joinMs: number; playMs: number } =>
  isEndless
    ? { joinMs: Infinity, playMs: Infinity }
    : { joinMs: joinLimitMs(cell), playMs: plan.seconds * 1000 };

/** All that is work and not playing. */
async function makeReady(page: Page, { plan, cell, place }: Playing): Promise<void> {
  // Idle: the player has been loaded, the rule too with what it needs, and nothing is left to wait for once play is due.
  const asked = new URLSearchParams({ rule: formatRule({ plan, cell }), ...namedPlayer(cell) });
  const address = `${place.appUrl}?${asked}`;
  await during('page-did-not-load', page.goto(address, { waitUntil: 'networkidle' }));
  await answered(page.evaluate(showOnlyTheVideo));
  if (!plan.devTools) await silenced(page, cell);
  const given = plan.weights?.[cell.rule];
  // As a visitor who chooses a file: nothing of it comes over the measured network.
  if (given) await answered(page.setInputFiles(given.own ? '#rule-file' : '#weights-file', given.file));
  if (given?.own) await during('page-did-not-load', page.waitForFunction(isRuleTaken, null, { polling: 50 }));
}

/** Runs in the page: what it says below its field once it has read a rule file. */
const isRuleTaken = (): boolean => document.getElementById('rule-file-note')?.dataset['done'] !== undefined;

/** Lets a browser report none of the page's requests. */
export const silenced = (page: Page, { browser }: Pick<CompareCell, 'browser'>): Promise<void> =>
  answered(Promise.resolve(browserOf(browser).disableNetworkEvents?.(page)));

function formatRule({ plan, cell: { rule, player } }: Pick<Playing, 'plan' | 'cell'>): string {
  return plan.weights?.[rule]?.spec ?? (rule === OWN_RULE ? ownRuleOf(player) : rule);
}

/** dash.js needs no name: its sessions are those of a campaign without players. */
const namedPlayer = ({ player = 'dashjs' }: CompareCell): { readonly player?: string } =>
  player === 'dashjs' ? {} : { player };

/** hls.js plays the playlist that lies beside the MPD. */
const streamFor = ({ player }: CompareCell, mpdUrl: string): string =>
  player === 'hlsjs' ? mpdUrl.replace(/\.mpd(?=$|[?#])/, '.m3u8') : mpdUrl;

function queryOf({ plan, cell, place }: Playing): URLSearchParams {
  const split = formatSplit(cell);
  const query = new URLSearchParams({
    mpd: streamFor(cell, place.mpdUrl),
    rule: formatRule({ plan, cell }),
    preset: plan.presetId,
    ...namedPlayer(cell),
    ...(cell.steering !== undefined && { steering: cell.steering }),
    ...(cell.viewer !== undefined && { viewer: cell.viewer }),
    ...(split !== '' && { split }),
    ...(cell.design && { seed: String(cell.design.seed) }),
  });
  const own = place.tcpUrl === undefined ? [] : [`tcp=${place.tcpUrl}`];
  for (const pathway of [...own, ...(cell.pathways ?? [])]) query.append('pathway', pathway);
  return query;
}

/** Time between the call to a page and its request for the manifest: 30 to 60 ms on two cores. */
const EARLY_MS = 40;

/** Runs in the page: charts and figures that nobody looks at are not drawn, and leave their time to the player. */
function showOnlyTheVideo(): void {
  for (const element of document.querySelectorAll<HTMLElement>('#charts, #figures, #decision, .p-diag'))
    element.style.display = 'none';
}

/** What a page does when it is due. */
export interface WhenDue {
  readonly query: string;
  /** null: at once. */
  readonly atUnixMs: number | null;
  /** By a clock that nobody sets. */
  readonly maxWaitMs: number;
}

/** Runs in the page: its own timer is nearer to the moment than a message to it. A stream that fails is an outcome. */
async function openWhenDue({ query, atUnixMs, maxWaitMs }: WhenDue) {
  if (atUnixMs !== null)
    await new Promise((due) => setTimeout(due, Math.min(atUnixMs - Date.now(), maxWaitMs)));
  await window.pitwall!.open(query).catch(() => {});
}

/** What Playwright takes for a wait without a limit. */
const UNLIMITED = 0;

/** Whether playback has come into one of the phases. It is asked rarely: asking every frame is work for the page. */
export async function waitForState(
  page: Page,
  phases: readonly string[],
  { withinMs, everyMs }: { withinMs: number; everyMs: number },
): Promise<boolean> {
  const isThere = (wanted: readonly string[]) => wanted.includes(window.pitwall!.state().phase);
  try {
    const timeout = Number.isFinite(withinMs) ? withinMs : UNLIMITED;
    await page.waitForFunction(isThere, phases, { timeout, polling: everyMs });
    return true;
  } catch (error) {
    if ((error as Error).name === 'TimeoutError') return false;
    throw error;
  }
}

export async function logOf(page: Page): Promise<SessionLog> {
  const log = readSession(await answered(page.evaluate(() => window.pitwall!.session())));
  if (!log.ok) throw new SessionFailure('log-not-valid', log.error);
  return log.value;
}

/** A log of a day is written in seconds. */
export const ANSWER_MS = 60_000;

/**
 * Waits for whatever is asked of a page. @throws SessionFailure where it gives no answer: a script that never ends lets it take
 * no question
 */
export const answered = <Answer>(asked: Promise<Answer>, withinMs = ANSWER_MS): Promise<Answer> =>
  during('browser-ended', within(withinMs, asked));

const playRequestedMs = ({ events }: SessionLog): number | null =>
  events.find((event) => event.kind === 'playback' && event.state === 'play-requested')?.atMs ?? null;

/**
 * `begunMs` is when the page did what was due, in session time; null: never. @throws SessionFailure when that is another moment
 * than the plan says
 */
export function mustHaveBegunOnTime(
  { clock }: Pick<SessionLog, 'clock'>,
  dueAtUnixMs: number,
  begunMs: number | null,
): void {
  if (begunMs === null) throw new SessionFailure('play-not-on-time', 'the log has no request to play');
  const lateMs = clock.startedAtUnixMs + begunMs - dueAtUnixMs;
  if (Math.abs(lateMs) > ON_TIME_MS)
    throw new SessionFailure('play-not-on-time', `play was requested ${Math.round(lateMs)} ms too late`);
}

/**
 * The page cannot know how its browser was started, nor its place in a campaign; whoever started it writes both down. `before` is
 * what the environment says of the time before the session.
 */
export async function placeSession(
  page: Page,
  log: SessionLog,
  { plan, cell, place }: Pick<Playing, 'plan' | 'cell' | 'place'>,
  before: Partial<SessionLog['environment']>,
): Promise<SessionLog> {
  const { label } = browserOf(cell.browser);
  const browser = `${label} ${page.context().browser()?.version() ?? ''}`.trim();
  const facts = { ...(await place.facts(log)), ...before, transport: cell.transport, browser };
  const missing = Object.fromEntries(
    Object.entries(log.environment.missing).filter(([field]) => !(field in facts)),
  );
  const own = plan.weights?.[cell.rule]?.own;
  const ofSource = own ? withSource(log, own) : log;
  const environment = { ...ofSource.environment, ...facts, missing };
  return cell.design === null
    ? { ...ofSource, environment }
    : { ...ofSource, id: cell.id, environment, design: cell.design };
}

/** Names the rule file that was resolved: the page was given its JavaScript, under another name. */
function withSource(log: SessionLog, { name: file, sha256 }: Pick<RuleFile, 'name' | 'sha256'>): SessionLog {
  const { ruleParameters } = log.environment;
  const named = <Recorded extends object>(parameters: Recorded): Recorded => ({
    ...parameters,
    file,
    sha256,
  });
  return {
    ...log,
    environment: { ...log.environment, ruleParameters: ruleParameters && named(ruleParameters) },
    events: log.events.map((event) =>
      event.kind === 'rule' && event.parameters && 'sha256' in event.parameters
        ? { ...event, parameters: named(event.parameters) }
        : event,
    ),
  };
}
