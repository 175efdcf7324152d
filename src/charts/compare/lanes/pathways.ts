import { formatCount } from '../../../shared/format.ts';
import type { View } from '../../chart.ts';
import { textAt, type Mark } from '../../marks/mark.ts';
import {
  changesAmong,
  clippedPathway,
  heldSteps,
  pathwayNames,
  PROBE_SIGN,
  probesAmong,
  RESCUE_SIGN,
  rescuesAmong,
  signsOf,
  stepLine,
} from '../../pathwaySteps.ts';
import { type CompareLane, hasEnded, ownView, type ComparedSession } from '../compareLane.ts';
import { rowAxis } from '../sessionRows.ts';

const ROW_PX = 30;
/** From a row's upper edge: the line of the first pathway is low, those of the others are above it. */
const LOW_PX = 23;
const HIGH_PX = 9;

/** The pathway that each session used, a row each: low is the first one, and a step up leaves it. */
export const pathways: CompareLane = {
  id: 'pathways',
  label: 'Pathways',
  hasData: ({ sessions }) => sessions.some(isSteered),
  build({ sessions }, view) {
    return {
      note: `low: the pathway of the MPD, high: another; ${PROBE_SIGN} probe, ${RESCUE_SIGN} continued`,
      sentence: `Which pathway each session used: ${sessions.map(summary).join('; ')}.`,
      left: rowAxis(sessions, ROW_PX),
      right: null,
      marks: sessions.flatMap((session, row) => rowMarks(session, row * ROW_PX, view)),
      heightPx: Math.max(1, sessions.length) * ROW_PX + 2,
    };
  },
  says(session, atMs) {
    if (!isSteered(session)) return '–';
    if (hasEnded(session, atMs)) return 'ended';
    const sessionMs = session.time.sessionMs(atMs);
    const step = session.series.steering.findLast((each) => each.atMs <= sessionMs);
    return step ? clippedPathway(step.pathway) : '–';
  },
};

const isSteered = ({ series }: ComparedSession): boolean => series.steering.length > 0;

function summary({ look, series: { steering } }: ComparedSession): string {
  if (steering.length === 0) return `${look.letter} chose none`;
  const [changes, probes] = [changesAmong(steering), probesAmong(steering).length];
  const rescued = formatCount(rescuesAmong(steering).length, 'request');
  return `${look.letter} ${formatCount(changes, 'change')}, ${formatCount(probes, 'probe')}, ${rescued} continued on another pathway`;
}

function rowMarks(session: ComparedSession, topPx: number, view: View): Mark[] {
  const { series, time, look } = session;
  const place = { atMs: view.fromMs, y: topPx + ROW_PX / 2 };
  if (!isSteered(session)) return [{ kind: 'texts', items: [textAt('no pathway was chosen', place)] }];
  const own = ownView(session, view);
  if (!own) return [];
  const names = pathwayNames(series);
  const heightOf = (pathway: string): number =>
    topPx + LOW_PX - ((LOW_PX - HIGH_PX) * names.indexOf(pathway)) / Math.max(1, names.length - 1);
  const steps = heldSteps(series.steering, own);
  const inView = steps.slice(0, -1).filter(({ atMs }) => atMs >= own.fromMs);
  const signs = signsOf(inView, heightOf, own);
  const line = stepLine(steps, heightOf, own);
  return [
    { ...line, xs: line.xs.map(time.of), tone: look.tone },
    { kind: 'texts', items: signs.map((item) => ({ ...item, atMs: time.of(item.atMs) })) },
  ];
}
