/** What the keys do while the video, one of its controls or nothing has the focus. */
export const KEYS: readonly {
  readonly keys: readonly string[];
  readonly does: string;
  readonly action: Action;
}[] = [
  { keys: ['Space', 'k'], does: 'play or pause', action: { kind: 'toggle' } },
  { keys: ['←'], does: '5 s back', action: { kind: 'seek', byMs: -5000 } },
  { keys: ['→'], does: '5 s on', action: { kind: 'seek', byMs: 5000 } },
  { keys: ['j'], does: '10 s back', action: { kind: 'seek', byMs: -10_000 } },
  { keys: ['l'], does: '10 s on', action: { kind: 'seek', byMs: 10_000 } },
  { keys: ['↑'], does: 'louder', action: { kind: 'volume', by: 0.1 } },
  { keys: ['↓'], does: 'quieter', action: { kind: 'volume', by: -0.1 } },
  { keys: ['m'], does: 'sound off or on', action: { kind: 'mute' } },
  { keys: ['f'], does: 'full screen', action: { kind: 'full-screen' } },
  { keys: ['?'], does: 'this list', action: { kind: 'help' } },
];

export type Action =
  | { readonly kind: 'toggle' | 'mute' | 'full-screen' | 'help' }
  | { readonly kind: 'seek'; readonly byMs: number }
  | { readonly kind: 'volume'; readonly by: number };

const NAMES: Readonly<Record<string, string>> = {
  ' ': 'Space',
  ArrowLeft: '←',
  ArrowRight: '→',
  ArrowUp: '↑',
  ArrowDown: '↓',
};

/** The action of a key by its `KeyboardEvent.key`; null for any other key. */
export function actionOf(key: string): Action | null {
  const name = NAMES[key] ?? (key.length === 1 ? key.toLowerCase() : key);
  return KEYS.find(({ keys }) => keys.includes(name))?.action ?? null;
}
