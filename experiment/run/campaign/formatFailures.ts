import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { logDirOf } from '../../../node/logDirOf.ts';
import { failures } from '../../plan/failure.ts';
import { formatCount } from '../../../src/shared/format.ts';

/** How many tries failed in a campaign's folder, and in which ways. */
export function formatFailures(outDir: string): string {
  const folder = logDirOf(outDir);
  const files = existsSync(folder)
    ? readdirSync(folder).filter((name) => name.endsWith('.failures.jsonl'))
    : [];
  const lines = files.flatMap((name) => readFileSync(path.join(folder, name), 'utf8').split('\n'));
  const found = lines.map(failureIn);
  const counts = failures
    .map(({ id, label }) => ({ label, count: found.filter((each) => each === id).length }))
    .filter(({ count }) => count > 0);
  const sum = counts.reduce((total, { count }) => total + count, 0);
  if (sum === 0) return 'no try failed';
  const ways = counts.map(({ label, count }) => `${count} × ${label}`).join(', ');
  return `${formatCount(sum, 'try', 'tries')} failed: ${ways}`;
}

/** null for a line that was torn while it was written. */
function failureIn(line: string): string | null {
  try {
    return (JSON.parse(line) as { failure: string }).failure;
  } catch {
    return null;
  }
}
