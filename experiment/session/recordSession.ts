import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Page } from '@playwright/test';
import { mustHaveDiscovered } from './discovery.ts';
import { joinOrigin, joinTruth } from './joinTruth.ts';
import { keepEvidence } from './keepEvidence.ts';
import { launchIn } from './launchIn.ts';
import { keepFaults, sessionFiles, type SessionFiles, settleNetLog, writeWhole } from './sessionFiles.ts';
import { openPlace } from './openPlace.ts';
import type { Place } from './place.ts';
import { mustAgreeWithOrigin } from './originEvidence.ts';
import { playSession } from './playSession.ts';
import { playTransfer } from './playTransfer.ts';
import { mustRaceAsPlanned, withRacing } from './racing.ts';
import type { CompareCell, ComparePlan } from './plan.ts';
import { during, SessionFailure } from './sessionFailure.ts';
import { takeTurn, type Turn } from './takeTurn.ts';
import { watchSources, type TransportSources } from './watchSources.ts';
import type { Browser, RunningBrowser } from '../../lab/browser/browser.ts';
import { browserOf } from '../../lab/browser/registry.ts';
import { invalidatingFlags } from '../verdict/flagged.ts';
import { formatOtherProtocols } from './otherProtocols.ts';
import { isNoSpace } from '../../node/files.ts';
import type { SessionLog } from '../../src/telemetry/schema/sessionLog.ts';

export interface Recording {
  readonly plan: ComparePlan;
  readonly cell: CompareCell;
  /** Whether a log that the guard has flagged is kept, flags and all, for there is no further try. */
  readonly isLastTry: boolean;
}

/**
 * Plays one cell in its own browser and writes its session log, with its races as the transport sources report them.
 * A stream that fails to play still leaves a log, which is returned: that is an outcome.
 * @throws SessionFailure when there is no log
 */
export async function recordSession(recording: Recording): Promise<SessionLog> {
  const { plan, cell } = recording;
  await mkdir(plan.logDir, { recursive: true });
  const turn = await takeTurn(plan.startLock);
  try {
    const place = await openPlace(plan, cell);
    const profileDir = await mkdtemp(path.join(tmpdir(), 'pitwall-profile-'));
    try {
      return await inBrowser(recording, {
        place,
        profileDir,
        turn,
        files: sessionFiles(plan.logDir, cell.id),
      });
    } finally {
      await place.leave();
      await removeProfile(profileDir);
    }
  } finally {
    turn.end();
  }
}

/** Removes a profile. What a child of the browser still writes stays in the temporary folder, as the log is whole. */
const removeProfile = (profileDir: string): Promise<void> =>
  rm(profileDir, { recursive: true, force: true, maxRetries: 5 }).catch(() => undefined);

interface Around {
  readonly place: Place;
  readonly profileDir: string;
  readonly turn: Turn;
  readonly files: SessionFiles;
}

async function inBrowser(
  recording: Recording,
  { place, profileDir, turn, files }: Around,
): Promise<SessionLog> {
  const { plan, cell } = recording;
  const launch = (netLogFile?: string) => launchIn(place, cell, { profileDir, netLogFile });
  const opened: Opened = { browser: null, page: null, sources: null, isPlayed: false };
  try {
    const log = await unlessBroken(
      place,
      playToEnd(recording, { place, turn, opened, launch: () => launch(files.netLog) }),
    );
    // While the page is there: what is kept of a discarded try comes from it.
    mustHaveBeenCalm(log, recording);
    await mustAgreeWithOrigin(log, { plan, cell, place });
    await opened.browser?.close();
    opened.isPlayed = true;
    await during('log-not-written', write(log, { plan, cell, files, opened, place }));
    return log;
  } catch (error) {
    if (isNoSpace(error)) {
      await opened.browser?.close().catch(() => undefined);
      await forgetNetLog(files);
      throw error;
    }
    const reported = await keepEvidence(files, {
      browser: browserOf(cell.browser),
      page: opened.isPlayed ? null : opened.page,
      sources: opened.sources,
      keepNetLog: keepsNetLog(plan, browserOf(cell.browser)),
      close: async () => await opened.browser?.close(),
      reopen: opened.isPlayed ? null : () => launch(),
    });
    for (const line of reported) process.stderr.write(`${cell.id}: ${line}\n`);
    throw error;
  }
}

/** What a session has opened so far, for whoever has to tidy up. */
interface Opened {
  browser: RunningBrowser | null;
  page: Page | null;
  sources: TransportSources | null;
  /** Whether the log was read whole and the browser is closed: nothing is left to be rescued from a profile. */
  isPlayed: boolean;
}

interface Stage {
  readonly place: Place;
  readonly turn: Turn;
  readonly opened: Opened;
  launch(): Promise<RunningBrowser>;
}

async function playToEnd(
  { plan, cell }: Recording,
  { place, turn, opened, launch }: Stage,
): Promise<SessionLog> {
  const browser = (opened.browser = await during('browser-did-not-start', launch()));
  const { context } = browser;
  const play = async (): Promise<SessionLog> => {
    const page = (opened.page = context.pages()[0] ?? (await context.newPage()));
    opened.sources = await watchSources(page, { plan, cell });
    const playing = { plan, cell, place, asked: () => turn.end() };
    const log = await (cell.transfer === undefined
      ? playSession(page, playing)
      : playTransfer(page, playing, cell.transfer));
    return withRacing(log, cell, context);
  };
  return during('browser-ended', play());
}

async function unlessBroken<Value>({ brokeDown }: Place, playing: Promise<Value>): Promise<Value> {
  playing.catch(() => {});
  return Promise.race([
    playing,
    brokeDown.then((failure) => {
      throw failure;
    }),
  ]);
}

/**
 * Refuses the log of a busy machine. Without an emulated link it is kept, with its load: what serves it may be on this machine.
 * @throws SessionFailure when the machine, not the link, was the bottleneck, and the session can be tried again
 */
function mustHaveBeenCalm({ environment }: SessionLog, { cell, isLastTry }: Recording): void {
  const flags = invalidatingFlags(cell, environment);
  if (flags.length > 0 && !isLastTry) throw new SessionFailure('guard-tripped', flags.join(' '));
}

/** Removes a NetLog for which the disk has no space. The session is played again when it has. */
async function forgetNetLog({ netLog }: SessionFiles): Promise<void> {
  await rm(netLog, { force: true });
}

/** Returns whether the NetLog is kept. A browser that reports no races writes none. */
const keepsNetLog = ({ keepNetLog }: ComparePlan, { readRaces }: Browser): boolean =>
  keepNetLog && readRaces !== null;

interface ToWrite {
  readonly plan: ComparePlan;
  readonly cell: CompareCell;
  readonly files: SessionFiles;
  readonly opened: Opened;
  readonly place: Place;
}

/** Writes the log and what the sources report, only after the browser has closed: before, its NetLog is not whole. */
async function write(log: SessionLog, { plan, cell, files, opened, place }: ToWrite): Promise<void> {
  const responses = opened.sources?.responses() ?? null;
  const browser = browserOf(cell.browser);
  const raced = await joinTruth(log, { browser, netLogFile: files.netLog, responses });
  try {
    mustRaceAsPlanned(raced.log, cell);
    mustHaveDiscovered(raced.log, cell, place.dnsQuestions?.() ?? []);
  } catch (error) {
    // Its races say why it was refused.
    await writeWhole(files.partial, JSON.stringify(raced.log));
    throw error;
  }
  const reported = await joinOrigin(raced.log, place.transportLog);
  for (const line of await keepFaults(files, [...raced.faults, ...reported.faults]))
    process.stderr.write(`${line}\n`);
  // Outside campaigns the table says which other protocols were used.
  const otherProtocols = cell.design === null ? null : formatOtherProtocols(reported.log);
  if (otherProtocols !== null) process.stderr.write(`${cell.id}: ${otherProtocols}.\n`);
  await settleNetLog(files, { keep: keepsNetLog(plan, browser) });
  for (const [index, other] of (place.others?.() ?? []).entries())
    await writeWhole(files.beside(index + 1), JSON.stringify(other));
  // The log comes last: a session that has its log is not played again.
  await writeWhole(files.log, JSON.stringify(reported.log));
  await rm(files.transportLog, { force: true });
}
