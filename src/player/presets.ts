import type { Entry } from '../shared/registry.ts';

/** A named set of dash.js settings; every deviation from its defaults has its reason. */
export interface Preset extends Entry {
  readonly about: string;
  readonly changes: readonly Change[];
  /** How byte ranges are asked for: by dash.js through the browser's cache, or past it (docs/decisions/0013). */
  readonly byteRanges: 'cached' | 'no-store';
}

export interface Change {
  /** Dotted path in dash.js' settings (core/Settings.js of 5.2.1). */
  readonly path: string;
  readonly value: number | string | boolean;
  readonly reason: string;
}

/** s. With 20 s dash.js' BOLA keeps its own switch points: its parameters do not move below max(10 + 2 per rung). */
const BUFFER_TARGET_S = 20;

/** ms. Above the longest outage in the lab's profiles (60 s); dash.js' 20 s kills honest downloads at 64–256 kbit/s. */
const FRAGMENT_TIMEOUT_MS = 120_000;

const asShipped: Preset = {
  id: 'as-shipped',
  label: 'As dash.js ships',
  about: 'Every setting is the default of dash.js, as on a site that only includes the player.',
  changes: [],
  byteRanges: 'cached',
};

const experiment: Preset = {
  id: 'experiment',
  label: 'Experiment',
  about:
    'Each session starts alike, each segment is loaded once, and nothing outside the stream is contacted.',
  byteRanges: 'no-store',
  changes: [
    {
      path: 'streaming.buffer.fastSwitchEnabled',
      value: false,
      reason: 'An up-switch would drop buffered segments and load them again: 38 downloads instead of 17.',
    },
    {
      path: 'streaming.cacheInitSegments',
      value: true,
      reason: 'Otherwise each switch costs one more request, which no paper’s model has.',
    },
    {
      path: 'streaming.lastBitrateCachingInfo.enabled',
      value: false,
      reason: 'The start rung must not depend on what this browser played before.',
    },
    {
      path: 'streaming.lastMediaSettingsCachingInfo.enabled',
      value: false,
      reason: 'The tracks must not depend on what this browser played before.',
    },
    {
      path: 'streaming.abr.initialBitrate.video',
      value: 1,
      reason: 'Every session starts on the lowest rung: none is ≤ 1 kbit/s, so dash.js takes the lowest.',
    },
    {
      path: 'streaming.abr.initialBitrate.audio',
      value: 1,
      reason: 'The same for audio, so that it does not depend on the first measurement.',
    },
    ...['bufferTimeDefault', 'bufferTimeAtTopQuality', 'bufferTimeAtTopQualityLongForm'].map((name) => ({
      path: `streaming.buffer.${name}`,
      value: BUFFER_TARGET_S,
      reason: 'One buffer target for all rungs and lengths; a target of 60 s would change BOLA’s parameters.',
    })),
    {
      path: 'streaming.abr.rules.abandonRequestsRule.active',
      value: false,
      reason: 'An abandoned download is loaded twice; neither the simulator nor the papers’ models do that.',
    },
    {
      path: 'streaming.fragmentRequestTimeout',
      value: FRAGMENT_TIMEOUT_MS,
      reason: 'An outage must end in a late segment, not in a request that the player killed and repeated.',
    },
    {
      path: 'streaming.utcSynchronization.defaultTimingSource.scheme',
      value: 'urn:pitwall:none',
      reason:
        'No public clock server: dash.js skips a scheme it does not know; UTCTiming of the MPD still counts.',
    },
  ],
};

export const presets: readonly Preset[] = [asShipped, experiment];
