import { anyPlays, type Comparison } from '../../charts/compare/compareLane.ts';
import { mountComparePanel } from '../../charts/shell/compare/comparePanel.ts';
import { formatThrown } from '../messages.ts';
import { armTable, pairTable } from './armTables.ts';
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
  openArms,
} from './compareState.ts';
import { differingSegments, differenceTable } from './differenceTable.ts';
import { type LogSource, readPickedLogs, type Picked } from './logSources.ts';
import { openLogs, type OpenSession } from './openLogs.ts';
import { formatCount } from '../../shared/format.ts';
import { formatPairConditions } from '../../analysis/comparison/formatConditions.ts';
import { pairsOf } from '../../analysis/comparison/pairs.ts';
import { metricTable } from './metricTable.ts';
import { armChips, sessionChips, type ChipActions } from './sessionChips.ts';

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
    // Its intervals take thousands of draws, and do not depend on what is looked at.
    if (['sessions', 'reference', 'view'].some((each) => each in changes)) writeFigures();
    if (comparison) panel.show(comparison, state.range);
    if (comparison) state.range = panel.range();
    address.remember();
  };
  const writeFigures = (): void =>
    parts.figures.replaceChildren(
      ...(comparison && comparison.arms.length > 0 ? [armTable(state.sessions, comparison)] : []),
    );
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
    const isBanded = (sessions: readonly OpenSession[]): boolean => openArms(sessions).length > 0;
    const opened = await openLogs(parts, { sources, faults, open: state.sessions, isBanded });
    say(`${formatCount(opened.length, 'session')} opened.`);
    const sessions = [...state.sessions, ...opened];
    change({ sessions, ...(link ? asLinked(link, { sources, sessions }) : { lists: [] }) });
  };
  const addPicked = async (picked: readonly Picked[]): Promise<void> => open(await readPicked(picked));
  parts.arms.addEventListener('click', () => change({ view: 'arms', range: null }));
  parts.single.addEventListener('click', () => change({ view: 'sessions', range: null }));
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
  const moments = (comparison && comparison.arms.length === 0 ? differingSegments(comparison) : []).map(
    ({ atMs }) => atMs,
  );
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
): CompareState['alignment'] => comparison?.sessions[0]?.time.alignment ?? alignment ?? 'playback';

type Actions = ChipActions & { readonly onGo: (axisMs: number) => void };

/** Everything of the view but its charts, as the state says. */
function writeCompare(
  parts: CompareElements,
  state: CompareState,
  { comparison, ...actions }: Actions & { comparison: Comparison | null },
): void {
  const { sessions } = state;
  const isBanded = comparison !== null && comparison.arms.length > 0;
  parts.main.classList.toggle('many', (comparison?.sessions.length ?? 0) > MAX_BESIDE_CHARTS);
  parts.main.classList.toggle('by-arm', isBanded);
  parts.shown.hidden = comparison === null;
  parts.empty.hidden = comparison !== null;
  parts.title.textContent = formatTitle(sessions.length, comparison);
  writeToggles(parts, state, comparison);
  parts.copy.hidden = sessions.length === 0 || sessions.some(({ source }) => source.address === null);
  if (!comparison) return;
  keepingFocus(parts.chips, () =>
    parts.chips.replaceChildren(
      ...(isBanded ? armChips(comparison, actions) : sessionChips(sessions, comparison, actions)),
    ),
  );
  writeConditions(parts.conditions, state, comparison);
  keepingFocus(parts.tables, () =>
    isBanded
      ? parts.tables.replaceChildren(pairTable(sessions, comparison, actions))
      : writeSessionTables(parts.tables, comparison, { sessions, onGo: actions.onGo }),
  );
}

function formatTitle(open: number, comparison: Comparison | null): string {
  if (!comparison) return 'Compare sessions';
  const { arms, sessions } = comparison;
  const all = formatCount(open, 'session');
  if (arms.length > 0) return `${all} in ${formatCount(arms.length, 'arm')}`;
  return `${sessions.length < open ? `The first ${sessions.length} of ` : ''}${all}, side by side`;
}

function writeToggles(parts: CompareElements, state: CompareState, comparison: Comparison | null): void {
  const alignment = shownAlignment(comparison, state);
  const isBanded = comparison !== null && comparison.arms.length > 0;
  const press = (toggle: HTMLElement, isPressed: boolean): void =>
    toggle.setAttribute('aria-pressed', String(isPressed));
  for (const each of ['playback', 'wall'] as const) press(parts[each], each === alignment);
  press(parts.arms, isBanded);
  press(parts.single, !isBanded);
  parts.views.hidden = openArms(state.sessions).length === 0;
  parts.playback.hidden = comparison !== null && !anyPlays(comparison);
}

function writeSessionTables(
  tables: HTMLElement,
  comparison: Comparison,
  { sessions, onGo }: { sessions: readonly OpenSession[]; onGo: (axisMs: number) => void },
): void {
  const open = [...tables.querySelectorAll('details')].map((each) => each.open);
  const choices = choiceTable(comparison, onGo);
  const plays = anyPlays(comparison);
  tables.replaceChildren(
    metricTable(sessions, comparison),
    ...(plays ? [differenceTable(differingSegments(comparison), comparison, onGo)] : []),
    ...(choices ? [choices] : []),
  );
  tables.querySelectorAll('details').forEach((each, index) => (each.open = open[index] ?? false));
}

function writeConditions(
  conditions: HTMLElement,
  { sessions, reference }: CompareState,
  shown: Comparison,
): void {
  const headers = sessions.slice(0, shown.sessions.length).map(({ log }) => log.header);
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
