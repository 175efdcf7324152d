import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { RunOptions } from './runOptions.ts';
import { startWatchdog } from '../../lab/caddy/watchdog.ts';
import { sweepLinks } from '../../lab/link/sweepLinks.ts';
import { NOTHING_REPORTED, type RunEnd } from '../session/progress/progressReporter.ts';
import { EXIT } from '../../node/exitCodes.ts';
import { isPackage, stateFolder } from '../../setup/installation.mjs';
import { PLAN_VARIABLE, type ComparePlan, type RunFacts } from '../session/plan.ts';
import { sharedStartLock } from '../session/takeTurn.ts';
import { announceRun, makeRunFolder, runRootPid } from '../session/lock/machineRuns.ts';

type Options = Pick<RunOptions, 'workers' | 'shard'> & {
  readonly root: string;
  /** After which sessions that still play are cut off; absent: none. Above 0. */
  readonly limitMs?: number;
};

/** A group of its own, so that it can be ended as a whole. Windows has none, and would open a window. */
const isGroup = process.platform !== 'win32';

/**
 * Plays the plan with Playwright's own runner. Resolves to the exit code; Ctrl-C ends it and keeps finished logs.
 *
 * Runner, workers and browsers have one temporary folder and (browsers apart, which end with their pipes) one process
 * group. Both go when the runner ends in whatever way, and a watchdog sees to it when we are ended by `kill -9`.
 */
export async function runPlaywright(
  options: Options,
  plan: Omit<ComparePlan, keyof RunFacts>,
): Promise<number> {
  const folder = makeRunFolder();
  const watchdog = startWatchdog(folder, { isGroup });
  try {
    // As a file: an environment variable may hold 128 KiB (execve(2)), which is a few hundred sessions.
    const planFile = path.join(folder, 'plan.json');
    const rootPid = runRootPid();
    announceRun(folder, { folder: plan.logDir, rootPid });
    const within = tmpdir();
    const isShared = plan.networks.length > 0 && rootPid !== process.pid;
    const startLock = isShared ? sharedStartLock(within, rootPid) : path.join(folder, 'start.lock');
    const facts: RunFacts = { startedAtUnixMs: Date.now(), rootPid, runsFolder: within, startLock };
    writeFileSync(planFile, JSON.stringify({ ...plan, ...facts } satisfies ComparePlan));
    const runner = start(options, { folder, planFile });
    watchdog.watch(runner.pid ?? null);
    let reported = NOTHING_REPORTED;
    runner.on('message', (end) => void (reported = end as RunEnd));
    const { code, signal } = await waitForEnd(runner);
    if (signal !== null) await afterKill(signal);
    if (reported.isDiskFull) return EXIT.noSpace;
    return code === 0 && reported.notShown > 0 ? EXIT.notShown : (code ?? EXIT.interrupted);
  } finally {
    await removeFolder(folder);
    watchdog.release();
    if (plan.networks.length > 0) await sweepLinks();
  }
}

const LAST_WORDS_MS = 1500;

/** Browsers end when their workers have, and write into their profiles until then. */
async function afterKill(signal: NodeJS.Signals): Promise<void> {
  process.stderr.write(
    `pitwall: Playwright's runner was ended by ${signal}. Complete logs are kept; run the same command again to resume a campaign.\n`,
  );
  await sleep(LAST_WORDS_MS);
}

const QUIET_MS = 300;
const TRIES = 30;

async function removeFolder(folder: string): Promise<void> {
  for (let attempt = 0; attempt < TRIES; attempt++) {
    await rm(folder, { recursive: true, force: true }).catch(() => {});
    if (!existsSync(folder)) return;
    await sleep(QUIET_MS);
  }
}

/** What Playwright's command line is given. */
export const runnerArguments = ({ root, workers, shard, limitMs }: Options): string[] => [
  'test',
  `--config=${isPackage(root) ? 'lib/play/playwright.config.mjs' : 'experiment/session/playwright.config.ts'}`,
  `--workers=${workers}`,
  ...(shard ? [`--shard=${shard}`] : []),
  ...(limitMs === undefined ? [] : [`--global-timeout=${Math.ceil(limitMs)}`]),
];

function start(options: Options, { folder, planFile }: { folder: string; planFile: string }): ChildProcess {
  const { root } = options;
  const cli = createRequire(path.join(root, 'package.json')).resolve('@playwright/test/cli');
  return spawn(process.execPath, [cli, ...runnerArguments(options)], {
    cwd: root,
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    detached: isGroup,
    env: {
      ...process.env,
      TMPDIR: folder,
      // Shared by all runs: compiling anew takes seconds.
      PLAYWRIGHT_TRANSFORM_CACHE_DIR: path.join(stateFolder(root), 'playwright-cache'),
      [PLAN_VARIABLE]: planFile,
    },
  });
}

/** Ctrl-C, a scheduler, a terminal that is closed. */
const ENDING = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

interface Ended {
  readonly code: number | null;
  /** What killed it. */
  readonly signal: NodeJS.Signals | null;
}

function waitForEnd(runner: ChildProcess): Promise<Ended> {
  const interrupt = (): void => void runner.kill('SIGINT');
  for (const signal of ENDING) process.once(signal, interrupt);
  return new Promise((resolve, reject) => {
    runner.once('error', reject);
    runner.once('exit', (code, signal) => {
      for (const signal of ENDING) process.off(signal, interrupt);
      endGroup(runner);
      resolve({ code, signal });
    });
  });
}

/** A runner that was killed leaves its workers. */
function endGroup({ pid }: ChildProcess): void {
  try {
    if (isGroup && pid !== undefined) process.kill(-pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
