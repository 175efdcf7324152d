import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { launchChromium, type ChromiumOptions } from './launchChromium.ts';
import { protocolsOf } from './protocolsOf.ts';

/**
 * A profile that has visited an origin: a browser that starts with a copy of it knows the origin's Alt-Svc, so that its
 * first request races already. Nothing else of a connection survives on disk: Chromium keeps TLS tickets and QUIC's session
 * cache in memory, so the first handshake is a whole one, without 0-RTT (seen with 156: e2e/specs/warmProfile.spec.ts).
 */
export interface WarmProfile {
  /** What the visit's requests were answered with, each change: `h2`, then `h3` where the origin offers it. */
  readonly protocols: readonly string[];
  /** A copy for one browser; who asks for it removes it. With `as` it has visited that origin instead. */
  copy(as?: string): Promise<string>;
  remove(): Promise<void>;
}

export interface WarmUpOptions {
  /** As the sessions will have it: the mode's flags, the certificate, the host's address. */
  readonly browser: Omit<ChromiumOptions, 'profileDir' | 'netLogFile'>;
  /** Where the page is: Chromium remembers an Alt-Svc for requests from pages of this site only. */
  readonly pageUrl: string;
  /** Something small on the origin. */
  readonly url: string;
}

/** Requests until the browser has learned what it can; the first one brings Alt-Svc. */
const VISITS = 3;

/** @throws Error in one sentence when the origin did not answer */
export async function warmProfile({ browser, pageUrl, url }: WarmUpOptions): Promise<WarmProfile> {
  const dir = await mkdtemp(path.join(tmpdir(), 'pitwall-profile-'));
  const remove = (): Promise<void> => rm(dir, { recursive: true, force: true, maxRetries: 5 });
  try {
    const protocols = await visit({ browser, pageUrl, url }, dir);
    return { protocols, remove, copy: (as) => copyOf(dir, { from: url, as }) };
  } catch (error) {
    await remove();
    throw error;
  }
}

async function visit(
  { browser, pageUrl, url }: WarmUpOptions,
  profileDir: string,
): Promise<readonly string[]> {
  const { context, close } = await launchChromium({ ...browser, profileDir });
  try {
    const page = context.pages()[0] ?? (await context.newPage());
    await page.goto(pageUrl);
    const { protocols, error } = await protocolsOf(page, url, VISITS);
    if (error !== null) throw new Error(`${url} did not answer the visit that warms a profile up: ${error}`);
    return protocols;
  } finally {
    // A browser that ends writes down what it knows.
    await close();
  }
}

/** Chromium's memory of servers, below the profile (net/http/http_server_properties_manager.cc). */
const MEMORY = path.join('Default', 'Network Persistent State');

async function copyOf(dir: string, { from, as }: { from: string; as: string | undefined }): Promise<string> {
  const copy = await mkdtemp(path.join(tmpdir(), 'pitwall-profile-'));
  await cp(dir, copy, { recursive: true });
  if (as === undefined) return copy;
  const file = path.join(copy, MEMORY);
  await writeFile(file, movedTo(as, from, await readFile(file, 'utf8')));
  return copy;
}

/** Origins stand there as https://host:port, the alternative's port by itself. */
function movedTo(as: string, from: string, memory: string): string {
  const [theirs, ours] = [new URL(from), new URL(as)];
  const portOf = ({ port }: URL): number => Number(port || 443);
  const originOf = (url: URL): string => `${url.protocol}//${url.hostname}:${portOf(url)}`;
  return memory
    .replaceAll(`"${originOf(theirs)}"`, `"${originOf(ours)}"`)
    .replaceAll(`"${theirs.origin}"`, `"${ours.origin}"`)
    .replaceAll(`"port":${portOf(theirs)},`, `"port":${portOf(ours)},`);
}
