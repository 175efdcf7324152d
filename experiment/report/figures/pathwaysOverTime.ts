import { timeTicks } from '../../../src/charts/axis.ts';
import type { Axis } from '../../../src/charts/chart.ts';
import { formatClock } from '../../../src/shared/format.ts';
import type { SessionSteering, SessionSummary } from '../sessionSummary.ts';
import { slug, type FigureMaker, type ReportFigure } from './figure.ts';
import { markers } from './svg/armMarks.ts';
import { place, X_AXIS_PX, xAxis, type Frame, type Place } from './svg/axes.ts';
import { element, picture, px, tone, WIDTH } from './svg/element.ts';
import { fittedName, text } from './svg/text.ts';
import { rangeOf } from './values.ts';

type Steered = SessionSummary & { readonly steering: SessionSteering };

/** Arms of one picture; each has a row of its own. */
const MAX_ARMS = 8;
/** Rows of the table, over all sessions of a picture. */
const MAX_CHOICES = 400;

/** Which pathway a session of each steered arm used, when it probed another, and when UDP was limited. */
export const pathwaysOverTime: FigureMaker = {
  id: 'pathways-over-time',
  label: 'Pathways over time',
  place: 65,
  applies: ({ sessions }) => sessions.some(isSteered),
  draw({ sessions }) {
    const steered = sessions.filter(isSteered);
    const networks = [...new Set(steered.map(({ network }) => network))];
    const figures = networks.map((network) =>
      figureOf(network, firstOfArms(steered.filter((each) => each.network === network))),
    );
    return figures.length > 0 ? figures : null;
  },
};

const isSteered = (session: SessionSummary): session is Steered =>
  session.steering !== undefined && session.steering.steps.length > 0;

/** One session of each arm: the first in the order of the plan. */
const firstOfArms = (sessions: readonly Steered[]): Steered[] =>
  [...new Map(sessions.toReversed().map((session) => [session.design.arm, session])).values()].sort(
    (one, other) => (one.design.arm < other.design.arm ? -1 : 1),
  );

function figureOf(network: string | null, ofArms: readonly Steered[]): ReportFigure {
  const sessions = ofArms.slice(0, MAX_ARMS);
  const arms = ofArms.length > MAX_ARMS ? `the first ${MAX_ARMS} of ${ofArms.length} arms` : 'each arm';
  const title = `Pathways over time${network === null ? '' : ` on ${network}`}`;
  const id = slug('pathways', network ?? '');
  return {
    id,
    title,
    caption: `The first session of ${arms}. The line is low while the session uses the pathway of the MPD, and high while it uses another; shaded: UDP is limited; dot: a probe; triangle: a request that is continued on another pathway. The table has the reasons.`,
    svg: drawing({ id, title }, sessions),
    columns: ['session', 'arm', 'session time, s', 'pathway', 'probe of', 'continued', 'because'],
    rows: sessions
      .flatMap(({ id: session, design, steering }) =>
        steering.steps.map(({ atMs, pathway, probe, isRescue, because }) => [
          ...[session, design.arm, atMs / 1000, pathway, probe],
          ...[isRescue ? 'yes' : 'no', because],
        ]),
      )
      .slice(0, MAX_CHOICES),
    sessions: sessions.map((session) => session.id),
  };
}

const ROW_PX = 46;
/** From a row's upper edge. */
const NAME_PX = 12;
const HIGH_PX = 24;
const LOW_PX = 38;
const EDGE_PX = 8;

function drawing({ id, title }: { id: string; title: string }, sessions: readonly Steered[]): string {
  const frame: Frame = {
    left: EDGE_PX,
    right: WIDTH - EDGE_PX,
    top: 0,
    bottom: sessions.length * ROW_PX + 2,
  };
  const times = timeAxis(rangeOf(sessions.map(({ lengthMs }) => lengthMs))?.max ?? 0);
  const x = place(times, frame.left, frame.right);
  return picture(
    {
      id,
      title,
      description: sessions.map(formatSession).join(' '),
      height: frame.bottom + X_AXIS_PX,
    },
    [
      ...xAxis(frame, times, 'session time, m:ss'),
      ...sessions.map((session, row) => rowMarks(session, { x, topPx: row * ROW_PX })),
    ],
  );
}

function timeAxis(toMs: number): Axis {
  const top = Math.max(1000, toMs);
  const ticks = timeTicks(0, top, 6).map((value) => ({ value, label: formatClock(value) }));
  return { scale: 'linear', bottom: 0, top, ticks };
}

function rowMarks(session: Steered, { x, topPx }: { x: Place; topPx: number }): string {
  const { design, lengthMs, steering } = session;
  const heightOf = (pathway: string): number => topPx + (pathway === steering.main ? LOW_PX : HIGH_PX);
  const [first, ...rest] = changesAmong(steering.steps);
  const line = [
    `M${px(x(first!.atMs))} ${px(heightOf(first!.pathway))}`,
    ...rest.map(({ atMs, pathway }) => `H${px(x(atMs))}V${px(heightOf(pathway))}`),
    `H${px(x(lengthMs))}`,
  ].join('');
  const probes = steering.steps.flatMap(({ atMs, probe }) =>
    probe === null ? [] : [[x(atMs), heightOf(probe)] as const],
  );
  const rescues = steering.steps.flatMap(({ atMs, isRescue, pathway }) =>
    isRescue ? [[x(atMs), heightOf(pathway)] as const] : [],
  );
  return element('g', { class: 'pathway-row' }, [
    ...steering.limits.map(({ fromMs, untilMs }) => {
      const [from, until] = [x(fromMs), x(Math.min(untilMs ?? lengthMs, lengthMs))];
      return element('rect', {
        class: 'limit',
        x: from,
        y: topPx + HIGH_PX - 6,
        width: Math.max(0, until - from),
        height: LOW_PX - HIGH_PX + 10,
        fill: tone('stall'),
        'fill-opacity': 0.16,
      });
    }),
    text(fittedName(design.arm, WIDTH - 2 * EDGE_PX), { x: EDGE_PX, y: topPx + NAME_PX, rim: true }),
    element('path', {
      class: 'pathway',
      d: line,
      fill: 'none',
      stroke: tone('ink'),
      'stroke-width': 2,
    }),
    markers('circle', apart(probes), { sizePx: 6, class: 'probes', fill: tone('ink') }),
    markers('triangle', apart(rescues), { sizePx: 9, class: 'rescues', fill: tone('ink') }),
  ]);
}

const MAX_SAID = 8;

/** The first step, and those that name another pathway than the one before. */
const changesAmong = (steps: SessionSteering['steps']): SessionSteering['steps'] =>
  steps.filter(({ pathway }, at) => at === 0 || pathway !== steps[at - 1]!.pathway);

/** Marks closer than this to the one before cover it. */
const APART_PX = 6;

function apart(spots: readonly (readonly [x: number, y: number])[]): typeof spots {
  let lastPx = -Infinity;
  return spots.filter(([x]) => {
    if (x - lastPx < APART_PX) return false;
    lastPx = x;
    return true;
  });
}

function formatSession({ design, steering: { steps } }: Steered): string {
  const changes = changesAmong(steps);
  const said = changes.slice(0, MAX_SAID).map(({ atMs, pathway }) => `${pathway} from ${formatClock(atMs)}`);
  return `${design.arm}: ${said.join(', ')}${changes.length > MAX_SAID ? ' and more' : ''}.`;
}
