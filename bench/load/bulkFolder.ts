import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** Bytes by name: one packet, some TLS records, an object as large as a segment, and one that no measurement reaches the end of. */
export const BULK_FILES = {
  'small.bin': 1000,
  'records.bin': 40_000,
  'object.bin': 1_000_000,
  'endless.bin': 64 * 1024 ** 3,
} as const;

/** Where origins of the benches mount it. */
export const BULK_PREFIX = '/bulk';
export const bulkPath = (name: keyof typeof BULK_FILES): string => `${BULK_PREFIX}/${name}`;

/** A folder with files that take no space on the disk (holes are read as zeros). Remove it in the end. */
export function bulkFolder(): { readonly folder: string; remove(): void } {
  const folder = mkdtempSync(path.join(tmpdir(), 'pitwall-bulk-'));
  for (const [name, bytes] of Object.entries(BULK_FILES)) {
    const file = path.join(folder, name);
    writeFileSync(file, '');
    truncateSync(file, bytes);
  }
  const removed = onLeaving(() => rmSync(folder, { recursive: true, force: true }));
  return {
    folder,
    remove: () => {
      rmSync(folder, { recursive: true, force: true });
      removed();
    },
  };
}

/** What must be undone when this process leaves in the middle, with one listener for all. */
const pending = new Set<() => void>();
process.on('exit', () => {
  for (const undo of pending) undo();
});

/** Calls `undo` at the end of the process, unless what is returned is called first. `undo` must not wait. */
export function onLeaving(undo: () => void): () => void {
  pending.add(undo);
  return () => void pending.delete(undo);
}
