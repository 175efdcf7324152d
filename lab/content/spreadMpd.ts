import { element } from './xml.ts';

/** How the media of a stream are spread over several names of one origin. */
export interface Spread {
  /** What has a name of its own: each segment in turn, each representation in turn, or the sound. */
  readonly by: 'segment' | 'representation' | 'audio';
  /** Addresses of the folder of the stream, one for each name; the first is that of the MPD itself. */
  readonly bases: readonly [string, ...string[]];
}

/**
 * Rewrites an MPD that addresses segments by number (`mpd.ts`, `template`) so that they come from several names. By segment it
 * becomes a list, as a template has one address. PURE. @throws Error where the MPD has a representation of another kind
 */
export function spreadMpd(text: string, { by, bases }: Spread): string {
  const seconds = Number(/mediaPresentationDuration="PT([\d.]+)S"/.exec(text)?.[1]);
  let place = 0;
  const baseOf = (index: number): string => bases[index % bases.length]!;
  const spread = text
    .replace(/(<SupplementalProperty [^>]*value=")(?!\w+:)/g, `$1${bases[0]}`)
    .replace(
      /<AdaptationSet [^>]*contentType="(\w+)"[\s\S]*?<\/AdaptationSet>/g,
      (set: string, type: string) =>
        set.replace(REPRESENTATION, (_, opening: string, id: string, template: string) => {
          const index = by === 'representation' ? place : by === 'audio' && type === 'audio' ? 1 : 0;
          place += 1;
          const base = element('BaseURL', {}, baseOf(index));
          return `${opening}${base}${by === 'segment' ? listOf(template, { id, seconds, baseOf }) : template}`;
        }),
    );
  const count = text.split('<Representation ').length - 1;
  if (place !== count) throw new Error(`of ${count} representations, ${place} were spread over hosts`);
  return spread;
}

const REPRESENTATION = /(<Representation id="([^"]+)"[^>]*>\s*)(<SegmentTemplate [^>]*\/>)/g;

interface Listed {
  readonly id: string;
  /** Length of the stream. */
  readonly seconds: number;
  baseOf(index: number): string;
}

function listOf(template: string, { id, seconds, baseOf }: Listed): string {
  const numberOf = (name: string): number => Number(new RegExp(` ${name}="(\\d+)"`).exec(template)?.[1]);
  const [timescale, duration] = [numberOf('timescale'), numberOf('duration')];
  const count = Math.ceil((seconds * timescale) / duration - 1e-6);
  // Relative where BaseURL says it: the list is long, and comes over the link before the first segment.
  const placeOf = (index: number): string => (baseOf(index) === baseOf(0) ? '' : baseOf(index));
  return element('SegmentList', { timescale, duration }, [
    element('Initialization', { sourceURL: `${id}/init.mp4` }),
    ...Array.from({ length: count }, (_, index) =>
      element('SegmentURL', { media: `${placeOf(index)}${id}/${index + 1}.m4s` }),
    ),
  ]);
}
