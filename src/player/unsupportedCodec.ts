import type { MediaPlayerClass } from 'dashjs';

/** What dash.js' parser leaves of an AdaptationSet (DashParser.js: children as they stood, before anything was filtered). */
export interface RemovedSet {
  readonly contentType?: string;
  readonly mimeType?: string;
  readonly codecs?: string;
  readonly nodeName?: string;
  readonly __children?: readonly RemovedSet[];
}

/** One sentence about tracks that dash.js left out because the browser has no decoder for them. */
export function unsupportedSentence(removed: RemovedSet, hasOther: boolean): string {
  const representations = (removed.__children ?? []).filter(({ nodeName }) => nodeName === 'Representation');
  const all = [removed, ...representations];
  const codecs = new Set(all.flatMap(({ codecs }) => codecs ?? []));
  const kind = kindOf(all);
  const what = codecs.size > 0 ? `the ${kind} in ${[...codecs].join(', ')}` : `some of the ${kind}`;
  return hasOther
    ? `This browser cannot decode ${what}, so it is left out; the stream has other ${kind}.`
    : `This browser cannot decode ${what}, and the stream has no other: it plays without ${kind}.`;
}

/** Tells each such sentence once: live manifests bring the same with every refresh. Returns the disposer. */
export function watchUnsupportedCodecs(
  player: Pick<MediaPlayerClass, 'on' | 'off'>,
  tell: (sentence: string) => void,
): () => void {
  const told = new Set<string>();
  const onRemoved = (event: unknown): void => {
    const { adaptationSet, remainingAdaptationSets } = event as {
      adaptationSet: RemovedSet;
      remainingAdaptationSets: readonly unknown[];
    };
    const sentence = unsupportedSentence(adaptationSet, remainingAdaptationSets.length > 0);
    if (!told.has(sentence)) tell(sentence);
    told.add(sentence);
  };
  player.on('adaptationSetRemovedNoCapabilities', onRemoved);
  return () => player.off('adaptationSetRemovedNoCapabilities', onRemoved);
}

function kindOf(all: readonly RemovedSet[]): string {
  const named = all.map(({ contentType, mimeType }) => contentType ?? mimeType?.split('/')[0]);
  return named.find((name) => name === 'video' || name === 'audio' || name === 'text') ?? 'media';
}
