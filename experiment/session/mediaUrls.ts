import { filesByServer } from '../simulate/mpd/contentFromMpd.ts';
import { askFor, formatAskError, type Answered, type Trusted } from '../../node/trust.ts';
import { isOwn, type CompareCell } from './plan.ts';

const PATIENCE_MS = 10_000;

/** Reads an MPD and the address that it came from, after redirects. @throws Error in one sentence */
export async function mpdAt(mpdUrl: string, trusted?: Pick<Trusted, 'pem'>): Promise<Answered> {
  const response = await askFor(mpdUrl, PATIENCE_MS, trusted).catch((error: Error) => {
    throw new Error(`${mpdUrl}: The server cannot be reached (${formatAskError(error)}).`);
  });
  if (!response.ok) throw new Error(`${mpdUrl}: The server answers ${response.status}.`);
  return response;
}

/** Asks for an MPD and answers a media file on each other server that its stream comes from. @throws Error in one sentence */
async function mediaUrlsOf(mpdUrl: string, trusted?: Pick<Trusted, 'pem'>): Promise<string[]> {
  const { text, url } = await mpdAt(mpdUrl, trusted);
  const { origin } = new URL(mpdUrl);
  return filesByServer(text, url).filter((file) => new URL(file).origin !== origin);
}

/**
 * Finds a media file on each other server, for each stream of the sessions that is not our own, by the address of its MPD.
 * Where that is not known, and QUIC is to be forced there, a line says so.
 */
export async function mediaUrlsByMpd(
  cells: readonly Pick<CompareCell, 'mpd' | 'transport'>[],
  { print, trusted }: { print: (line: string) => void; trusted?: Pick<Trusted, 'pem'> | undefined },
): Promise<Record<string, string[]>> {
  const found: Record<string, string[]> = {};
  for (const mpd of new Set(cells.filter((cell) => !isOwn(cell)).map((cell) => cell.mpd)))
    found[mpd] = await mediaUrlsOf(mpd, trusted).catch((error: Error) => {
      if (cells.some((cell) => cell.mpd === mpd && cell.transport === 'h3-only'))
        print(`${error.message} If its media are on another server, h3-only does not force QUIC there.`);
      return [];
    });
  return found;
}
