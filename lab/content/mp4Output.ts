/** The last arguments of an output of ffmpeg: one fragmented MP4 with a `sidx` for the whole file. PURE. */
export function mp4Output(file: string, fragmentFlag: string): string[] {
  const flags = `+dash+delay_moov+global_sidx+skip_trailer${fragmentFlag}`;
  return ['-f', 'mp4', '-movflags', flags, file];
}

/** Ends a fragment after so many seconds. */
export const fragments = (seconds: number): string[] => ['-frag_duration', String(seconds * 1_000_000)];
