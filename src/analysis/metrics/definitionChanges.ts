/**
 * A change of what metrics mean. Numbers that were computed before it and kept (results in files, tables on pages) are not
 * comparable with numbers that are computed since; logs are, because metrics are computed from them anew.
 */
export interface DefinitionChange {
  /** Ids of the metrics, in the words of the registry. */
  readonly metrics: readonly string[];
  /** Version of the definitions that has the change. */
  readonly version: number;
  /** Day of the change, YYYY-MM-DD. */
  readonly since: string;
  /** What was computed before, and how it differs from now: a sentence without its full stop. */
  readonly before: string;
  /** Values of streams with sound are wrong by an unknown amount, which may change the order of arms. */
  readonly isOfSound?: true;
}

/** Every change, oldest first. */
export const definitionChanges: readonly DefinitionChange[] = [
  {
    metrics: ['throughput', 'effective-throughput'],
    version: 2,
    since: '2026-11-25',
    before:
      'the time was the sum of the durations of all downloads, so that a second in which audio and video downloaded at once counted twice; where downloads overlap, the values are too low, also below the bitrate that was played',
  },
  {
    metrics: ['rebuffer-count'],
    version: 2,
    since: '2026-11-25',
    before: 'every wait counted, also one of less than a millisecond',
  },
  {
    metrics: ['recovery-time', 'connection-survival', 'lost-requests'],
    version: 3,
    since: '2026-11-26',
    before:
      'a change after which nothing came until the end of the session did not count where the player had then aborted what was waiting',
  },
  {
    metrics: ['recovery-time', 'connection-survival', 'lost-requests'],
    version: 4,
    since: '2026-11-26',
    before:
      'a change of address with a gap began with the new address, so that the time without one, and the requests that failed in it, did not count',
  },
  {
    metrics: [
      'rebuffer-time',
      'rebuffer-rate',
      'rebuffer-count',
      'window-stall',
      'tcp-stall-correlation',
      'qoe-linear',
      'qoe-log',
      'qoe-hd',
    ],
    version: 5,
    since: '2026-11-28',
    isOfSound: true,
    before:
      'stalls were the waits that the media element reported, so that of a stream with sound in Chromium the first 3 s of each stall are missing, in which the picture stood and the sound played on; how much is missing depends on the transport, and a seek of the player itself ended a stall',
  },
  {
    metrics: ['mean-bitrate', 'median-bitrate', 'mean-quality-level', 'window-bitrate', 'window-variation'],
    version: 5,
    since: '2026-11-28',
    before:
      'time counted in which the picture of a stream with sound stood while the sound played on, and where segments were replaced (fast switch of dash.js) the level was what dash.js had requested last',
  },
  {
    metrics: ['switches', 'switch-magnitude', 'instability', 'quality-drop', 'tcp-quality-correlation'],
    version: 5,
    since: '2026-11-28',
    before:
      'where segments were replaced (fast switch of dash.js) the level was what dash.js had requested last, and not what was on the screen',
  },
  {
    metrics: ['qoe-linear', 'qoe-log', 'qoe-hd', 'bitrate-variation', 'optimum-share'],
    version: 5,
    since: '2026-11-28',
    before:
      'the number of segments was the time in which the video played, whatever its rate, divided by the length of the first segment of the ladder',
  },
  {
    metrics: ['join-time'],
    version: 5,
    since: '2026-11-28',
    before:
      'it ended when the element began to play, which may be before or after its first frame is presented; a session without a frame had no value',
  },
  {
    metrics: ['seek-wait'],
    version: 5,
    since: '2026-11-28',
    before:
      'seeks that did not lead to playback were left out, and seeks of the player itself counted as seeks of the viewer',
  },
  {
    metrics: ['live-latency', 'live-latency-p95'],
    version: 5,
    since: '2026-11-28',
    before:
      'the lab’s live streams stated their time in the manifest, so that the latency was too low by as long as the manifest had been on its way: 2.2 s over h3 and 8.0 s over h2 after a reload behind media',
  },
];

/** The version of all definitions together. Files of results name it; those without it have version 1. */
export const DEFINITIONS_VERSION = Math.max(1, ...definitionChanges.map(({ version }) => version));

/**
 * A sentence for each change that values of an older version do not have, as far as it is about the metrics shown.
 * @param shown ids of metrics
 */
export const formatOlderDefinitions = (version: number, shown: readonly string[]): string[] =>
  definitionChanges
    .filter((change) => change.version > version && change.metrics.some((id) => shown.includes(id)))
    .map(
      ({ metrics, since, before }) =>
        `Computed with the definition before ${since} of ${metrics.filter((id) => shown.includes(id)).join(' and ')}: ${before}.`,
    );
