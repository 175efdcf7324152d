import { formatConditions } from '../../analysis/comparison/formatConditions.ts';
import type { Comparison } from '../../charts/compare/comparedSession.ts';
import type { CompareElements } from './compareElements.ts';
import type { CompareState } from './compareState.ts';
import { differenceTable, differingSegments } from './differenceTable.ts';
import { metricTable } from './metricTable.ts';
import { sessionChips, type ChipActions } from './sessionChips.ts';
import { formatCount } from '../../shared/format.ts';

/** More columns do not fit beside the charts. */
const MAX_BESIDE_CHARTS = 4;

/** Everything of the view but its charts, as the state says. */
export function writeCompare(
  parts: CompareElements,
  state: CompareState,
  { comparison, ...actions }: ChipActions & { comparison: Comparison | null; onGo: (axisMs: number) => void },
): void {
  const { sessions, alignment } = state;
  parts.main.classList.toggle('many', sessions.length > MAX_BESIDE_CHARTS);
  parts.shown.hidden = comparison === null;
  parts.empty.hidden = comparison !== null;
  parts.title.textContent =
    sessions.length === 0 ? 'Compare sessions' : `${formatCount(sessions.length, 'session')}, side by side`;
  for (const each of ['playback', 'wall'] as const)
    parts[each].setAttribute('aria-pressed', String(each === alignment));
  parts.copy.hidden = sessions.length === 0 || sessions.some(({ source }) => source.address === null);
  if (!comparison) return;
  keepingFocus(parts.chips, () =>
    parts.chips.replaceChildren(...sessionChips(sessions, comparison, actions)),
  );
  writeConditions(parts.conditions, sessions);
  const open = [...parts.tables.querySelectorAll('details')].map((each) => each.open);
  parts.tables.replaceChildren(
    metricTable(sessions, comparison),
    differenceTable(differingSegments(comparison), comparison, actions.onGo),
  );
  parts.tables.querySelectorAll('details').forEach((each, index) => (each.open = open[index] ?? false));
}

function writeConditions(conditions: HTMLElement, sessions: CompareState['sessions']): void {
  const { sentence, differ } = formatConditions(sessions.map(({ log }) => log.header));
  const alone = sessions.length === 1;
  conditions.classList.toggle('differ', differ && !alone);
  conditions.textContent = alone ? 'One session is open. Open another to compare it with.' : sentence;
}

/** A button that was pressed is made anew: whoever works by keys goes on from the new one. */
function keepingFocus(host: HTMLElement, write: () => void): void {
  const label = host.contains(document.activeElement)
    ? document.activeElement?.getAttribute('aria-label')
    : null;
  write();
  const same = [...host.querySelectorAll<HTMLElement>('[aria-label]')].find(
    (each) => label !== null && each.getAttribute('aria-label') === label,
  );
  same?.focus();
}
