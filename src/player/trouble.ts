import { secondsFromMs } from '../shared/units.ts';

/** ms without a single media segment after which playback ends with a message. */
export const GIVE_UP_MS = 120_000;
/** Rounds (each is dash.js' four tries) for something that the server says it does not have. */
const ROUNDS_FOR_WHAT_IS_MISSING = 2;
/** Missing segments in a row after which it is the stream that is broken, not a segment. */
const MAX_MISSING = 5;

const MEDIA = 'MediaSegment';

/** Failures of one media type since its last success. */
export interface Trouble {
  readonly sinceMs: number;
  /** Failed rounds by what was wanted, see `wantedOf`. */
  readonly rounds: ReadonlyMap<string, number>;
  /** Start times (s) of the segments that were left out. */
  readonly missing: ReadonlySet<number>;
}

export interface FailedRound {
  readonly atMs: number;
  /** 0 when the server did not answer. */
  readonly status: number;
  readonly request: {
    /** dash.js' HTTPRequest types: `MediaSegment`, `InitializationSegment`, `IndexSegment` … */
    readonly type: string | null;
    readonly url: string | null;
    /** Missing in dash.js' index.d.ts. */
    readonly range?: string | null;
    /** s of presentation time; NaN for what is no media segment. */
    readonly startTime: number;
    readonly duration: number;
  } | null;
  /** What failed, in one sentence for people. */
  readonly message: string;
}

export interface AfterFailure {
  readonly trouble: Trouble;
  /** s. The segment is left out, and loading goes on at this presentation time. */
  readonly skipToSeconds: number | null;
  /** Nothing helps: the sentence that playback ends with. */
  readonly end: string | null;
}

export function newTrouble(sinceMs: number): Trouble {
  return { sinceMs, rounds: new Map(), missing: new Set() };
}

/** One more failed round: try again, go around it, or end. */
export function withFailure(before: Trouble, failed: FailedRound): AfterFailure {
  const { trouble, isGone } = counted(before, failed);
  const skips = isGone && failed.request?.type === MEDIA;
  const end = skips
    ? endOfMany(trouble, failed)
    : isGone
      ? endWithout(failed)
      : endOfWaiting(trouble, failed);
  return {
    trouble,
    skipToSeconds: skips && failed.request ? afterOf(failed.request) : null,
    end,
  };
}

/** `isGone`: this was the last round for something that the server is there for and says it does not have. */
function counted(before: Trouble, { status, request }: FailedRound): { trouble: Trouble; isGone: boolean } {
  if ((status !== 404 && status !== 410) || !request) return { trouble: before, isGone: false };
  const wanted = wantedOf(request);
  const round = (before.rounds.get(wanted) ?? 0) + 1;
  const isGone = round >= ROUNDS_FOR_WHAT_IS_MISSING;
  const trouble = {
    ...before,
    rounds: new Map([...before.rounds, [wanted, round]]),
    missing: isGone ? new Set([...before.missing, request.startTime]) : before.missing,
  };
  return { trouble, isGone };
}

/** A media segment by its time, because another rung or BaseURL would do as well; the rest by file and byte range. */
const wantedOf = ({ type, url, range, startTime }: NonNullable<FailedRound['request']>): string =>
  type === MEDIA ? `at ${startTime}` : `${url} ${range}`;

const afterOf = ({ startTime, duration }: NonNullable<FailedRound['request']>): number =>
  startTime + duration * 1.5;

function endOfMany(trouble: Trouble, failed: FailedRound): string | null {
  const { size } = trouble.missing;
  if (size < MAX_MISSING) return endOfWaiting(trouble, failed);
  return `${failed.message} ${size} segments in a row are missing, so playback ends here.`;
}

/** A media segment can be left out; without its initialization or index none of them is of use. */
const endWithout = ({ message }: FailedRound): string =>
  `${message} No segment can be played without it, so playback ends here.`;

function endOfWaiting({ sinceMs }: Trouble, { atMs, message }: FailedRound): string | null {
  if (atMs - sinceMs < GIVE_UP_MS) return null;
  return `${message} Nothing came for ${Math.round(secondsFromMs(atMs - sinceMs))} s, so playback ends here.`;
}
