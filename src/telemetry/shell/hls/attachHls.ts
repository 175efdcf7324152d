import type Hls from 'hls.js';
import type { Fragment, HlsListeners, Level, LevelDetails, MediaPlaylist } from 'hls.js';
import { absent } from '../../event.ts';
import { createElementAdapter } from '../elementAdapter.ts';
import { guarded } from '../onEvents.ts';
import { HLS_RULE } from '../ownRules.ts';
import type { PlayerAdapter } from '../playerAdapter.ts';
import { startSession } from '../startSession.ts';
import type { SessionOptions, Telemetry } from '../telemetry.ts';
import { DECODE } from '../trackMediaErrors.ts';
import { aheadMs, trackPlayer, type PlayerTracking } from '../trackPlayer.ts';
import { hlsPurposeOf, trackHlsRequests, type HlsPlace } from './hlsRequests.ts';

/**
 * Records what hls.js 1.7 does, as a session log, by its public events and its `xhrSetup`. Call it, and wait for it, after
 * `new Hls()` and before `loadSource`: then it sees the first request. A loader that sends no XMLHttpRequest has no requests in
 * the log.
 */
export async function attachHls(
  hls: Hls,
  video: HTMLMediaElement,
  options: SessionOptions = {},
): Promise<Telemetry> {
  const { keepQueryValues = false, ...rest } = options;
  const { version } = hls.constructor as typeof Hls;
  const environment = { player: `hls.js ${version}`, ...options.environment };
  return startSession(video, { ...rest, keepQueryValues, environment }, ({ header, ...session }) => {
    const around = { video, keepQueryValues, ...session };
    const ranges = trackRanges(hls);
    const tracking = trackPlayer(around, header, {
      rule: HLS_RULE,
      name: 'hls.js',
      adapter: createHlsAdapter(hls, video),
      bufferMs: (mediaType) => ranges.aheadMs(mediaType, video.currentTime),
      // hls.js starts the decoder anew, or says that it cannot.
      isFatal: (code) => code !== DECODE,
    });
    const requests = trackHlsRequests(hls, {
      book: tracking.book,
      purposeOf: (context) => hlsPurposeOf(context, placesOf(hls, tracking)),
    });
    const disposers = [
      ranges.dispose,
      trackPresentation(hls, tracking),
      trackErrors(hls, tracking, requests),
      requests.dispose,
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

/** Adapts hls.js. It seeks by itself over holes, and to the live edge. */
function createHlsAdapter(hls: Hls, video: HTMLMediaElement): PlayerAdapter {
  let sources = 0;
  return {
    ...createElementAdapter(video),
    latency() {
      const live = isLive(hls);
      const latencyMs = Math.round(hls.latency * 1000);
      return {
        liveLatencyMs: live && latencyMs > 0 ? latencyMs : absent(live ? 'too-early' : 'not-applicable'),
      };
    },
    onLoading: (act) => onHls(hls, { hlsManifestLoading: act }),
    onNextSource: (act) => onHls(hls, { hlsManifestLoading: () => void ((sources += 1) > 1 && act()) }),
    onAppended: (act) => onHls(hls, { hlsBufferAppended: act }),
  };
}

/** Listens to events by name (`Hls.Events`). Returns the disposer. */
function onHls(
  hls: Hls,
  listeners: { [Name in keyof HlsListeners]?: (data: Parameters<HlsListeners[Name]>[1]) => void },
) {
  const guards = Object.entries(listeners).map(([name, listener]) => {
    const guard = guarded((_: unknown, data: never) => (listener as (data: never) => void)(data));
    hls.on(name as never, guard as never);
    return () => hls.off(name as never, guard as never);
  });
  return () => {
    for (const off of guards) off();
  };
}

const isLive = (hls: Hls): boolean => hls.latestLevelDetails?.live ?? false;

/** What the SourceBuffers have, which hls.js hands out when it has made them. */
function trackRanges(hls: Hls) {
  const buffers = new Map<string, Pick<SourceBuffer, 'buffered'>>();
  const dispose = onHls(hls, {
    hlsBufferCreated({ tracks }) {
      for (const [name, track] of Object.entries(tracks)) if (track?.buffer) buffers.set(name, track.buffer);
    },
    hlsMediaDetached: () => buffers.clear(),
  });
  return {
    dispose,
    aheadMs(mediaType: 'video' | 'audio', atSeconds: number): number | null {
      const buffer = buffers.get(mediaType) ?? buffers.get('audiovideo');
      return buffer ? aheadMs(rangesIn(buffer), atSeconds) : null;
    },
  };
}

/** A buffer that was taken off its source has none. */
function rangesIn(buffer: Pick<SourceBuffer, 'buffered'>): { start: number; end: number }[] {
  try {
    const { buffered } = buffer;
    return Array.from({ length: buffered.length }, (_, n) => ({
      start: buffered.start(n),
      end: buffered.end(n),
    }));
  } catch {
    return [];
  }
}

/** The file name of a playlist where it tells levels apart, else the place in the list. */
function idsOf(urls: readonly string[]): string[] {
  const names = urls.map((url) =>
    (url.split(/[?#]/)[0] ?? '')
      .split('/')
      .at(-1)!
      .replace(/\.m3u8$/i, ''),
  );
  const areUnique = new Set(names).size === names.length && !names.includes('');
  return names.map((name, index) => (areUnique ? name : String(index)));
}

const urlOf = ({ url }: Level | MediaPlaylist): string => (typeof url === 'string' ? url : (url[0] ?? ''));
const idIn = (list: readonly (Level | MediaPlaylist)[], index: number): string | null =>
  idsOf(list.map(urlOf))[index] ?? null;

/** Segments of a stream on demand are counted from 0, as those of DASH. */
const firstSegmentOf = (details: LevelDetails | undefined | null): number =>
  details && !details.live ? details.startSN : 0;

function placesOf(hls: Hls, { ladder }: PlayerTracking) {
  return (mediaType: string | null, index: number): HlsPlace | null => {
    const list =
      mediaType === 'video' ? hls.levels : mediaType === 'audio' ? hls.audioTracks : hls.subtitleTracks;
    const representationId = idIn(list, index);
    if (representationId === null) return null;
    const level = mediaType === 'video' ? ladder.at(representationId) : null;
    return {
      representationId,
      rung: level?.rung ?? null,
      bitrateKbps: level?.bitrateKbps ?? null,
      firstSegment: firstSegmentOf(list[index]?.details),
    };
  };
}

/** Manifests, the ladder, and what hls.js decides and does with levels. */
function trackPresentation(hls: Hls, tracking: PlayerTracking): () => void {
  let level: string | null = null;
  let hasAbandoned = false;
  const levelId = (index: number): string | null => idIn(hls.levels, index);
  return onHls(hls, {
    hlsLevelLoaded({ details, levelInfo }) {
      tracking.ladder.offer(rungsOf(hls), segmentMsOf(details));
      tracking.manifest(manifestFacts(details, hls.url ?? urlOf(levelInfo)));
    },
    hlsLevelSwitching({ level: index }) {
      const id = levelId(index);
      if (id !== null && level !== null && id !== level) tracking.switches(id, level);
    },
    hlsFragLoading({ frag }) {
      const id = levelId(frag.level);
      if (frag.type !== 'main' || id === null) return;
      const { details } = hls.levels[frag.level]!;
      // hls.js asks for the first segment before others hear that the level is loaded.
      tracking.ladder.offer(rungsOf(hls), details ? segmentMsOf(details) : null);
      if (typeof frag.sn !== 'number') return;
      const firstSegment = firstSegmentOf(details);
      tracking.chose({
        representationId: id,
        fromId: level,
        segment: Math.max(0, frag.sn - firstSegment),
        segmentsLeft: details && !details.live ? Math.max(0, details.endSN - frag.sn) : null,
        estimateKbps: estimateKbps(hls),
        bufferTargetMs: hls.config.maxBufferLength * 1000,
        ...explain(hls, { frag, hasAbandoned }),
      });
      level = id;
      hasAbandoned = false;
    },
    hlsFragLoadEmergencyAborted: () => void (hasAbandoned = true),
    hlsFragBuffered({ frag, part }) {
      const id = levelId(frag.level);
      if (frag.type !== 'main' || typeof frag.sn !== 'number' || id === null) return;
      const { start, end } = part ?? frag;
      tracking.appended(id, { fromMs: start * 1000, toMs: end * 1000 });
    },
    hlsBufferFlushed({ type, start, end }) {
      if (type !== 'audio') tracking.cleared(start * 1000, end === Infinity ? 1e12 : end * 1000);
    },
  });
}

const segmentMsOf = ({ fragments, targetduration }: LevelDetails): number =>
  (fragments[0]?.duration ?? targetduration) * 1000;

/** The average bitrate, where the playlist has it: that is what DASH calls the bandwidth of a representation. */
function rungsOf(hls: Hls): Parameters<PlayerTracking['ladder']['offer']>[0] {
  return hls.levels.map((level, index) => ({
    id: idIn(hls.levels, index) ?? String(index),
    bandwidth: Number(level.attrs['AVERAGE-BANDWIDTH']) || level.bitrate,
    width: level.width,
    height: level.height,
    codecs: level.attrs.CODECS ?? '',
  }));
}

const manifestFacts = (details: LevelDetails, url: string): Parameters<PlayerTracking['manifest']>[0] => ({
  url,
  type: details.live ? 'dynamic' : 'static',
  lowLatency: (details.partList?.length ?? 0) > 0,
  durationMs: details.live ? null : details.totalduration * 1000,
  periods: Math.max(1, details.endCC - details.startCC + 1),
});

/** In bit/s; NaN before it measured anything. */
const estimateKbps = (hls: Hls): number | null =>
  Number.isFinite(hls.bandwidthEstimate) ? hls.bandwidthEstimate / 1000 : null;

function explain(hls: Hls, { frag, hasAbandoned }: { frag: Fragment; hasAbandoned: boolean }) {
  const { autoLevelCapping: cap, autoLevelEnabled, levels } = hls;
  const kbps = estimateKbps(hls);
  const by = autoLevelEnabled ? 'by its own rule' : 'because it was set';
  const because = [
    `hls.js chose level ${frag.level + 1} of ${levels.length} ${by}${kbps === null ? '' : `; it expects ${Math.round(kbps)} kbit/s`}.`,
    ...(hasAbandoned ? ['It had just cancelled a download that would have come too late.'] : []),
    ...(cap >= 0 && cap < levels.length - 1 ? [`Levels above ${cap + 1} are not allowed.`] : []),
  ].join(' ');
  const values = { ...(cap >= 0 && { maxLevel: cap + 1 }), timeToFirstByteMs: hls.ttfbEstimate };
  return {
    because,
    values: Object.fromEntries(Object.entries(values).filter(([, each]) => Number.isFinite(each))),
  };
}

function trackErrors(
  hls: Hls,
  tracking: PlayerTracking,
  requests: ReturnType<typeof trackHlsRequests>,
): () => void {
  return onHls(hls, {
    hlsError({ details, error, reason, networkDetails, response }) {
      // hls.js gives a request up, as for another level: that is how the request ended, and no error.
      if (details === 'aborted') return;
      if (details.endsWith('LoadTimeOut')) requests.timedOut(networkDetails);
      const requestId = requests.idOf(networkDetails);
      const status = response?.code ? ` (status ${response.code})` : '';
      // Whoever owns the player says whether an error that hls.js calls fatal ends playback: most can be recovered from.
      tracking.error(
        { source: 'player', code: `hlsjs-${details}`, fatal: false, requestId },
        `${reason ?? error.message}${status}`,
      );
    },
  });
}
