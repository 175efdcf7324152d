import {
  estimateKbps,
  latencyMs,
  NO_ESTIMATE,
  withDownload,
  type DashEstimate,
} from '../../estimators/dashEstimate.ts';
import { aroundDownload, EMPTY_BUFFER, type ReckonedBuffer } from '../../estimators/reckonedBuffer.ts';
import { highestRungWithin, type Ladder } from '../../ladder.ts';
import { mustBePositive, tunableRule } from '../../parameters.ts';
import type { Answer, DownloadEvent, MediaType, Moment, RuleEvent } from '../../rule.ts';
import { segmentMsOf } from '../../segmentBytes.ts';
import { unmeasured } from '../../answer.ts';
import { formatRung, seconds } from '../../format.ts';
import {
  formatChoice,
  enhancedChoice,
  type EnhancedChoice,
  enhancedLevels,
  type EnhancedLevels,
  placeholderAfter,
  placeholderAfterAbandon,
} from './enhanced.ts';

/** Sabre's buffer, and dash.js' share of the estimate that is spent. */
const PAPER = { bufferTimeMs: 25_000, safetyFactor: 0.9 };
type Setting = Readonly<typeof PAPER>;

interface State {
  readonly mediaType: MediaType;
  readonly ladder: Ladder;
  readonly segmentMs: number;
  readonly levels: EnhancedLevels | null;
  readonly estimate: DashEstimate;
  readonly buffer: ReckonedBuffer;
  readonly placeholderMs: number;
  /** Segments loaded since the start or the last seek. */
  readonly loaded: number;
}

/**
 * BOLA-E: BOLA for buffers too small for it, with a placeholder buffer, a start by throughput, BOLA-O against
 * oscillation and a guard for low buffers (Spiteri, Sitaraman, Sparacio: From Theory to Practice, MMSys 2018). Shape and
 * parameters: `enhancedLevels`; placeholder: `placeholderAfter`.
 *
 *     start    until a first download is measured the start rung, then the highest rung within `safetyFactor` × estimate
 *     steady   the best score at buffer + placeholder, rises limited to what the network carries
 *     guard    no rung whose segment takes longer than f × (B − latency), where f falls from 0.9 to 0.5 (Sabre)
 *
 * Where this, Sabre and dash.js differ: Sabre's score lacks the − 1, so all its levels lie V_p higher; dash.js has it in
 * the score but not in the level that the start's placeholder aims at; here both have it. Sabre has no 0.99 and no
 * margin of 0.9. A `bufferTimeMs` of 60 s makes the lowest of six rungs lose at every level of buffer (the switch up from
 * it lies at −1.5 s): the default is 25 s. Abandoning is left out: a rule here chooses before each request.
 */
export const bolaE = tunableRule(PAPER, (setting) => {
  mustBePositive('bola-e', setting, Object.keys(PAPER));
  return {
    id: 'bola-e',
    label: 'BOLA-E',
    paper: 'Spiteri, Sitaraman, Sparacio: From Theory to Practice (BOLA-E), ACM MMSys 2018',
    start: ({ mediaType, ladder, segmentMs }): State => ({
      mediaType,
      ladder,
      segmentMs: segmentMsOf({ segmentMs }),
      levels: enhancedLevels(ladder, setting.bufferTimeMs, 0),
      estimate: NO_ESTIMATE,
      buffer: EMPTY_BUFFER,
      placeholderMs: 0,
      loaded: 0,
    }),
    observe: (state, event) => observed(state, event, setting),
    decide: (state, moment) => decided(state, moment, setting),
  };
});

/** The decision after the first measured download is still the start's. */
const isSteady = ({ loaded }: State): boolean => loaded >= 2;

function observed(state: State, event: RuleEvent, { bufferTimeMs }: Setting): State {
  switch (event.kind) {
    case 'download':
      return event.mediaType === state.mediaType ? afterDownload(state, event) : state;
    case 'stall':
      return { ...state, placeholderMs: 0 };
    case 'seek':
      return { ...state, placeholderMs: 0, loaded: 0, buffer: EMPTY_BUFFER };
    case 'ladder': {
      const { ladder } = event;
      const levels = enhancedLevels(ladder, bufferTimeMs, 0);
      const segmentMs = segmentMsOf(event);
      return { ...state, ladder, segmentMs, levels, placeholderMs: 0, loaded: 0 };
    }
    default:
      return state;
  }
}

function afterDownload(state: State, download: DownloadEvent): State {
  const { mediaType, ladder, segmentMs, levels, loaded } = state;
  const around = aroundDownload(state.buffer, download, segmentMs);
  return {
    mediaType,
    ladder,
    segmentMs,
    levels,
    estimate: withDownload(state.estimate, download),
    buffer: around.next,
    placeholderMs: placeholderOf(state, download, around),
    loaded: download.aborted ? loaded : loaded + 1,
  };
}

function placeholderOf(
  state: State,
  { aborted, rung }: DownloadEvent,
  around: ReturnType<typeof aroundDownload>,
): number {
  const { levels, placeholderMs, segmentMs } = state;
  // A rung beyond the ladder was chosen from the ladder before.
  if (levels === null || rung >= state.ladder.length) return placeholderMs;
  if (aborted) return placeholderAfterAbandon(placeholderMs, levels, { rung, bufferMs: around.next.levelMs });
  const steady = isSteady(state);
  return placeholderAfter(placeholderMs, levels, { rung, around, steady, withWait: true, segmentMs });
}

function decided(state: State, moment: Moment, { safetyFactor }: Setting): Answer {
  const { ladder, levels } = state;
  const kbps = estimateKbps(state.estimate);
  if (kbps === null) return unmeasured(ladder, moment);
  const safeKbps = kbps * safetyFactor;
  if (levels === null || !isSteady(state)) return started(ladder, kbps, safeKbps);
  const { bufferMs, lastRung, nowMs } = moment;
  const waitMs = Math.max(nowMs - (state.buffer.atMs ?? nowMs), 0);
  const placeholderMs = state.placeholderMs + waitMs;
  const choice = enhancedChoice(levels, { bufferMs, placeholderMs, lastRung, safeKbps });
  const guard = highestRungWithin(ladder, guardKbps(state, bufferMs, kbps));
  const rung = Math.min(choice.rung, guard);
  const because = (): string => formatReason({ ladder, moment, placeholderMs, choice, rung });
  const values = {
    estimateKbps: kbps,
    safeKbps,
    placeholderMs,
    guardRung: guard,
    zeroMs: levels.maxMs[rung]!,
  };
  return choice.holdMs !== null && guard >= choice.rung
    ? { rung, because, values, holdUntilBufferMs: choice.holdMs }
    : { rung, because, values };
}

function started(ladder: Ladder, kbps: number, safeKbps: number): Answer {
  const rung = highestRungWithin(ladder, safeKbps);
  return {
    rung,
    because: () => `Start-up by throughput: ${formatRung(ladder, rung)} is the highest that it carries.`,
    values: { estimateKbps: kbps, safeKbps, placeholderMs: null, guardRung: null, zeroMs: null },
  };
}

/** Sabre's insufficient buffer rule: the rate at which a segment comes within a share of the buffer, kbit/s. */
function guardKbps(state: State, bufferMs: number, kbps: number): number {
  const share = Math.max(0.9 ** (state.loaded - 1), 0.5);
  return (share * (bufferMs - latencyMs(state.estimate)) * kbps) / state.segmentMs;
}

interface Explained {
  readonly ladder: Ladder;
  readonly moment: Moment;
  readonly placeholderMs: number;
  readonly choice: EnhancedChoice;
  readonly rung: number;
}

function formatReason({ ladder, moment, placeholderMs, choice, rung }: Explained): string {
  const level = `With ${seconds(moment.bufferMs)} of buffer and ${seconds(placeholderMs)} of virtual buffer,`;
  if (rung < choice.rung)
    return `${level} a segment must come before the buffer is used up, so ${formatRung(ladder, rung)}.`;
  return `${level} ${formatChoice(ladder, choice)}.`;
}
