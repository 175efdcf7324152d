import path from 'node:path';
import { vi } from 'vitest';

export interface Ran {
  readonly stdout: string;
  readonly stderr: string;
  readonly status: number;
}

/** `main` of the command line: importing it here would point the wrong way. */
type Main = (args: string[], root: string) => Promise<number>;

/** The command line in this process. What matches `files` is a file of the folder, whose name is left out of what is printed. */
export async function runMain(
  args: readonly string[],
  { main, folder, files }: { main: Main; folder: string; files: RegExp },
): Promise<Ran> {
  const written = { stdout: '', stderr: '' };
  const spies = (['stdout', 'stderr'] as const).map((stream) =>
    vi.spyOn(process[stream], 'write').mockImplementation((text) => {
      written[stream] += String(text).replaceAll(`${folder}${path.sep}`, '');
      return true;
    }),
  );
  try {
    const inFolder = args.map((arg) => (files.test(arg) ? path.join(folder, arg) : arg));
    const status = await main(inFolder, '.');
    return { ...written, status };
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
}
