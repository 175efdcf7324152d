import type shaka from 'shaka-player';
import type * as shakaModule from 'shaka-player';
import { absent } from '../../event.ts';
import { createElementAdapter } from '../elementAdapter.ts';
import { guarded, onEvents } from '../onEvents.ts';
import { SHAKA_RULE } from '../ownRules.ts';
import type { PlayerAdapter } from '../playerAdapter.ts';
import { startSession } from '../startSession.ts';
import type { SessionOptions, Telemetry } from '../telemetry.ts';
import { aheadMs, trackPlayer, type PlayerTracking } from '../trackPlayer.ts';
import { INIT_SEGMENT, levelId, placeOf, shakaPurposeOf, trackShakaRequests } from './shakaRequests.ts';

/** Shaka is CommonJS with a default export: with `moduleResolution` nodenext that is the default of the default. */
type Inmost<Module> = Module extends { default: infer Inner } ? Inmost<Inner> : Module;
/** `shaka.Player`, as every user of the package has it. */
export type ShakaPlayer =
  Inmost<typeof shakaModule> extends { Player: new (...given: never[]) => infer Player } ? Player : never;

/**
 * Records what Shaka Player 5 does, as a session log, by its networking filters and its events. Call it, and wait for it, after
 * `new shaka.Player()` and `attach`, and before `load`: then it sees the first request.
 */
export async function attachShaka(
  player: ShakaPlayer,
  video: HTMLMediaElement,
  options: SessionOptions = {},
): Promise<Telemetry> {
  const { keepQueryValues = false, ...rest } = options;
  const { version } = player.constructor as typeof shaka.Player;
  const environment = { player: `shaka-player ${version.replace(/^v/, '')}`, ...options.environment };
  return startSession(video, { ...rest, keepQueryValues, environment }, ({ header, ...session }) => {
    const around = { video, keepQueryValues, ...session };
    const tracking = trackPlayer(around, header, {
      rule: SHAKA_RULE,
      name: 'Shaka',
      adapter: createShakaAdapter(player, video),
      bufferMs(mediaType) {
        const ranges = player.getBufferedInfo()[mediaType];
        return ranges.length > 0 || video.readyState > 0 ? aheadMs(ranges, video.currentTime) : null;
      },
      // Shaka tries to recover, and says when it cannot.
      isFatal: () => false,
    });
    const presentation = trackPresentation(player, tracking);
    const disposers = [
      trackShakaRequests(player, {
        book: tracking.book,
        purposeOf(type, context) {
          presentation.asked(context);
          return shakaPurposeOf(type, context, { player, ladder: tracking.ladder });
        },
      }),
      presentation.dispose,
      trackErrors(player, tracking),
    ];
    return {
      ...tracking,
      stop() {
        for (const dispose of disposers) guarded(dispose)();
        tracking.stop();
      },
    };
  });
}

/** Listens to events of the player by name (player.js, "@event"). Returns the disposer. */
const onShaka = (player: shaka.Player, name: string, act: (event: never) => void): (() => void) =>
  onEvents(player as unknown as EventTarget, [name], (event) => act(event as never));

/** Adapts Shaka. It seeks by itself over holes, and into the window of a live stream. */
function createShakaAdapter(player: shaka.Player, video: HTMLMediaElement): PlayerAdapter {
  let sources = 0;
  return {
    ...createElementAdapter(video),
    latency() {
      const live = player.isLive();
      const { liveLatency = 0 } = live ? player.getStats() : {};
      const latencyMs = Math.round(liveLatency * 1000);
      return { liveLatencyMs: latencyMs > 0 ? latencyMs : absent(live ? 'too-early' : 'not-applicable') };
    },
    onLoading: (act) => onShaka(player, 'loading', act),
    onNextSource: (act) => onShaka(player, 'loading', () => void ((sources += 1) > 1 && act())),
    onAppended: (act) => onShaka(player, 'segmentappended', act),
  };
}

interface Appended {
  readonly start: number;
  readonly end: number;
  readonly contentType: string;
}

type Context = shaka.extern.RequestContext | undefined;

/** Appended segments are known by their time; those that never come are forgotten after so many. */
const MAX_EXPECTED = 50;

/** The manifest, the ladder, and what Shaka decides and does with variants. */
function trackPresentation(
  player: shaka.Player,
  tracking: PlayerTracking,
): { asked(context: Context): void; dispose(): void } {
  let level: string | null = null;
  let by = 'by its own rule';
  const expected = new Map<number, shaka.extern.Stream>();
  const refresh = (segmentMs: number | null): void => tracking.ladder.offer(rungsOf(player), segmentMs);
  const onSwitch = (sentence: string) =>
    guarded(
      ({ oldTrack, newTrack }: { oldTrack: shaka.extern.Track | null; newTrack: shaka.extern.Track }) => {
        by = sentence;
        const [from, to] = [idOf(player, oldTrack), idOf(player, newTrack)];
        if (from !== null && to !== null && from !== to) tracking.switches(to, from);
      },
    );
  const disposers = [
    onShaka(player, 'manifestparsed', () => refresh(null)),
    onShaka(player, 'loaded', () => tracking.manifest(manifestFacts(player))),
    onShaka(player, 'adaptation', onSwitch('by its own rule')),
    onShaka(player, 'variantchanged', onSwitch('because it was set')),
    onShaka(player, 'segmentappended', ({ start, end, contentType }: Appended) => {
      if (contentType !== 'video') return;
      // Of HLS it loads some segments before it has a level for them, and does not load them again.
      const stream = expected.get(start);
      const active = player.getVariantTracks().find((track) => track.active);
      const id = stream ? levelId(player, stream) : idOf(player, active);
      if (id === null) return;
      expected.delete(start);
      tracking.appended(id, { fromMs: start * 1000, toMs: end * 1000 });
    }),
  ];
  return {
    asked(context) {
      const { stream, segment, type } = context ?? {};
      if (stream?.type !== 'video') return;
      const id = levelId(player, stream);
      if (id === null) return;
      const start = segment?.getStartTime() ?? 0;
      refresh(segment ? (segment.getEndTime() - start) * 1000 : null);
      if (!segment || Number(type) === INIT_SEGMENT) return;
      if (expected.size >= MAX_EXPECTED) expected.clear();
      expected.set(start, stream);
      tracking.chose({
        representationId: id,
        fromId: level,
        segment: placeOf(stream, start),
        segmentsLeft: null,
        ...explain(player, by),
      });
      level = id;
    },
    dispose() {
      for (const dispose of disposers) dispose();
    },
  };
}

const idOf = (player: shaka.Player, track: shaka.extern.Track | null | undefined): string | null =>
  track ? levelId(player, { id: track.videoId, originalId: track.originalVideoId }) : null;

/** One rung for each video of the variants: with several sounds they are listed more than once. */
function rungsOf(player: shaka.Player): Parameters<PlayerTracking['ladder']['offer']>[0] {
  const rungs = new Map<string, ReturnType<typeof rungsOf>[number]>();
  for (const track of player.getVariantTracks()) {
    const id = idOf(player, track);
    const bandwidth = track.videoBandwidth ?? track.bandwidth;
    const before = id === null ? undefined : rungs.get(id);
    if (id === null || (before && before.bandwidth <= bandwidth)) continue;
    rungs.set(id, { id, bandwidth, width: track.width, height: track.height, codecs: track.videoCodec });
  }
  return [...rungs.values()];
}

function manifestFacts(player: shaka.Player): Parameters<PlayerTracking['manifest']>[0] {
  const manifest = player.getManifest();
  const live = player.isLive();
  const { start, end } = player.seekRange();
  return {
    url: player.getAssetUri() ?? '',
    type: live ? 'dynamic' : 'static',
    lowLatency: manifest?.isLowLatency ?? false,
    durationMs: live ? null : (end - start) * 1000,
    periods: manifest?.periodCount ?? 1,
  };
}

function explain(player: shaka.Player, by: string) {
  const { estimatedBandwidth } = player.getStats();
  const estimateKbps = Number.isFinite(estimatedBandwidth) ? estimatedBandwidth / 1000 : null;
  const expects = estimateKbps === null ? '' : `; it expects ${Math.round(estimateKbps)} kbit/s`;
  const { bufferingGoal } = player.getConfiguration().streaming;
  return {
    estimateKbps,
    bufferTargetMs: bufferingGoal * 1000,
    values: {},
    because: `Shaka chose this level ${by}${expects}.`,
  };
}

interface ShakaError extends Event {
  readonly detail?: { readonly code: number; readonly severity: number; readonly message?: string };
}

function trackErrors(player: shaka.Player, tracking: PlayerTracking): () => void {
  return onShaka(player, 'error', ({ detail }: ShakaError) => {
    const code = detail?.code ?? 'unknown';
    tracking.error(
      { source: 'player', code: `shaka-${code}`, fatal: false, requestId: null },
      detail?.message ?? 'Shaka gave no message.',
    );
  });
}
