import type { PinnedWheel } from './pinnedWheel.mjs';
export const FFMPEG_WHEEL: PinnedWheel;
export function ffmpegLacks(program: string): string | null;
export function findFfmpeg(
  cache: string,
  say: (line: string) => void,
): { path: string; how: string } | { path: null; why: string };
export function findFont(
  say: (line: string) => void,
): { path: string; how: string } | { path: null; why: string };
