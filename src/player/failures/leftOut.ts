import type { MediaPlayerClass } from 'dashjs';
import { tidyManifest, type TidyManifest } from './tidyManifest.ts';

/** A representation as dash.js' parser leaves it (DashParser.js): what stands at its set is copied into it. */
export interface DashRepresentation {
  readonly id?: string;
  readonly mimeType?: string;
  readonly codecs?: string;
  readonly width?: number;
  readonly height?: number;
}

/** The parts of dash.js' parsed MPD that we read. Its capabilities filter takes representations and whole sets out of it. */
export interface DashManifest {
  readonly Period?: readonly {
    readonly AdaptationSet?: readonly { readonly Representation?: readonly DashRepresentation[] }[];
  }[];
}

/** What a filter left out of a manifest, in sentences. */
interface LeftOut {
  /** Playback goes on without it. */
  readonly notices: readonly string[];
  /** Why nothing is played: sound alone is not what a stream with video is for. null: something is. */
  readonly fatal: string | null;
}

type Kind = 'video' | 'audio';

interface Offered {
  readonly kind: Kind;
  /** Counted from 1. */
  readonly period: number;
  readonly representation: DashRepresentation;
}

/** Names of representations in one sentence; a manifest may have thousands. */
const MAX_NAMED = 6;

/** The video and audio that a manifest offers. Taken before the filter runs, because it works in place. */
export function offeredIn({ Period = [] }: DashManifest): readonly Offered[] {
  return Period.flatMap(({ AdaptationSet = [] }, index) =>
    AdaptationSet.flatMap(({ Representation = [] }) =>
      Representation.flatMap((representation) => {
        const kind = /^(video|audio)\//.exec(representation.mimeType ?? '')?.[1] as Kind | undefined;
        return kind ? [{ kind, period: index + 1, representation }] : [];
      }),
    ),
  );
}

/**
 * What of an offer the same manifest no longer has, and why.
 *
 * @param isDecodable whether the browser has a decoder for a type such as `video/mp4; codecs="hvc1.1.6.L93.90"`
 */
export function leftOutOf(
  offered: readonly Offered[],
  manifest: DashManifest,
  isDecodable: (type: string) => boolean,
): LeftOut {
  const kept = new Set(offeredIn(manifest).map(({ representation }) => representation));
  const notices: string[] = [];
  let fatal: string | null = null;
  for (const kind of ['video', 'audio'] as const) {
    const all = offered.filter((each) => each.kind === kind);
    const gone = all.filter(({ representation }) => !kept.has(representation));
    if (gone.length === 0) continue;
    const why = causeOf(kind, gone, isDecodable);
    const bare = periodsWithout(all, gone);
    if (gone.length === all.length && kind === 'video')
      fatal = `${why}, and the stream has no other video, so nothing is played.`;
    else if (gone.length === all.length)
      notices.push(`${why}, and the stream has no other ${kind}: it plays without ${kind}.`);
    else notices.push(`${why}; ${gone.length} of ${all.length} are left out.${withoutIn(kind, bare)}`);
  }
  return { notices, fatal };
}

function causeOf(kind: Kind, gone: readonly Offered[], isDecodable: (type: string) => boolean): string {
  const unknown = gone.filter(({ representation: { mimeType = '', codecs } }) =>
    codecs === undefined ? !isDecodable(mimeType) : !isDecodable(`${mimeType}; codecs="${codecs}"`),
  );
  if (unknown.length === 0)
    return `This browser or player cannot play the ${kind} representations ${namesOf(gone)}: their size, rate or an essential property is not supported`;
  const codecs = new Set(unknown.map(({ representation }) => representation.codecs ?? 'an unnamed codec'));
  return `This browser cannot decode ${listed([...codecs])}, the codec of the ${kind} representations ${namesOf(gone)}`;
}

const namesOf = (gone: readonly Offered[]): string => listed([...new Set(gone.map(nameOf))]);

function nameOf({ representation: { id, width, height } }: Offered): string {
  const size = width && height ? ` (${width}×${height})` : '';
  return `${id ?? 'without an id'}${size}`;
}

function listed(names: readonly string[]): string {
  const more = names.length - MAX_NAMED;
  return more > 0 ? `${names.slice(0, MAX_NAMED).join(', ')} and ${more} more` : names.join(', ');
}

/** Periods that had some of it, and have nothing left. */
function periodsWithout(all: readonly Offered[], gone: readonly Offered[]): readonly number[] {
  const count = (some: readonly Offered[], period: number): number =>
    some.filter((each) => each.period === period).length;
  const periods = [...new Set(gone.map(({ period }) => period))];
  return periods.filter((period) => count(gone, period) === count(all, period));
}

const withoutIn = (kind: Kind, periods: readonly number[]): string =>
  periods.length === 0
    ? ''
    : ` Period ${listed(periods.map(String))} ${periods.length === 1 ? 'plays' : 'play'} without ${kind}.`;

/** Tells each notice once: live manifests bring the same with every refresh. Tidies each manifest first. Returns the disposer. */
export function watchLeftOut(
  player: Pick<MediaPlayerClass, 'on' | 'off'>,
  { notify, fail }: { notify(sentence: string): void; fail(sentence: string): void },
  isDecodable = hasDecoder,
): () => void {
  const reported = new Set<string>();
  let before: { manifest: DashManifest; offered: readonly Offered[] } | null = null;
  const onManifest = (event: unknown): void => {
    const manifest = (event as { data?: (DashManifest & TidyManifest) | null }).data;
    if (manifest) tidyManifest(manifest);
    before = manifest ? { manifest, offered: offeredIn(manifest) } : null;
  };
  // dash.js filters a manifest, then synchronizes its clock, then makes its streams (StreamController.js).
  const onFiltered = (): void => {
    if (!before) return;
    const { notices, fatal } = leftOutOf(before.offered, before.manifest, isDecodable);
    before = null;
    for (const notice of notices) {
      if (!reported.has(notice)) notify(notice);
      reported.add(notice);
    }
    if (fatal !== null) fail(fatal);
  };
  player.on('manifestLoaded', onManifest);
  player.on('timeSynchronizationComplete', onFiltered);
  return () => {
    player.off('manifestLoaded', onManifest);
    player.off('timeSynchronizationComplete', onFiltered);
  };
}

/** Safari of a phone has only the managed one. */
function hasDecoder(type: string): boolean {
  const { MediaSource, ManagedMediaSource } = globalThis as {
    MediaSource?: { isTypeSupported(type: string): boolean };
    ManagedMediaSource?: { isTypeSupported(type: string): boolean };
  };
  return (MediaSource ?? ManagedMediaSource)?.isTypeSupported(type) ?? false;
}
