import type { MediaType } from '../../abr/rule.ts';
import { forgetOldest } from './forgetOldest.ts';
import type { KnownSizes, SizesNews, SizesQuestion, SizesSource } from './sizesSource.ts';
import { workQueue } from './workQueue.ts';

/** One segment whose size may be asked for. */
export interface AskableSegment {
  readonly mediaType: MediaType;
  readonly representationId: string;
  readonly segment: number;
  readonly url: string;
}

interface Asking {
  /** The segments worth asking for, the most urgent first. */
  readonly segmentsFor: (question: SizesQuestion) => readonly AskableSegment[];
  /** `sizeBytes` is null when the server does not tell. */
  readonly head: (
    segment: AskableSegment,
  ) => Promise<{ readonly status: number; readonly sizeBytes: number | null }>;
  readonly onNews: (news: SizesNews) => void;
  readonly onFault: (sentence: string) => void;
}

/** At once: browsers open six connections to an http/1.1 host, and media needs two. */
const MAX_AT_ONCE = 4;
const MAX_WAITING = 200;
/** Nobody asks for the size of a segment long played. */
const MAX_KEPT = 200;
const MAX_REMEMBERED = 10_000;

/** Sizes by HEAD requests, some segments ahead at every rung. A rung that fails is not asked again. */
export function headSource({ segmentsFor, head, onNews, onFault }: Asking): SizesSource {
  const learned = new Map<string, Map<number, number>>();
  const asked = new Set<string>();
  const refused = new Set<string>();
  const refuse = (segment: AskableSegment, why: string): void => {
    const host = URL.parse(segment.url)?.host ?? segment.url;
    if (refused.size === 0) onFault(`Sizes by HEAD: ${host} ${why}, so these sizes stay unknown.`);
    refused.add(keyOf(segment));
    queue.drop((each) => keyOf(each) === keyOf(segment));
  };
  const learn = ({ mediaType, representationId, segment }: AskableSegment, sizeBytes: number): void => {
    const key = keyOf({ mediaType, representationId });
    const sizes = learned.get(key) ?? new Map<number, number>();
    learned.set(key, sizes.set(segment, sizeBytes));
    forgetOldest(sizes, MAX_KEPT);
    onNews({ mediaType, representationId, from: 'head', firstSegment: segment, sizesBytes: [sizeBytes] });
  };
  const ask = async (segment: AskableSegment): Promise<void> => {
    try {
      const { status, sizeBytes } = await head(segment);
      if (status >= 400) refuse(segment, `answered ${status}`);
      else if (sizeBytes === null) refuse(segment, 'does not send the length');
      else learn(segment, sizeBytes);
    } catch {
      refuse(segment, 'did not answer');
    }
  };
  const queue = workQueue(ask, { atOnce: MAX_AT_ONCE, maxWaiting: MAX_WAITING });
  return {
    lookUp(question) {
      const fresh = segmentsFor(question).filter(
        (segment) => !refused.has(keyOf(segment)) && !asked.has(segment.url),
      );
      for (const { url } of fresh) asked.add(url);
      forgetOldest(asked, MAX_REMEMBERED);
      // What still waits may be played by now: the new comes first.
      queue.add(fresh);
    },
    known: (mediaType, representationId) => newestRun(learned.get(keyOf({ mediaType, representationId }))),
  };
}

const keyOf = ({
  mediaType,
  representationId,
}: Pick<AskableSegment, 'mediaType' | 'representationId'>): string => `${mediaType} ${representationId}`;

/** The consecutive segments that end with the one of the highest number. */
function newestRun(sizes: ReadonlyMap<number, number> | undefined): KnownSizes | null {
  if (!sizes || sizes.size === 0) return null;
  const run: number[] = [];
  let segment = Math.max(...sizes.keys());
  for (let size = sizes.get(segment); size !== undefined; size = sizes.get(segment)) {
    run.unshift(size);
    segment -= 1;
  }
  return { from: 'head', firstSegment: segment + 1, sizesBytes: run };
}
