import { hostOf, nothing, pathOf } from '../answers.ts';
import type { Check } from '../check.ts';
import { elsewhere, httpsFix } from '../fixes.ts';
import { formatCount } from '../../shared/format.ts';

const about = { topic: 'manifest', needs: ['stream'] } as const;

export const unreadable: Check = {
  ...about,
  id: 'unreadable-manifest',
  label: 'the manifest',
  severity: 'problem',
  why: 'Nothing plays.',
  fix: elsewhere('correct the manifest, or the address'),
  run: ({ stream }) => (stream?.fault == null ? [] : [stream.fault.replace(/\.$/, '')]),
};

export const insecureMedia: Check = {
  ...about,
  id: 'insecure-media',
  label: 'media without TLS',
  severity: 'problem',
  why: 'A page over https may not load them (mixed content), and http has neither h2 nor h3.',
  fix: httpsFix,
  run: ({ stream, isSecure }) =>
    isSecure && stream !== null && stream.insecure.length > 0
      ? [
          `The manifest names ${formatCount(stream.insecure.length, 'server')} over http (${stream.insecure.join(', ')})`,
        ]
      : [],
};

export const missingFiles: Check = {
  ...about,
  id: 'missing-files',
  label: 'files of all levels, and the last segment',
  needs: ['stream', 'probes'],
  severity: 'problem',
  why: 'A player that chooses this level, or reaches this place, stalls or ends with an error.',
  fix: elsewhere(
    'let packager and server agree: the manifest must name only what is there, at the time when it is there',
  ),
  run: ({ stream }) =>
    (stream?.probes ?? []).flatMap(({ what, url, status, error }) =>
      status === 200 || status === 206 || (status === null && error === undefined)
        ? []
        : [`${hostOf(url)} answers ${status ?? nothing(error!)} for ${what} (${pathOf(url)})`],
    ),
};

export const gaps: Check = {
  ...about,
  id: 'gaps',
  label: 'gaps of the timeline',
  severity: 'problem',
  why: 'The picture stands at the gap, unless the player jumps over it.',
  fix: elsewhere('let the packager write a timeline without gaps'),
  run: ({ stream }) => {
    const [first] = stream?.gaps ?? [];
    return first === undefined
      ? []
      : [
          `The timeline has ${formatCount(stream!.gaps.length, 'gap')}; the first one is ${first.lengthSeconds.toFixed(2)} s long, at ${first.atSeconds.toFixed(1)} s`,
        ];
  },
};

/** Share by which segments may differ from the manifest (ISO/IEC 23009-1, 7.2.1: half of a segment) before it is said. */
const MAX_DIFFERENCE = 0.05;

export const wrongLengths: Check = {
  ...about,
  id: 'wrong-lengths',
  label: 'length of segments',
  needs: ['stream', 'lengths'],
  severity: 'problem',
  why: 'The player requests the wrong segment after a seek, computes wrong rates, and misses the live edge.',
  fix: elsewhere(
    'let the packager write the real length (SegmentTemplate@duration, SegmentTimeline, EXTINF), with key frames at equal distances',
  ),
  run: ({ stream }) => {
    if (stream?.lengths == null) return [];
    const { announced, found } = stream.lengths;
    return Math.abs(found - announced) > MAX_DIFFERENCE * announced
      ? [`Segments last ${found.toFixed(3)} s in the media and ${announced.toFixed(3)} s in the manifest`]
      : [];
  },
};

export const longSegments: Check = {
  ...about,
  id: 'long-segments',
  label: 'target duration (HLS)',
  severity: 'problem',
  why: 'Players plan reloads and buffer by it; a longer segment is an error (RFC 8216, section 4.3.3.1).',
  fix: elsewhere('let the packager write the longest segment, rounded, as EXT-X-TARGETDURATION'),
  run: ({ stream }) =>
    stream?.target != null && Math.round(stream.target.longest) > stream.target.announced
      ? [`A segment lasts ${stream.target.longest} s, and EXT-X-TARGETDURATION is ${stream.target.announced}`]
      : [],
};

export const undecodable: Check = {
  ...about,
  id: 'undecodable',
  label: 'codecs',
  needs: ['stream', 'browser'],
  severity: 'warning',
  why: 'A viewer with such a browser sees nothing, or fewer levels.',
  fix: elsewhere('offer a codec that all browsers have, too; correct the string if it is wrong (RFC 6381)'),
  run: ({ browser }) =>
    browser === null || browser.undecodable.length === 0
      ? []
      : [`${browser.name} cannot decode ${browser.undecodable.join(', ')}`],
};

export const noClock: Check = {
  ...about,
  id: 'no-clock',
  label: 'clock of a live stream (UTCTiming)',
  severity: 'warning',
  why: 'The live edge depends on the clock of the viewer’s device. One that runs ahead asks for segments that are not there yet.',
  fix: elsewhere(
    'name a clock in the MPD: <UTCTiming schemeIdUri="urn:mpeg:dash:utc:http-iso:2014" value="https://…"/>',
  ),
  run: ({ stream }) =>
    stream?.kind === 'dash' && stream.fault === null && stream.isLive && stream.clocks.length === 0
      ? ['The live MPD names no clock (UTCTiming)']
      : [],
};

export const deadClock: Check = {
  ...about,
  id: 'dead-clock',
  label: 'answer of the clock',
  needs: ['stream', 'clocks'],
  severity: 'warning',
  why: 'The player waits for the clock before it starts, and goes on with the clock of the device.',
  fix: elsewhere('name a clock that answers pages of other sites (CORS) with a time'),
  run: ({ stream }) =>
    (stream?.clocks ?? []).flatMap(({ url, error }) =>
      error === null ? [] : [`The clock of the MPD gives no time (${url ?? 'no address'}: ${error})`],
    ),
};

const MAX_OFFSET_S = 2;

export const wrongClock: Check = {
  ...about,
  id: 'wrong-clock',
  label: 'time of the clock',
  needs: ['stream', 'clocks'],
  severity: 'problem',
  why: 'Players ask for segments too early (404) or play far behind the live edge.',
  fix: elsewhere('set the clocks of clock server, packager and origin by NTP'),
  run: ({ stream }) =>
    (stream?.clocks ?? []).flatMap(({ url, offsetSeconds }) =>
      offsetSeconds !== null && Math.abs(offsetSeconds) > MAX_OFFSET_S
        ? [
            `The clock of the MPD${url === null ? '' : ` (${hostOf(url)})`} is ${Math.abs(offsetSeconds).toFixed(1)} s ${offsetSeconds > 0 ? 'ahead of' : 'behind'} the server of the MPD`,
          ]
        : [],
    ),
};

export const coarseClock: Check = {
  ...about,
  id: 'coarse-clock',
  label: 'precision of the clock',
  needs: ['stream', 'clocks'],
  severity: 'note',
  why: 'The clock gives whole seconds. The latency of a low-latency stream is then wrong by up to a second.',
  fix: elsewhere('let the clock give fractions of a second (2026-01-01T00:00:00.123Z)'),
  run: ({ stream }) =>
    (stream?.clocks ?? []).flatMap(({ url, error, hasFractions }) =>
      error !== null || hasFractions || url === null ? [] : [`The clock ${hostOf(url)} gives whole seconds`],
    ),
};
