import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { exampleNetLog } from '../../src/telemetry/netlog/exampleNetLog.testing.ts';

interface SyntheticNetLog {
  readonly sizeBytes: number;
  readonly requests: number;
}

/** About what a media request of 400 kB leaves in a real one. */
const PACKETS = 330;
const FIRST_ID = 1000;
/** Sources of a request and its packets. */
const IDS = 10;

/**
 * Writes a made-up NetLog of at least `minBytes`: one QUIC session, then requests on it, each with its packets, as many
 * bytes a request as Chromium 156 writes. Unclosed, as a killed browser leaves it.
 */
export async function syntheticNetLog(file: string, minBytes: number): Promise<SyntheticNetLog> {
  const out = createWriteStream(file);
  let [sizeBytes, requests] = [0, 0];
  const write = async (text: string): Promise<void> => {
    sizeBytes += text.length;
    if (!out.write(text)) await once(out, 'drain');
  };
  await write(lotOf(requests++));
  while (sizeBytes < minBytes) await write(withoutHead(lotOf(requests++)));
  out.end();
  await once(out, 'finish');
  return { sizeBytes, requests };
}

const withoutHead = (text: string): string =>
  text.slice(text.indexOf('"events": [\n') + '"events": [\n'.length);

/** A builder of its own each time: it holds what it wrote. The same names in the same order get the same numbers. */
function lotOf(index: number): string {
  const id = FIRST_ID + index * IDS;
  const ms = index * 1000;
  const log = exampleNetLog()
    .event('QUIC_SESSION_PACKET_SENT 0', ms, 7, { encryption_level: 'ENCRYPTION_FORWARD_SECURE', size: 45 })
    .request(id, ms, `https://origin.test:8443/${index}.m4s`, { broken: false })
    .job(id + 2, ms, { request: id, type: 'alternative' })
    .event('QUIC_SESSION_POOL_USE_EXISTING_SESSION 0', ms, id + 2, { source_dependency: { id: 7, type: 13 } })
    .bind(id, ms, id + 2);
  for (let packet = 0; packet < PACKETS; packet += 1)
    log
      .event('QUIC_SESSION_PACKET_RECEIVED 0', ms + 20 + packet, 7, {
        peer_address: '203.0.113.1:8443',
        self_address: '198.51.100.1:47222',
        size: 1250,
      })
      .event('QUIC_SESSION_STREAM_FRAME_RECEIVED 0', ms + 20 + packet, 7, {
        fin: false,
        length: 1220,
        offset: packet * 1220,
      });
  return log.finish(id, ms + 30 + PACKETS, { bytes: PACKETS * 1220 }).text();
}
