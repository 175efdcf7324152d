import { formatCount } from '../../src/shared/format.ts';
import type { Entry } from '../../src/shared/registry.ts';

/** The version of dash.js whose text is replaced below: the one that package.json pins. */
export const SEEDED_VERSION = '5.2.1';

/** A text of `dist/modern/esm/dash.all.debug.js` that stands there once, and what takes its place. */
interface Edit {
  readonly find: string;
  readonly replace: string;
}

/** A change of dash.js of which it is known beforehand what it does. Its label says that in a sentence. */
export interface SeededChange extends Entry {
  /** Metric of the usual gate in which it should show; null: in none. */
  readonly metric: 'mean-bitrate' | 'rebuffer-rate' | 'join-time' | null;
  readonly edits: readonly Edit[];
}

/** ThroughputModel.js: the throughput of a request in kbit/s. */
const ESTIMATE = 'throughputInKbit = Math.round(8 * downloadedBytes / referenceTimeInMs);';
/** AbrController.js: the highest of all levels that a bitrate carries. */
const HIGHEST_LEVEL = 'return targetRepresentations.reduce((max, curr) => {';
/** AbandonRequestsRule.js: whether to give up a download, and for which level. */
const IS_WORTH_ABANDONING = 'if (remainingBytesToDownload > totalBytesForOptimalRepresentation) {';
const LEVEL_INSTEAD =
  'const optimalRepresentationForBitrate = abrController.getOptimalRepresentationForBitrate(mediaInfo, throughputInKbit, true);';

/** Faults: each makes dash.js worse for some viewers. */
export const seededFaults: readonly SeededChange[] = [
  {
    id: 'bytes-as-bits',
    label: 'The throughput estimate takes bytes for bits, so it is an eighth of the throughput.',
    metric: 'mean-bitrate',
    edits: [
      {
        find: ESTIMATE,
        replace: 'throughputInKbit = Math.round(downloadedBytes / referenceTimeInMs);',
      },
    ],
  },
  {
    id: 'estimate-halved',
    label: 'The throughput estimate is half of the throughput.',
    metric: 'mean-bitrate',
    edits: [
      {
        find: ESTIMATE,
        replace: 'throughputInKbit = Math.round(4 * downloadedBytes / referenceTimeInMs);',
      },
    ],
  },
  {
    id: 'estimate-doubled',
    label: 'The throughput estimate is twice the throughput.',
    metric: 'rebuffer-rate',
    edits: [
      {
        find: ESTIMATE,
        replace: 'throughputInKbit = Math.round(16 * downloadedBytes / referenceTimeInMs);',
      },
    ],
  },
  {
    id: 'latency-twice',
    label: 'The throughput estimate counts the latency of a request twice as download time.',
    metric: 'mean-bitrate',
    edits: [
      {
        find: 'useDeadTimeLatency ? downloadTimeInMs : downloadTimeInMs + latencyInMs;',
        replace: 'useDeadTimeLatency ? downloadTimeInMs + 2 * latencyInMs : downloadTimeInMs + latencyInMs;',
      },
    ],
  },
  {
    id: 'ewma-weights-swapped',
    label: 'The moving averages of the throughput give the new value the weight of the old one.',
    metric: 'rebuffer-rate',
    edits: [
      {
        find: 'ewmaObj.fastEstimate = (1 - fastAlpha) * value + fastAlpha * ewmaObj.fastEstimate;',
        replace: 'ewmaObj.fastEstimate = fastAlpha * value + (1 - fastAlpha) * ewmaObj.fastEstimate;',
      },
      {
        find: 'ewmaObj.slowEstimate = (1 - slowAlpha) * value + slowAlpha * ewmaObj.slowEstimate;',
        replace: 'ewmaObj.slowEstimate = slowAlpha * value + (1 - slowAlpha) * ewmaObj.slowEstimate;',
      },
    ],
  },
  {
    id: 'level-too-low',
    label: 'The level for a bitrate is one too low.',
    metric: 'mean-bitrate',
    edits: [
      {
        find: HIGHEST_LEVEL,
        replace:
          'return targetRepresentations.slice(0, Math.max(1, targetRepresentations.length - 1)).reduce((max, curr) => {',
      },
    ],
  },
  {
    id: 'level-too-high',
    label: 'The level for a bitrate is one too high.',
    metric: 'rebuffer-rate',
    edits: [
      {
        find: HIGHEST_LEVEL,
        replace:
          'return possibleVoRepresentations[Math.min(targetRepresentations.length, possibleVoRepresentations.length - 1)] || targetRepresentations.reduce((max, curr) => {',
      },
    ],
  },
  {
    id: 'abort-always',
    label:
      'AbandonRequestsRule gives up each download that takes longer than half a second, for the lowest level.',
    metric: 'mean-bitrate',
    edits: [
      {
        find: 'abandonRequestsRule.parameters.abandonDurationMultiplier ||',
        replace: 'abandonRequestsRule.parameters.abandonDurationMultiplier * 0 ||',
      },
      { find: LEVEL_INSTEAD, replace: LEVEL_INSTEAD.replace('throughputInKbit', '0') },
    ],
  },
  {
    id: 'abort-never',
    label: 'AbandonRequestsRule never gives up a download.',
    metric: 'rebuffer-rate',
    edits: [{ find: IS_WORTH_ABANDONING, replace: 'if (false) {' }],
  },
  {
    id: 'buffer-halved',
    label: 'The buffer target is 9 s instead of 18 s.',
    metric: 'rebuffer-rate',
    // The comment above the settings has the same text within a line.
    edits: [{ find: '\n        bufferTimeDefault: 18,\n', replace: '\n        bufferTimeDefault: 9,\n' }],
  },
  {
    id: 'insufficient-buffer-off',
    label: 'InsufficientBufferRule never acts.',
    metric: 'rebuffer-rate',
    edits: [
      {
        find: 'if (!_shouldExecuteRule(playbackController, mediaType, fragmentDuration)) {',
        replace: 'if (true) {',
      },
    ],
  },
  {
    id: 'start-too-high',
    label: 'The first video segment has the highest level instead of that for 1000 kbit/s.',
    metric: 'join-time',
    edits: [
      { find: 'const DEFAULT_VIDEO_BITRATE = 1000;', replace: 'const DEFAULT_VIDEO_BITRATE = 100000;' },
    ],
  },
];

/** Changes after which dash.js plays as before: to call one of them a regression is a false alarm. */
export const harmlessChanges: readonly SeededChange[] = [
  {
    id: 'log-reworded',
    label: 'A message of the debug log has other words.',
    metric: null,
    edits: [
      {
        find: 'came from cache, ignoring it for throughput calculation',
        replace: 'came from the cache and does not count for the throughput',
      },
    ],
  },
  {
    id: 'half-lives-swapped',
    label: 'The two moving averages change places; the estimate is the smaller of both, as before.',
    metric: null,
    edits: [
      {
        find: 'fast: settings.get().streaming.abr.throughput.ewma.throughputFastHalfLifeSeconds,',
        replace: 'fast: settings.get().streaming.abr.throughput.ewma.throughputSlowHalfLifeSeconds,',
      },
      {
        find: 'slow: settings.get().streaming.abr.throughput.ewma.throughputSlowHalfLifeSeconds\n',
        replace: 'slow: settings.get().streaming.abr.throughput.ewma.throughputFastHalfLifeSeconds\n',
      },
    ],
  },
];

/** The source with a change in it. @throws Error in one sentence if a text does not stand there exactly once */
export function applyEdits(
  source: string,
  { id, edits }: Pick<SeededChange, 'id' | 'edits'>,
  version: string,
): string {
  return edits.reduce((text, { find, replace }) => {
    const places = text.split(find).length - 1;
    if (places !== 1)
      throw new Error(
        `${id}: The text to replace must stand once in dash.js ${version}, and it stands there ${formatCount(places, 'time')}: ${JSON.stringify(find)}`,
      );
    return text.replace(find, () => replace);
  }, source);
}
