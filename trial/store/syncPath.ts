import { open } from 'node:fs/promises';

/** Waits until a file or the names in a folder are on the disk. Windows has no such thing for folders. */
export async function syncPath(place: string): Promise<void> {
  const handle = await open(place, 'r').catch(() => null);
  await handle?.sync().catch(() => undefined);
  await handle?.close();
}
