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
