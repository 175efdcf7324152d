import { failed, ok, type Result } from './result.ts';

/**
 * What a viewer does in a session. A script is one text, steps separated by commas, each `WHEN:ACTION`:
 *
 *   time-30:pause-35         30 s after play was requested, pauses for 35 s
 *   position-40:seek-to-100  when the playhead reaches 40 s, seeks to 100 s (2018 thesis, seek scenario)
 *   time-60:seek-by--10      seeks 10 s back
 *   time-120:leave           ends the session
 *
 * The steps are done in their order: each waits for its own moment. In a campaign a time can be a range, `time-20~60`,
 * from which each pair draws.
 */
export interface ViewerStep {
  readonly when: { readonly kind: 'time' | 'position'; readonly ms: number };
  readonly action: 'seek-to' | 'seek-by' | 'pause' | 'leave';
  /** Where to, how far, or how long; 0 for `leave`. */
  readonly ms: number;
}

const NUMBER = String.raw`\d+(?:\.\d+)?`;
const STEP = new RegExp(
  `^(time|position)-(${NUMBER})(?:~(${NUMBER}))?:(seek-to|seek-by|pause|leave)(?:-(-?${NUMBER}))?$`,
);

/** The steps of a script without ranges. A fault is one sentence that names the step. */
export function parseViewerScript(text: string): Result<readonly ViewerStep[]> {
  const drawn = rangesOf(text);
  if (!drawn.ok) return drawn;
  const range = drawn.value.find(({ untilMs }) => untilMs !== null);
  return range
    ? failed(`Viewer’s script: “${range.text}” has a range of times, which only a campaign can draw from.`)
    : ok(drawn.value.map(({ step }) => step));
}

/** The script of one pair: each range is replaced by a time in it. `shareOf` gives a number from 0 to 1 for each step. */
export function drawViewerScript(text: string, shareOf: (index: number) => number): string {
  const drawn = rangesOf(text);
  if (!drawn.ok) throw new Error(drawn.error);
  return drawn.value
    .map(({ text: step, range, fromMs, untilMs }, index) => {
      if (range === null || untilMs === null) return step;
      const seconds = (fromMs + shareOf(index) * (untilMs - fromMs)) / 1000;
      return step.replace(range, seconds.toFixed(1));
    })
    .join(',');
}

/** Whether a script has a range of times, from which each pair draws; false without a script. */
export function hasDrawnTimes(text: string | undefined): boolean {
  const drawn = text === undefined ? null : rangesOf(text);
  return drawn?.ok === true && drawn.value.some(({ untilMs }) => untilMs !== null);
}

/** One sentence about a script for sessions of `seconds` of a stream of `contentSeconds`, or null. */
export function faultOfViewerScript(
  text: string,
  { seconds, contentSeconds }: { readonly seconds: number; readonly contentSeconds: number },
): string | null {
  const drawn = rangesOf(text);
  if (!drawn.ok) return drawn.error;
  const late = drawn.value.find(
    ({ step, fromMs, untilMs }) => step.when.kind === 'time' && (untilMs ?? fromMs) >= seconds * 1000,
  );
  if (late) return `Viewer’s script: “${late.text}” is after the end of the session at ${seconds} s.`;
  const beyond = drawn.value.find(({ step }) => positionOf(step) >= contentSeconds * 1000);
  return beyond
    ? `Viewer’s script: “${beyond.text}” is beyond the end of the stream at ${contentSeconds} s.`
    : null;
}

/** The furthest position that a step names; 0 where it names none. */
const positionOf = ({ when, action, ms }: ViewerStep): number =>
  Math.max(when.kind === 'position' ? when.ms : 0, action === 'seek-to' ? ms : 0);

interface RangedStep {
  readonly text: string;
  readonly step: ViewerStep;
  /** `20~60`; null for a single time. */
  readonly range: string | null;
  readonly fromMs: number;
  readonly untilMs: number | null;
}

function rangesOf(text: string): Result<readonly RangedStep[]> {
  const steps: RangedStep[] = [];
  let earliestMs = 0;
  for (const part of text.split(',').map((each) => each.trim())) {
    const read = readStep(part);
    if (!read.ok) return read;
    const { step, fromMs, untilMs } = read.value;
    if (steps.at(-1)?.step.action === 'leave')
      return failed(`Viewer’s script: “${part}” comes after the viewer has left.`);
    if (step.when.kind === 'time') {
      if (fromMs < earliestMs) return failed(`Viewer’s script: “${part}” is before the step ahead of it.`);
      earliestMs = untilMs ?? fromMs;
    }
    steps.push(read.value);
  }
  return ok(steps);
}

function readStep(text: string): Result<RangedStep> {
  const match = STEP.exec(text);
  const wrong = (why: string): Result<never> => failed(`Viewer’s script: “${text}” ${why}.`);
  if (!match) return wrong('is no step such as time-30:pause-35 or position-40:seek-to-100');
  const [, kind = '', from = '', until, action = '', number] = match;
  const ms = msOf(number);
  const moment = { fromMs: Number(from) * 1000, untilMs: msOf(until) };
  const fault = faultOfNumber(action as ViewerStep['action'], ms) ?? faultOfMoment(kind, moment);
  if (fault !== null) return wrong(fault);
  return ok({
    text,
    ...moment,
    range: until === undefined ? null : `${from}~${until}`,
    step: {
      when: { kind: kind as ViewerStep['when']['kind'], ms: moment.fromMs },
      action: action as ViewerStep['action'],
      ms: ms ?? 0,
    },
  });
}

const msOf = (text: string | undefined): number | null => (text === undefined ? null : Number(text) * 1000);

/** As long as a session may be: a browser's timers take no more than 24 days. */
const MAX_MS = 86_400_000;

function faultOfMoment(
  kind: string,
  { fromMs, untilMs }: Pick<RangedStep, 'fromMs' | 'untilMs'>,
): string | null {
  if (Math.max(fromMs, untilMs ?? 0) > MAX_MS) return 'is later than a day';
  if (untilMs === null) return null;
  if (kind === 'position') return 'draws a position: only times can be drawn';
  return untilMs <= fromMs ? 'has a range that ends before it begins' : null;
}

function faultOfNumber(action: ViewerStep['action'], ms: number | null): string | null {
  if (action === 'leave') return ms === null ? null : 'has a number that leave does not need';
  if (ms === null) return `needs a number of seconds, as in ${action}-10`;
  if (Math.abs(ms) > MAX_MS) return 'has a number above a day';
  if (action === 'pause') return ms > 0 ? null : 'has a pause that is not above 0 s';
  if (action === 'seek-to') return ms >= 0 ? null : 'seeks to a negative position';
  return ms === 0 ? 'seeks by nothing' : null;
}
