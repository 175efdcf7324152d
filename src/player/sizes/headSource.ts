import type { MediaPlayerClass, Representation } from 'dashjs';
import type { MediaType } from '../../abr/rule.ts';
import { parseUrl } from '../../telemetry/shell/parseUrl.ts';
import { streamProcessors } from '../streamProcessors.ts';
import { segmentsOf, templateOf } from './dashStream.ts';
import type { KnownSizes, SizesNews, SizesQuestion, SizesSource } from './sizesSource.ts';

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
    const host = parseUrl(segment.url)?.host ?? segment.url;
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

/** As far as the rules that plan ahead look (MPC: five segments). */
const AHEAD = 5;

/**
 * The next segments at every rung, the nearest first; none where segments do not go by numbers. What stands before
 * the template's part of an address is taken from dash.js' next request: it chose among the MPD's BaseURLs.
 */
export function segmentsAhead(
  player: MediaPlayerClass,
  { mediaType, choices, segment }: SizesQuestion,
): readonly AskableSegment[] {
  if (segment === null) return [];
  const processor = streamProcessors(player).find((each) => each.getType() === mediaType);
  const base = baseOf(processor?.probeNextRequest() ?? null);
  if (base === null) return [];
  const [first] = choices;
  const end = Math.min(segment + AHEAD, first ? segmentsOf(first) : 0);
  const wanted: AskableSegment[] = [];
  for (let index = segment; index < end; index += 1)
    for (const choice of choices) {
      const part = partOf(choice, index);
      if (part !== null)
        wanted.push({ mediaType, representationId: choice.id, segment: index, url: base + part });
    }
  return wanted;
}

type Next = ReturnType<ReturnType<typeof streamProcessors>[number]['probeNextRequest']>;

function baseOf(next: Next): string | null {
  if (!next?.url || !next.representation) return null;
  const part = partOf(next.representation, next.index);
  return part !== null && next.url.endsWith(part) ? next.url.slice(0, -part.length) : null;
}

function partOf(representation: Representation, index: number): string | null {
  const template = templateOf(representation);
  if (!template) return null;
  const { id, bandwidth } = representation;
  return segmentUrl(template.media, { id, bandwidth, number: template.startNumber + index });
}

/** What a segment template is filled in with (ISO/IEC 23009-1 §5.3.9.4.4). */
interface TemplateValues {
  readonly id: string;
  /** bit/s */
  readonly bandwidth: number;
  readonly number: number;
}

/** The URL of a numbered segment, relative as the template is; null for a template that does not go by numbers. */
export function segmentUrl(template: string, { id, bandwidth, number }: TemplateValues): string | null {
  if (!/\$Number(%0\d+d)?\$/.test(template) || /\$(Time|SubNumber)/.test(template)) return null;
  return template.replace(
    /\$(RepresentationID|Bandwidth|Number|)(?:%0(\d+)d)?\$/g,
    (_, name: string, width: string | undefined) => {
      if (name === '') return '$';
      if (name === 'RepresentationID') return id;
      return String(name === 'Number' ? number : bandwidth).padStart(Number(width ?? 0), '0');
    },
  );
}

/** Does one thing after another, some at once, the newest first. */
interface WorkQueue<Item> {
  add(items: readonly Item[]): void;
  drop(unwanted: (item: Item) => boolean): void;
}

/** `work` never rejects. What is beyond `maxWaiting` is forgotten, oldest first. */
function workQueue<Item>(
  work: (item: Item) => Promise<void>,
  { atOnce, maxWaiting }: { atOnce: number; maxWaiting: number },
): WorkQueue<Item> {
  let waiting: readonly Item[] = [];
  let underWay = 0;
  const pump = (): void => {
    while (underWay < atOnce) {
      const [next, ...rest] = waiting;
      if (next === undefined) return;
      waiting = rest;
      underWay += 1;
      void work(next).finally(() => {
        underWay -= 1;
        pump();
      });
    }
  };
  return {
    add(items) {
      waiting = [...items, ...waiting].slice(0, maxWaiting);
      pump();
    },
    drop: (unwanted) => void (waiting = waiting.filter((item) => !unwanted(item))),
  };
}

/** Keeps the newest of a map or set, which remember the order of adding. */
function forgetOldest<Key>(
  kept: { readonly size: number; keys(): Iterator<Key>; delete(key: Key): boolean },
  max: number,
): void {
  while (kept.size > max) kept.delete(kept.keys().next().value as Key);
}
