import type { MediaPlayerClass, RulesContext } from 'dashjs';

/** The part of dash.js' StreamProcessor (streaming/StreamProcessor.js) that is read here: one per media type and period. */
interface Processor {
  getType(): string;
  /** All segments of the period are in the buffer. */
  isBufferingCompleted(): boolean;
  getScheduleController(): unknown;
}

/** The part of dash.js' ScheduleController (streaming/controllers/ScheduleController.js) that is read here. */
interface Schedule {
  getPlaybackController(): {
    getStreamController(): { getStreams(): readonly { getStreamProcessors(): unknown[] }[] };
  };
}

/**
 * The buffer level in ms of the audio beside the video that a question is about. Without it: for audio, where the period of the
 * question has no audio track, and once all audio of that period is loaded. dash.js loads a period ahead, so the period is
 * that of the question, not the one that plays.
 */
export function audioBeside(player: MediaPlayerClass, context: RulesContext): { audioBufferMs?: number } {
  if (context.getMediaType() !== 'video') return {};
  const audio = processorsOf(context).find((each) => each.getType() === 'audio');
  if (!audio || audio.isBufferingCompleted()) return {};
  const levelMs = player.getDashMetrics().getCurrentBufferLevel('audio') * 1000;
  return { audioBufferMs: Number.isFinite(levelMs) && levelMs >= 0 ? levelMs : 0 };
}

/** All media types of the period that the question is about. */
function processorsOf(context: RulesContext): Processor[] {
  const schedule: unknown = context.getScheduleController();
  const streams = (schedule as Schedule).getPlaybackController().getStreamController().getStreams();
  const periods = streams.map((stream) => stream.getStreamProcessors() as Processor[]);
  return periods.find((period) => period.some((each) => each.getScheduleController() === schedule)) ?? [];
}
