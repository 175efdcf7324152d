import type { MediaPlayerClass, Representation } from 'dashjs';
import type { MediaType, SizesEvent } from '../../abr/rule.ts';
import { errorDraft } from '../../telemetry/errorDraft.ts';
import type { Fetched, RecordedFetch, Telemetry } from '../../telemetry/shell/telemetry.ts';
import { withOriginRequests } from '../originRequests.ts';
import type { PlayerSetup } from '../player.ts';
import { isInFirstPeriod, namedSizesFile } from './dashStream.ts';
import { fileSource } from './fileSource.ts';
import { headSource, segmentsAhead } from './headSource.ts';
import { indexSource } from './indexSource.ts';
import type { SizesNews, SizesQuestion, SizesSource } from './sizesSource.ts';

/** What is known of the sizes of segments, from where the set-up and the stream allow. */
interface SegmentSizes {
  /** Before each decision: begins to look up what these choices need. */
  lookUp(question: SizesQuestion): void;
  /** All sizes known now, as rule inputs: one event per rung, none for a rung of which nothing is known. */
  input(mediaType: MediaType, choices: readonly Representation[]): readonly SizesEvent[];
  dispose(): void;
}

interface SizesSurroundings {
  readonly player: MediaPlayerClass;
  readonly telemetry: Pick<Telemetry, 'fetch' | 'nowMs' | 'record'>;
  readonly setup: Pick<PlayerSetup, 'sizes' | 'origins'>;
  readonly onNews: (news: SizesNews) => void;
}

/** ms. A size that comes later is of no use. */
const TIME_LIMIT_MS = 20_000;

export function createSegmentSizes(around: SizesSurroundings): SegmentSizes {
  const { player, telemetry } = around;
  const ending = new AbortController();
  const sources = sourcesOf(around, ending.signal);
  const isSized = (choices: readonly Representation[]): boolean =>
    choices[0] !== undefined && isInFirstPeriod(choices[0]) && !player.isDynamic();
  return {
    lookUp(question) {
      if (isSized(question.choices)) for (const source of sources) source.lookUp(question);
    },
    input(mediaType, choices) {
      if (!isSized(choices)) return [];
      const atMs = telemetry.nowMs();
      return choices.flatMap(({ id }, rung): SizesEvent[] => {
        const known = sources.map((source) => source.known(mediaType, id)).find((each) => each !== null);
        return known ? [{ kind: 'sizes', atMs, rung, ...known }] : [];
      });
    },
    dispose: () => ending.abort(),
  };
}

/** In the order in which they are believed. */
function sourcesOf(
  { player, telemetry, setup, onNews }: SizesSurroundings,
  ended: AbortSignal,
): readonly SizesSource[] {
  const wish = setup.sizes ?? 'stream';
  const send = senderOf(telemetry.fetch, setup.origins, ended);
  const onFault = (message: string): void => {
    if (!ended.aborted)
      telemetry.record(errorDraft({ atMs: telemetry.nowMs(), source: 'player', code: 'sizes', message }));
  };
  const file = (urlFor: (question: SizesQuestion) => string | null): SizesSource =>
    fileSource({ urlFor, load: (url) => send(url, { type: 'index' }), onNews, onFault });
  if (wish === 'none') return [];
  if (wish === 'stream')
    return [indexSource(player), file(({ choices: [first] }) => (first ? namedSizesFile(first) : null))];
  if (wish !== 'head') return [file(() => wish.url)];
  return [
    headSource({
      segmentsFor: (question) => segmentsAhead(player, question),
      async head({ url, segment, representationId }) {
        const about = { type: 'index', method: 'HEAD', segment, representationId } as const;
        const { status, headers } = await send(url, about);
        return { status, sizeBytes: lengthIn(headers) };
      },
      onNews,
      onFault,
    }),
  ];
}

/** Sends with the headers and credentials that the user gave for the origin, until the player ends. */
function senderOf(
  fetch: RecordedFetch,
  origins: PlayerSetup['origins'],
  ended: AbortSignal,
): (url: string, request: Parameters<RecordedFetch>[1]) => Promise<Fetched> {
  return (url, request) => {
    const { headers, credentials } = withOriginRequests<{
      url: string;
      headers?: Record<string, string>;
      credentials?: string;
    }>({ url }, origins ?? {});
    return fetch(url, {
      ...request,
      ...(headers && { headers }),
      credentials: credentials !== undefined,
      signal: AbortSignal.any([ended, AbortSignal.timeout(TIME_LIMIT_MS)]),
    });
  };
}

/** Bytes; null when the server does not tell. Content-Length may be read across origins (Fetch, CORS-safelisted). */
function lengthIn(headers: Headers): number | null {
  const length = Number(headers.get('content-length') ?? NaN);
  return Number.isSafeInteger(length) && length > 0 ? length : null;
}
