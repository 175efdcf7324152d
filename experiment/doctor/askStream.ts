import { contentFromMpd, videoOfMpd } from '../simulate/mpd/contentFromMpd.ts';
import type { Trusted } from '../../node/trust.ts';
import { failed, ok, type Result } from '../../src/shared/result.ts';
import type { Track } from '../../src/sim/content.ts';
import { askThrough, MANIFEST_BYTES, type Asking } from './ask.ts';
import { kindOf } from './readManifest.ts';
import { readDash } from './readDash.ts';
import type { AskedStream } from './proposeCampaign.ts';

interface AskOptions {
  readonly trusted: Trusted | undefined;
  /** Whether each segment may be asked for its size, however many there are. */
  readonly isThorough: boolean;
}

const MANIFEST_MS = 10_000;
/** More requests than a look at somebody's server should make. */
const MAX_SIZE_REQUESTS = 600;

/** Reads what a campaign needs to know of a stream. @throws Error in one sentence */
export async function askStream(url: string, { trusted, isThorough }: AskOptions): Promise<AskedStream> {
  const asking: Asking = {
    pageOrigin: new URL(url).origin,
    trusted,
    signal: AbortSignal.timeout(MANIFEST_MS),
    budget: { leftBytes: MANIFEST_BYTES },
  };
  const { answer, body, isCut } = await askThrough(url, asking, { limitBytes: MANIFEST_BYTES }).catch(
    (error: Error) => {
      throw new Error(`${url}: ${error.message}.`);
    },
  );
  if (answer.status !== 200) throw new Error(`${url}: The server answers ${answer.status}.`);
  const kind = kindOf(answer.url, body);
  if (kind !== 'dash')
    throw new Error(
      `${url}: It is no MPD. Campaigns play DASH: name the MPD${kind === 'hls' ? ' of this stream, if it has one' : ''}.`,
    );
  if (isCut) throw new Error(`${url}: The MPD is longer than ${MANIFEST_BYTES / 1e6} MB.`);
  const text = new TextDecoder().decode(body);
  const { isLive } = readDash(text, answer.url);
  const { sizeRequests, ...video } = videoOfMpd(text, answer.url);
  const sizes: Result<Track> = isLive
    ? failed('the segments of a live stream are not there yet')
    : sizeRequests > MAX_SIZE_REQUESTS && !isThorough
      ? failed(`it would take ${sizeRequests} requests to know them (--all-sizes makes them)`)
      : await sizesOf(answer.url, trusted);
  return { url, isLive, ...video, sizes };
}

const sizesOf = (url: string, trusted: Trusted | undefined): Promise<Result<Track>> =>
  contentFromMpd(url, 'the stream', trusted).then(
    ({ video }) => ok(video),
    (error: Error) => failed(`they cannot be read (${error.message.replace(/\.$/, '')})`),
  );
