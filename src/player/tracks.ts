import type { MediaInfo, MediaPlayerClass, TextTrackInfo } from 'dashjs';
import type { Track } from './player.ts';

/** Audio and text tracks of the period that plays, by ids that are stable within it. */
export interface Tracks {
  audio(): readonly Track[];
  text(): readonly Track[];
  useAudio(id: string): void;
  useText(id: string | null): void;
  dispose(): void;
}

export function createTracks(player: MediaPlayerClass): Tracks {
  let texts: readonly TextTrackInfo[] = [];
  const onTexts = ({ tracks }: { tracks?: readonly TextTrackInfo[] }): void => void (texts = tracks ?? []);
  player.on('allTextTracksAdded', onTexts);
  const audioInfos = (): MediaInfo[] => (player.isReady() ? player.getTracksFor('audio') : []);
  return {
    audio() {
      const current = player.isReady() ? player.getCurrentTrackFor('audio') : null;
      return audioInfos().map((info, index) => trackOf(info, index, info.index === current?.index));
    },
    text() {
      const current = player.isReady() ? player.getCurrentTextTrackIndex() : -1;
      return texts.map((info, index) => trackOf(info, index, index === current));
    },
    useAudio(id) {
      const index = Number(id);
      const info = audioInfos()[index];
      if (!info) throw new Error(`no audio track "${id}"`);
      player.setCurrentTrack(info);
    },
    useText(id) {
      if (id !== null && !texts[Number(id)]) throw new Error(`no text track "${id}"`);
      player.setTextTrack(id === null ? -1 : Number(id));
    },
    dispose: () => player.off('allTextTracksAdded', onTexts),
  };
}

/** Names a track by its label, else by language and role, else by number. Strings are the MPD's: show as text. */
export function trackOf(
  info: {
    readonly lang?: string | null;
    readonly labels?: readonly { readonly text?: string }[] | null;
    readonly roles?: readonly { readonly value?: string | null }[] | null;
  },
  index: number,
  current: boolean,
): Track {
  const language = info.lang && info.lang !== 'und' ? info.lang : null;
  const label = info.labels?.find(({ text }) => text)?.text;
  const role = info.roles?.find(({ value }) => value && value !== 'main')?.value;
  const described = [language, role].filter(Boolean).join(', ');
  return { id: String(index), label: label ?? (described || `Track ${index + 1}`), language, current };
}
