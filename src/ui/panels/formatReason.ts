import type { MissingReason } from '../../telemetry/event.ts';

const WORDS: Readonly<Record<MissingReason, string>> = {
  'no-tao': 'unknown, no TAO',
  'no-entry': 'unknown, no timing entry',
  'range-ambiguous': 'unknown, ranges look alike',
  'range-cache': 'unknown, through the cache',
  cached: 'from the cache',
  'not-supported': 'unknown, unsupported',
  'not-exposed': 'unknown, hidden by CORS',
  'not-sent': 'not sent',
  'not-applicable': 'none',
  failed: 'failed before',
  aborted: 'aborted before',
  'in-flight': 'in flight',
  'too-early': 'not known yet',
  'not-reported': 'unknown, no source',
  'out-of-range': 'unknown, out of range',
};

/** Why a value is not there, short enough to stand in its place. */
export const formatReason = (reason: MissingReason | undefined): string =>
  reason === undefined ? 'unknown' : WORDS[reason];
