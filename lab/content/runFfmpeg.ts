import { spawn } from 'node:child_process';

/**
 * Runs ffmpeg; rejects with its last words. With `-progress pipe:1` among the arguments `onProgress` hears the
 * seconds of content written so far.
 */
export function runFfmpeg(
  ffmpeg: string,
  args: readonly string[],
  onProgress: (contentS: number) => void = () => {},
): Promise<void> {
  const child = spawn(ffmpeg, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  let words = '';
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => void (words = (words + chunk).slice(-2000)));
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    const micros = /out_time_(?:us|ms)=(\d+)/.exec(chunk)?.[1];
    if (micros) onProgress(Number(micros) / 1e6);
  });
  return new Promise((resolve, reject) => {
    child.once('error', (cause) => reject(new Error(`ffmpeg could not be run: ${cause.message}`, { cause })));
    child.once('close', (code) =>
      code === 0 ? resolve() : reject(new Error(`ffmpeg failed: ${words.trim() || `exit code ${code}`}`)),
    );
  });
}
