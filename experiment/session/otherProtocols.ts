import { carriedBy, MAIN } from '../../src/player/steering/pathways.ts';
import { formatCount } from '../../src/shared/format.ts';
import { eventsOf } from '../../src/analysis/timeline/log.ts';
import { PROTOCOL_NAMES, protocolOf, type Protocol } from '../../src/analysis/transport/protocol.ts';
import type { RequestEvent } from '../../src/telemetry/event.ts';
import type { SessionLog } from '../../src/telemetry/schema/sessionLog.ts';
import { protocolsOfMode } from '../../src/telemetry/transportModes.ts';

const MEDIA: readonly RequestEvent['type'][] = ['media', 'init', 'index'];

/**
 * A sentence part about media that came over a protocol which the session's transport mode does not have, with the servers; null
 * where there was none. What a pathway without HTTP/3 carried is as it should be.
 */
export function formatOtherProtocols(log: SessionLog): string | null {
  const { transport } = log.environment;
  const expected: readonly Protocol[] = protocolsOfMode(transport);
  if (expected.length === 0) return null;
  const media = eventsOf(log, 'request').filter(
    ({ type, outcome, pathway = MAIN }) =>
      MEDIA.includes(type) && outcome === 'ok' && carriedBy(pathway) === 'any',
  );
  const servers = new Set<string>();
  let count = 0;
  for (const { protocol, finalUrl, url } of media) {
    const came = protocolOf(protocol);
    if (came === 'unknown' || expected.includes(came)) continue;
    count += 1;
    servers.add(`${new URL(finalUrl ?? url).host} over ${PROTOCOL_NAMES[came]}`);
  }
  if (count === 0) return null;
  return (
    `${count} of ${formatCount(media.length, 'request')} for media did not come over a protocol of ${transport}, ` +
    `but from ${[...servers].join(' and ')}, so this session does not measure what its row says`
  );
}
