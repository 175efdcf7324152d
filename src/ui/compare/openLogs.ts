import { element } from '../element.ts';
import type { CompareElements } from './compareElements.ts';
import type { LogSource } from './logSource.ts';
import type { OpenSession } from './openSession.ts';
import { readLogs } from './readLogs.ts';
import { formatCount } from '../../shared/format.ts';

/** Colours, dashes and rows of more than these cannot be distinguished. */
export const MAX_SESSIONS = 20;

/**
 * Reads logs up to the limit, tells how far it is, and says in a sentence each what was not opened. The answer
 * is what was.
 */
export async function openLogs(
  { reading, progress, progressText, notices }: CompareElements,
  { sources, faults, open }: { sources: readonly LogSource[]; faults: readonly string[]; open: number },
): Promise<OpenSession[]> {
  const free = MAX_SESSIONS - open;
  const taken = sources.slice(0, free);
  const tell = (done: number): void => {
    progress.value = done;
    progressText.textContent = `${done} of ${formatCount(taken.length, 'log')} read`;
  };
  notices.replaceChildren();
  reading.hidden = taken.length === 0;
  progress.max = Math.max(1, taken.length);
  tell(0);
  const readings = await readLogs(taken, tell);
  reading.hidden = true;
  const refused = readings.flatMap(({ source: { name }, result }) =>
    result.ok ? [] : [`${name} was not opened. ${result.error}`],
  );
  const sentences = [
    ...faults,
    ...(sources.length > free ? [tooMany(sources.length, free)] : []),
    ...refused,
  ];
  notices.replaceChildren(...sentences.map((sentence) => element('li', {}, sentence)));
  return readings.flatMap(({ source, result }) => (result.ok ? [{ source, log: result.value }] : []));
}

function tooMany(count: number, free: number): string {
  if (free === MAX_SESSIONS)
    return `${count} logs are more than the ${MAX_SESSIONS} that this view shows: the first ${MAX_SESSIONS} were opened.`;
  return free === 0
    ? `${MAX_SESSIONS} sessions are open already: close some to open others.`
    : `${MAX_SESSIONS} sessions are the maximum: only the first ${free} of ${count} logs were opened.`;
}
