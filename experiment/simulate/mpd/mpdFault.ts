import { SaxesParser, type SaxesTagPlain } from 'saxes';

/** Maximum depth of elements: an MPD has eight levels, and deeper ones would only exhaust the stack. */
const DEEPEST = 100;
/** Maximum number of segments of one representation: a day in segments of a second. */
const MAX_SEGMENTS = 100_000;
/** Maximum number of segments of all representations together: a day in segments of a second at eleven levels. */
const MAX_IN_ALL = 1_000_000;

/**
 * Returns what is wrong with an MPD before it reaches mpd-parser, in a few words; null when it may. That library takes what it
 * can of XML that is none, at a cost that grows with the square of its length, and makes an object of every segment that is
 * announced. Here reading ends at the first fault (Extensible Markup Language 1.0, section 2.1).
 */
export function mpdFault(text: string): string | null {
  const parser = new SaxesParser();
  const segments = createSegmentCount();
  let depth = 0;
  const stop = (fault: string): never => {
    throw new Error(fault);
  };
  parser.on('error', ({ message }) => stop(message));
  parser.on('doctype', () => stop('it declares a document type'));
  parser.on('opentag', (tag) => {
    depth += 1;
    if (depth > DEEPEST) stop(`its elements are nested more than ${DEEPEST} deep`);
    if (segments.open(tag) > MAX_SEGMENTS)
      stop(`it announces more than ${MAX_SEGMENTS} segments in ${tag.name}`);
  });
  parser.on('closetag', ({ name }) => {
    depth -= 1;
    segments.close(name);
  });
  try {
    parser.write(text).close();
    return segments.all() > MAX_IN_ALL
      ? `it announces more than ${MAX_IN_ALL} segments in all representations together`
      : null;
  } catch (error) {
    return (error as Error).message;
  }
}

/** Segments in a scope of an MPD: in a period, or in a set of one. */
interface Scope {
  /** Segments that the fastest template announces for each second. */
  perSecond: number;
  /** Segments that the longest list announces. */
  listed: number;
}

interface Period extends Scope {
  readonly startS: number | null;
  readonly lengthS: number | null;
  readonly sets: (Scope & { representations: number })[];
}

/** Makes a record of the periods of an MPD and their sets. */
function createScopes() {
  const periods: Period[] = [];
  let presentationS = 0;
  let scope: Scope | null = null;
  const lengthOf = ({ startS, lengthS }: Period, place: number): number => {
    const nextS = periods[place + 1]?.startS ?? null;
    const untilNextS = nextS === null || startS === null ? -1 : nextS - startS;
    return lengthS ?? (untilNextS >= 0 ? untilNextS : presentationS);
  };
  const openTime = ({ name, attributes }: SaxesTagPlain): void => {
    for (const attribute of ['mediaPresentationDuration', 'duration'])
      presentationS = Math.max(presentationS, secondsOf(attributes[attribute]) ?? 0);
    if (name === 'Period') periods.push((scope = openPeriod(attributes)));
  };
  return {
    open(tag: SaxesTagPlain): void {
      const sets = periods.at(-1)?.sets;
      const set = { perSecond: 0, listed: 0, representations: 0 };
      if (tag.name === 'MPD' || tag.name === 'Period') openTime(tag);
      if (tag.name === 'AdaptationSet') sets?.push((scope = set));
      if (tag.name === 'Representation') for (const last of sets?.slice(-1) ?? []) last.representations += 1;
    },
    /** Ends an element. What stands behind a set belongs to its period. */
    close(name: string): void {
      if (name === 'AdaptationSet') scope = periods.at(-1) ?? null;
    },
    /** Takes in what a template or a list announces, and returns how many segments the rate makes in the whole presentation. */
    announce(perSecond: number, listed: number): number {
      const rate = Number.isFinite(perSecond) ? perSecond : 0;
      if (scope) scope.perSecond = Math.max(scope.perSecond, rate);
      if (scope) scope.listed = Math.max(scope.listed, listed);
      return rate * presentationS;
    },
    /** Counts the segments in all representations together, once the MPD has been read. */
    all: () => periods.reduce((sum, period, place) => sum + segmentsIn(period, lengthOf(period, place)), 0),
  };
}

/**
 * Counts the segments of the timeline, or of the template, that is open, and of all representations together: those of a set share
 * its template. ISO/IEC 23009-1, 5.3.9.2 and 5.3.9.6.
 */
function createSegmentCount() {
  const { open, close, announce, all } = createScopes();
  const inherited = createInherited();
  let listed = 0;
  return {
    /** Opens an element and returns how many segments there are then. */
    open(tag: SaxesTagPlain): number {
      open(tag);
      const number = (attribute: string): number => numberIn(tag.attributes[attribute]);
      const { timescale, duration } = inherited.open(tag);
      switch (tag.name) {
        case 'SegmentTemplate':
        case 'SegmentList':
          listed = 0;
          return announce(timescale / duration, 0);
        case 'SegmentTimeline':
          listed = 0;
          return 0;
        case 'SegmentURL':
          listed += 1;
          return announce(0, listed);
        case 'S':
          if (number('r') >= 0) listed += 1 + number('r');
          return listed + announce(number('r') < 0 ? timescale / number('d') : 0, listed);
        default:
          return 0;
      }
    },
    close(name: string): void {
      close(name);
      inherited.close(name);
    },
    all,
  };
}

/** What templates and lists say of times; what one does not say, that of the level above it does (ISO/IEC 23009-1, 5.3.9.1). */
export function createInherited() {
  const levels = [{ timescale: 1, duration: 0, presentationTimeOffset: 0 }];
  const isLevel = (name: string): boolean => /^(Period|AdaptationSet|Representation)$/.test(name);
  return {
    /** Opens an element and returns what holds in it. */
    open({ name, attributes }: SaxesTagPlain) {
      const here = levels.at(-1)!;
      if (isLevel(name)) levels.push({ ...here });
      else if (name === 'SegmentTemplate' || name === 'SegmentList')
        for (const key of ['timescale', 'duration', 'presentationTimeOffset'] as const)
          if (attributes[key] !== undefined)
            here[key] = numberIn(attributes[key]) || Number(key === 'timescale');
      return levels.at(-1)!;
    },
    close: (name: string) => void (isLevel(name) && levels.pop()),
  };
}

/** Reads a number as mpd-parser does, for which "5x" is 5 and PT5S, too. */
const numberIn = (value = ''): number => parseInt(value, 10) || parseFloat(value) || (secondsOf(value) ?? 0);

const openPeriod = ({ start, duration }: SaxesTagPlain['attributes']): Period => ({
  startS: secondsOf(start),
  lengthS: secondsOf(duration),
  perSecond: 0,
  listed: 0,
  sets: [],
});

const segmentsIn = ({ sets, ...period }: Period, lengthS: number): number =>
  sets.reduce((sum, { perSecond, listed, representations }) => {
    const counted = Math.max(perSecond, period.perSecond) * lengthS;
    return sum + representations * Math.max(counted, listed, period.listed);
  }, 0);

/**
 * Reads the seconds of an ISO 8601 duration such as P1DT2H3M4.5S, with years of 365 and months of 30 days, as mpd-parser reads
 * them; null for anything else.
 */
export function secondsOf(duration: string | undefined): number | null {
  const parts = /P(?:(\d*)Y)?(?:(\d*)M)?(?:(\d*)D)?(?:T(?:(\d*)H)?(?:(\d*)M)?(?:([\d.]*)S)?)?/.exec(
    duration ?? '',
  );
  if (!parts) return null;
  const units = [365 * 86_400, 30 * 86_400, 86_400, 3600, 60, 1];
  return units.reduce((sum, unit, place) => sum + unit * (parseFloat(parts[place + 1] ?? '') || 0), 0);
}
