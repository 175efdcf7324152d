import { anyPlays, type Comparison } from '../../charts/compare/compareLane.ts';
import { mountComparePanel } from '../../charts/shell/compare/comparePanel.ts';
import { formatThrown } from '../messages.ts';
import { choiceTable } from './choiceTable.ts';
import { compareElements, listenToPicks, type CompareElements } from './compareElements.ts';
import type { CompareLink } from './compareLink.ts';
import {
  asLinked,
  emptyState,
  linkOf,
  withoutSession,
  type CompareState,
  comparisonOf,
} from './compareState.ts';
import { differingSegments, differenceTable } from './differenceTable.ts';
import { type LogSource, readPickedLogs, type Picked } from './logSources.ts';
import { openLogs } from './openLogs.ts';
import { formatCount } from '../../shared/format.ts';
import { formatPairConditions } from '../../analysis/comparison/formatConditions.ts';
import { pairsOf } from '../../analysis/comparison/pairs.ts';
import { metricTable } from './metricTable.ts';
import { sessionChips, type ChipActions } from './sessionChips.ts';

export interface ComparePage {
  readonly element: HTMLElement;
  /** Another view is on show: the address is no longer this one's. */
  rest(): void;
  addPicked(picked: readonly Picked[]): Promise<void>;
  open(asked: Asked): Promise<void>;
}

interface Asked {
  readonly sources: readonly LogSource[];
  /** What could not even be looked for. */
  readonly faults?: readonly string[];
  readonly link?: CompareLink;
}

/** The compare view: what is open, what is shown of it, and the address that shows the same. Put before `live`. */
export function comparePage(live: HTMLElement): ComparePage {
  const parts = compareElements();
  live.before(parts.main);
  let state = emptyState();
  let comparison: Comparison | null = null;
  const say = (sentence: string): void => void (parts.announce.textContent = sentence);
  const address = rememberedAddress(() => linkOf(state));
  const change = (changes: Partial<CompareState>): void => {
    state = { ...state, ...changes };
    comparison = comparisonOf(state.sessions, state);
    writeCompare(parts, state, { comparison, ...chips, onGo: panel.setCursor });
    if (comparison) panel.show(comparison, state.range);
    if (comparison) state.range = panel.range();
    address.remember();
  };
  const panel = mountComparePanel(parts.panelHost, {
    onRange(range) {
      state.range = range;
      address.remember();
    },
    onStep(step, axisMs) {
      const next = nextDifference(comparison, step, axisMs);
      if (next === undefined) say(`No difference of decisions ${step === 1 ? 'after' : 'before'} this one.`);
      else panel.setCursor(next);
    },
  });
  const chips = {
    onReference: (reference: number) => change({ reference }),
    onChoose: (chosen: number | null) => change({ chosen }),
    onClose: (place: number) => change(withoutSession(state, place)),
  };
  const open = async ({ sources, faults = [], link }: Asked): Promise<void> => {
    const opened = await openLogs(parts, { sources, faults, open: state.sessions.length });
    say(`${formatCount(opened.length, 'session')} opened.`);
    const sessions = [...state.sessions, ...opened];
    change({ sessions, ...(link ? asLinked(link, { sources, sessions }) : { lists: [] }) });
  };
  const addPicked = async (picked: readonly Picked[]): Promise<void> => open(await readPicked(picked));
  parts.playback.addEventListener('click', () => change({ alignment: 'playback', range: null }));
  parts.wall.addEventListener('click', () => change({ alignment: 'wall', range: null }));
  parts.copy.addEventListener('click', () => void copyLink(linkOf(state)).then(say));
  listenToPicks(parts, (picked) => void addPicked(picked));
  change({});
  return { element: parts.main, rest: address.forget, addPicked, open };
}

async function readPicked(picked: readonly Picked[]): Promise<Asked> {
  const sources = await readPickedLogs(picked).catch((fault: unknown) => formatThrown(fault));
  if (typeof sources === 'string')
    return { sources: [], faults: [`The folder could not be read. ${sources}`] };
  if (sources.length > 0) return { sources };
  return { sources, faults: ['Nothing was opened: there is no session log (.json) in it.'] };
}

function nextDifference(comparison: Comparison | null, step: -1 | 1, axisMs: number): number | undefined {
  const moments = (comparison ? differingSegments(comparison) : []).map(({ atMs }) => atMs);
  return step === 1
    ? moments.find((atMs) => atMs > axisMs + 1)
    : moments.findLast((atMs) => atMs < axisMs - 1);
}

const LINK_CALM_MS = 300;

/** Keeps the page's address up to date, calmly: browsers count how often it is replaced. */
function rememberedAddress(query: () => string): { remember(): void; forget(): void } {
  let timer: ReturnType<typeof setTimeout> | undefined;
  return {
    remember() {
      clearTimeout(timer);
      timer = setTimeout(() => history.replaceState(null, '', `?${query()}`), LINK_CALM_MS);
    },
    forget: () => clearTimeout(timer),
  };
}

const copyLink = (query: string): Promise<string> =>
  navigator.clipboard.writeText(new URL(`?${query}`, location.href).href).then(
    () => 'The link is copied.',
    () => 'Copying failed. The link is the address of this page.',
  );

/** More columns do not fit beside the charts. */
const MAX_BESIDE_CHARTS = 4;

/** What the axis counts, where transfers alone have no playback time. */
const shownAlignment = (
  comparison: Comparison | null,
  { alignment }: CompareState,
): CompareState['alignment'] => comparison?.sessions[0]?.time.alignment ?? alignment;

/** Everything of the view but its charts, as the state says. */
function writeCompare(
  parts: CompareElements,
  state: CompareState,
  { comparison, ...actions }: ChipActions & { comparison: Comparison | null; onGo: (axisMs: number) => void },
): void {
  const { sessions } = state;
  const plays = comparison === null || anyPlays(comparison);
  const alignment = shownAlignment(comparison, state);
  parts.main.classList.toggle('many', sessions.length > MAX_BESIDE_CHARTS);
  parts.shown.hidden = comparison === null;
  parts.empty.hidden = comparison !== null;
  parts.title.textContent =
    sessions.length === 0 ? 'Compare sessions' : `${formatCount(sessions.length, 'session')}, side by side`;
  for (const each of ['playback', 'wall'] as const)
    parts[each].setAttribute('aria-pressed', String(each === alignment));
  parts.playback.hidden = !plays;
  parts.copy.hidden = sessions.length === 0 || sessions.some(({ source }) => source.address === null);
  if (!comparison) return;
  keepingFocus(parts.chips, () =>
    parts.chips.replaceChildren(...sessionChips(sessions, comparison, actions)),
  );
  writeConditions(parts.conditions, state);
  const open = [...parts.tables.querySelectorAll('details')].map((each) => each.open);
  const choices = choiceTable(comparison, actions.onGo);
  parts.tables.replaceChildren(
    metricTable(sessions, comparison),
    ...(plays ? [differenceTable(differingSegments(comparison), comparison, actions.onGo)] : []),
    ...(choices ? [choices] : []),
  );
  parts.tables.querySelectorAll('details').forEach((each, index) => (each.open = open[index] ?? false));
}

function writeConditions(conditions: HTMLElement, { sessions, reference }: CompareState): void {
  const headers = sessions.map(({ log }) => log.header);
  const { sentence, differ } = formatPairConditions(headers, pairsOf(headers, reference));
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
