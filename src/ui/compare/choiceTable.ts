import type { SteeringStep } from '../../analysis/timeline/series.ts';
import type { ComparedSession, Comparison } from '../../charts/compare/compareLane.ts';
import { letterMark } from '../../charts/shell/compare/compareLaneView.ts';
import { formatClock, formatCount } from '../../shared/format.ts';
import { html } from '../dom.ts';
import { headRow, scrollTable } from './scrollTable.ts';

const MAX_ROWS = 300;

/** A choice of a steering policy that changed something, at its time on the shared axis. */
interface Choice extends SteeringStep {
  readonly session: ComparedSession;
  readonly axisMs: number;
}

/** The choices of all sessions, by their time on the axis. */
export const steeringChoices = ({ sessions }: Pick<Comparison, 'sessions'>): Choice[] =>
  sessions
    .flatMap((session) =>
      session.series.steering.map((step) => ({ ...step, session, axisMs: session.time.of(step.atMs) })),
    )
    .sort((one, other) => one.axisMs - other.axisMs);

/** Why each session chose which pathway, each row a way to its moment; null where no session chose one. */
export function choiceTable(comparison: Comparison, onGo: (axisMs: number) => void): HTMLElement | null {
  const choices = steeringChoices(comparison);
  if (choices.length === 0) return null;
  const left = Math.max(0, choices.length - MAX_ROWS);
  return html(
    'details',
    { class: 'compare-choices' },
    html('summary', {}, `What steering chose, and why: ${formatCount(choices.length, 'choice')}`),
    tableOf(choices.slice(0, MAX_ROWS), onGo),
    left > 0
      ? html('p', { class: 'empty-note' }, `${formatCount(left, 'choice')} more are not listed.`)
      : null,
  );
}

const HEADS = ['Time', 'Session', 'Pathway', 'Probe', 'Continued', 'Because'];

const tableOf = (choices: readonly Choice[], onGo: (axisMs: number) => void): HTMLElement =>
  scrollTable({
    label: 'Choices of the steering policies',
    heads: [headRow(HEADS.map((each) => [each]))],
    rows: choices.map((choice) => rowOf(choice, onGo)),
  });

function rowOf(choice: Choice, onGo: (axisMs: number) => void): HTMLElement {
  const { session, axisMs, pathway, probe, rescuedId, because } = choice;
  const go = html('button', { type: 'button', class: 'go' }, formatClock(axisMs, true));
  go.addEventListener('click', () => onGo(axisMs));
  const cells = [pathway, probe ?? '–', rescuedId === null ? '–' : 'yes'];
  return html(
    'tr',
    {},
    html('td', {}, go),
    html('td', {}, letterMark(session)),
    ...cells.map((text) => html('td', {}, text)),
    html('td', { class: 'reason' }, because),
  );
}
