import { execFile } from 'node:child_process';

/** Runs ffmpeg without input. @throws Error with its last words */
export const runFfmpeg = (ffmpeg: string, args: readonly string[]): Promise<void> =>
  new Promise((resolve, reject) => {
    execFile(ffmpeg, [...args], (error, _, stderr) => {
      if (error) reject(new Error(`ffmpeg failed: ${(stderr || error.message).trim().slice(-2000)}`));
      else resolve();
    });
  });
