import { failed, ok, type Result } from '../../src/shared/result.ts';

/** The address of a stream; its host and path are the groups. */
export const MPD_ADDRESS = /^https?:\/\/([^\s/?#]+)((?:\/[^\s?#]*)?)(?:[?#]\S*)?$/i;

/**
 * A content in names of cells and pairs, and on our own origin: as it is, an address as host and path, a padded stream,
 * live or not, without the folder of its table.
 */
export function contentName(content: string): string {
  const address = MPD_ADDRESS.exec(content);
  if (address) return kebab(`${address[1]}${address[2]}`);
  return content.startsWith(PADDED) || isLive(content)
    ? kebab(content.replace(/^((?:live:)?padded:)[^:]*[\\/](?=[^:\\/])/, '$1'))
    : content;
}

/** A live stream, as a campaign names it. Each session has its own, which is as old when play is requested as any other's. */
interface LiveContent {
  /** Chunks come at the encoder's pace; otherwise segments come whole. */
  readonly isLowLatency: boolean;
  /** The padded stream that is repeated for ever; null: the live test stream. */
  readonly padded: string | null;
  /** What the MPD suggests as distance to the live edge; null: three segments, or one with low latency. */
  readonly delaySeconds: number | null;
  /** How far back it can be played; null: 30 s. */
  readonly windowSeconds: number | null;
}

const LIVE = 'live';
const LOW_LATENCY = 'low-latency';

export const isLive = (content: string): boolean => content === LIVE || content.startsWith(`${LIVE}:`);

const DELAY = 'delay';
const WINDOW = 'window';
/** s, as the lab's live streams have it (`lab/content/liveStream.ts`). */
const USUAL_WINDOW_SECONDS = 30;
const MAX_WINDOW_SECONDS = 3600;
/** A player this much nearer to the edge than the window's end still finds every segment. */
const WITHIN_SECONDS = 5;

/** Reads `live`, `live:low-latency` and `live:padded:TABLE` with its settings, `delay=` and `window=`. The error is one sentence. */
export function liveContent(text: string): Result<LiveContent> {
  const source = text.slice(LIVE.length + 1);
  const usual = { padded: null, delaySeconds: null, windowSeconds: null };
  if (source === '' && text === LIVE) return ok({ isLowLatency: false, ...usual });
  if (source === LOW_LATENCY) return ok({ isLowLatency: true, ...usual });
  if (!source.startsWith(PADDED))
    return failed(`Unknown live stream "${text}"; known: live, live:low-latency, and live:padded:TABLE.`);
  return livePadded(text, source.split(':'));
}

function livePadded(text: string, parts: readonly string[]): Result<LiveContent> {
  const isPlace = (part: string): boolean => [DELAY, WINDOW].some((name) => part.startsWith(`${name}=`));
  const source = parts.filter((part) => !isPlace(part)).join(':');
  const padded = paddedContent(source);
  if (!padded.ok) return padded;
  const window = secondsIn(text, { name: WINDOW, from: USUAL_WINDOW_SECONDS, to: MAX_WINDOW_SECONDS });
  if (!window.ok) return window;
  const delay = secondsIn(text, {
    name: DELAY,
    from: padded.value.segmentSeconds,
    to: (window.value ?? USUAL_WINDOW_SECONDS) - WITHIN_SECONDS,
  });
  if (!delay.ok) return delay;
  return ok({
    isLowLatency: false,
    padded: source,
    delaySeconds: delay.value,
    windowSeconds: window.value,
  });
}

/** What a live content sets, in s; null where it does not. */
function secondsIn(
  text: string,
  { name, from, to }: { readonly name: string; readonly from: number; readonly to: number },
): Result<number | null> {
  const [given, ...others] = text.split(':').filter((part) => part.startsWith(`${name}=`));
  if (given === undefined) return ok(null);
  if (others.length > 0) return failed(`"${text}" sets ${name} twice.`);
  const seconds = whole(given.slice(name.length + 1), from, to);
  const lowest = name === DELAY ? `${from} (a segment)` : String(from);
  return seconds === null
    ? failed(
        `"${given}" in "${text}" should be a whole number of seconds from ${lowest} to ${to}, as in ${name}=${EXAMPLE[name]}.`,
      )
    : ok(seconds);
}

const EXAMPLE: Readonly<Record<string, number>> = { [DELAY]: 10, [WINDOW]: 120 };

/** A long stream whose bytes follow a table of sizes, as a campaign names it. */
export interface PaddedContent {
  /** A table that is built in, or a path relative to the campaign file. */
  readonly table: string;
  readonly segmentSeconds: number;
  /** null: without sound. */
  readonly audioKbps: number | null;
  /** Ascending; null: the table's own. */
  readonly ladderKbps: readonly number[] | null;
}

/** How a padded stream is named among the contents. */
export const PADDED = 'padded:';
/** The papers' videos are so long. */
const MIN_PADDED_SECONDS = 600;
/** A player fills its buffer until its session ends, so the stream goes on: by more than any preset buffers. */
const RESERVE_SECONDS = 60;

/** How long the padded streams of sessions of `seconds` are, in s. */
export const paddedSeconds = (seconds: number): number =>
  Math.max(MIN_PADDED_SECONDS, seconds + RESERVE_SECONDS);

const DEFAULTS = { segmentSeconds: 4, audioKbps: null, ladderKbps: null } as const;

/**
 * Reads `padded:TABLE` and any number of `:name=value`, as rules have them:
 * `padded:envivio:segment=2:audio=32:ladder=300,750,1200`. The error is one sentence.
 */
export function paddedContent(text: string): Result<PaddedContent> {
  const [table = '', ...settings] = text.slice(PADDED.length).split(':');
  if (table === '') return failed(`"${text}" names no table of sizes: write padded:envivio, or padded:PATH.`);
  let content: PaddedContent = { table, ...DEFAULTS };
  const seen = new Set<string>();
  for (const setting of settings) {
    const [name = '', ...rest] = setting.split('=');
    const value = rest.join('=');
    const known = SETTINGS.get(name);
    if (!known)
      return failed(`Unknown setting "${setting}" in "${text}"; known: ${[...SETTINGS.keys()].join(', ')}.`);
    const changed = known.read(value);
    if (changed === null) return failed(`"${setting}" in "${text}" should be ${known.wanted}.`);
    if (seen.has(name)) return failed(`"${text}" sets ${name} twice.`);
    seen.add(name);
    content = { ...content, ...changed };
  }
  return ok(content);
}

type Setting = (value: string) => Partial<PaddedContent> | null;

const whole = (value: string, min: number, max: number): number | null =>
  /^\d{1,6}$/.test(value) && Number(value) >= min && Number(value) <= max ? Number(value) : null;

function ladder(value: string): number[] | null {
  const rungs = value.split(',').map((rung) => (/^\d{1,7}(\.\d{1,3})?$/.test(rung) ? Number(rung) : NaN));
  return rungs.every((rung, index) => rung > (rungs[index - 1] ?? 0)) ? rungs : null;
}

/** As a function of its value, null for one that it cannot have. */
const SETTINGS = new Map<string, { wanted: string; read: Setting }>([
  [
    'segment',
    {
      wanted: 'a whole number of seconds from 1 to 60, as in segment=2',
      read(value) {
        const segmentSeconds = whole(value, 1, 60);
        return segmentSeconds === null ? null : { segmentSeconds };
      },
    },
  ],
  [
    'audio',
    {
      wanted: 'a whole number of kbit/s from 6 to 510, as in audio=32',
      read(value) {
        const audioKbps = whole(value, 6, 510);
        return audioKbps === null ? null : { audioKbps };
      },
    },
  ],
  [
    'ladder',
    {
      wanted: 'rising bitrates in kbit/s with commas between, as in ladder=300,750,1200',
      read(value) {
        const ladderKbps = ladder(value);
        return ladderKbps === null ? null : { ladderKbps };
      },
    },
  ],
]);

/** Small letters, digits and single hyphens. */
export const kebab = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
