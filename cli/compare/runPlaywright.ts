import { spawn } from 'node:child_process';
import path from 'node:path';
import type { CompareOptions } from './compareOptions.ts';
import { PLAN_VARIABLE, type ComparePlan } from '../../e2e/compare/plan.ts';

/** Plays the plan with Playwright's own runner. Resolves to its exit code; Ctrl-C ends it and keeps finished logs. */
export function runPlaywright(
  options: CompareOptions & { root: string },
  plan: ComparePlan,
): Promise<number> {
  const cli = path.join(options.root, 'node_modules', '@playwright', 'test', 'cli.js');
  const args = [
    'test',
    '--config=e2e/compare/playwright.config.ts',
    `--workers=${options.workers}`,
    `--retries=${options.retries}`,
    ...(options.shard ? [`--shard=${options.shard}`] : []),
  ];
  const child = spawn(process.execPath, [cli, ...args], {
    cwd: options.root,
    stdio: 'inherit',
    env: { ...process.env, [PLAN_VARIABLE]: JSON.stringify(plan) },
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
