import type { FailedTry } from './failedTries.ts';
import { saysNoSpace } from '../../../../node/noSpace.ts';

/**
 * Why no session after a failed one can leave a log, in one sentence; null when others may. `words` are those of the
 * failure, `last` is its last try.
 */
export function uselessToGoOn(
  { words, last }: { words: string; last: FailedTry | undefined },
  logDir: string,
): string | null {
  const said = `${words} ${last?.message ?? ''}`;
  if (saysNoSpace(said)) return `There is no space left for more logs, in ${logDir} or for temporary files.`;
  return last?.failure.id === 'log-not-written'
    ? `Logs cannot be written into ${logDir} (${last.message.split('\n')[0]}).`
    : null;
}
