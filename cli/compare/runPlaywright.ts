import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { CompareOptions } from './compareOptions.ts';
import { PLAN_VARIABLE, type ComparePlan } from '../../e2e/compare/plan.ts';

/** Plays the plan with Playwright's own runner. Resolves to its exit code; Ctrl-C ends it and keeps finished logs. */
export async function runPlaywright(
  options: Pick<CompareOptions, 'workers' | 'shard'> & { root: string },
  plan: ComparePlan,
): Promise<number> {
  // As a file: an environment variable may hold 128 KiB (execve(2)), which is a few hundred sessions.
  const folder = mkdtempSync(path.join(tmpdir(), 'pitwall-plan-'));
  const planFile = path.join(folder, 'plan.json');
  try {
    writeFileSync(planFile, JSON.stringify(plan));
    return await start(options, planFile);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function start(
  { root, workers, shard }: Pick<CompareOptions, 'workers' | 'shard'> & { root: string },
  planFile: string,
): Promise<number> {
  const cli = path.join(root, 'node_modules', '@playwright', 'test', 'cli.js');
  const args = [
    'test',
    '--config=e2e/compare/playwright.config.ts',
    `--workers=${workers}`,
    ...(shard ? [`--shard=${shard}`] : []),
  ];
  const child = spawn(process.execPath, [cli, ...args], {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, [PLAN_VARIABLE]: planFile },
  });
  const interrupt = (): void => void child.kill('SIGINT');
  process.once('SIGINT', interrupt).once('SIGTERM', interrupt);
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => {
      process.off('SIGINT', interrupt).off('SIGTERM', interrupt);
      resolve(code ?? 130);
    });
  });
}
