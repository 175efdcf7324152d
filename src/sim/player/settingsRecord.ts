import type { PlayerModelSettings } from './playerModelSettings.ts';

/** The settings as the log's header takes them: one value per name, lists in words. */
export function settingsRecord({
  live,
  seeks,
  sender,
  ...plain
}: PlayerModelSettings): Record<string, number | string | boolean | null> {
  return {
    ...plain,
    'live.delayMs': live && live.delayMs,
    'sender.initialPackets': sender && sender.initialPackets,
    'sender.queuePackets': sender && sender.queuePackets,
    seeks: seeks
      .map(({ atMs, toMs }) => `${atMs}→${toMs}`)
      .join(' ')
      .slice(0, 400),
  };
}
