import { SaxesParser, type SaxesTagPlain } from 'saxes';

/** An MPD has eight levels; deeper ones would only exhaust the stack. */
const DEEPEST = 100;
/** Of one representation: a day in segments of a second. */
const MAX_SEGMENTS = 100_000;

/**
 * What is wrong with an MPD before it reaches mpd-parser, in a few words; null when it may. That library takes what it can of
 * XML that is none, at a cost that grows with the square of its length, and makes an object of every segment that is announced.
 * Here reading ends at the first fault (Extensible Markup Language 1.0, section 2.1).
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
  parser.on('closetag', () => void (depth -= 1));
  try {
    parser.write(text).close();
    return null;
  } catch (error) {
    return (error as Error).message;
  }
}

/** Counts the segments of the timeline, or of the template, that is open. ISO/IEC 23009-1, 5.3.9.2 and 5.3.9.6. */
function createSegmentCount() {
  let [presentationS, timescale, listed] = [0, 1, 0];
  const upTo = (duration: number): number => (duration > 0 ? (presentationS * timescale) / duration : 0);
  return {
    /** How many there are once an element has been opened. */
    open({ name, attributes }: SaxesTagPlain): number {
      const number = (attribute: string): number => Number(attributes[attribute] ?? NaN) || 0;
      switch (name) {
        case 'MPD':
        case 'Period':
          for (const attribute of ['mediaPresentationDuration', 'duration'])
            presentationS = Math.max(presentationS, secondsOf(attributes[attribute]));
          return 0;
        case 'SegmentTemplate':
        case 'SegmentList':
          timescale = number('timescale') || 1;
          return upTo(number('duration'));
        case 'SegmentTimeline':
          listed = 0;
          return 0;
        case 'S':
          listed += number('r') < 0 ? upTo(number('d')) : 1 + number('r');
          return listed;
        default:
          return 0;
      }
    },
  };
}

/** Seconds of an ISO 8601 duration such as PT1H2M3.5S; 0 for anything else. */
function secondsOf(duration: string | undefined): number {
  const parts = /^P(?:(\d{1,6})D)?T?(?:(\d{1,9})H)?(?:(\d{1,9})M)?(?:(\d{1,12}(?:\.\d{1,9})?)S)?$/.exec(
    duration ?? '',
  );
  if (!parts) return 0;
  const [days = 0, hours = 0, minutes = 0, seconds = 0] = parts.slice(1).map((part) => Number(part ?? 0));
  return days * 86_400 + hours * 3600 + minutes * 60 + seconds;
}
