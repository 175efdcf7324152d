/** What a key on the lanes means; times are ms. */
export interface KeyActions {
  /** Moves the crosshair by this much. */
  onMove(byMs: number): void;
  onEdge(edge: 'from' | 'to'): void;
  onEnter(): void;
  onRelease(): void;
  onStep(step: -1 | 1): void;
  /** How far Page Up and Page Down go. */
  pageMs(): number;
}

const SECOND_MS = 1000;

/** Keys of the axis (a slider: WAI-ARIA Authoring Practices), and `[` `]` anywhere in the chart panel. */
export function listenToKeys(host: HTMLElement, axis: HTMLElement, actions: KeyActions): () => void {
  const abort = new AbortController();
  const onAxis = (event: KeyboardEvent): void => {
    const act = axisKey(event, actions);
    if (!act) return;
    event.preventDefault();
    act();
  };
  const anywhere = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === '[') actions.onStep(-1);
    if (event.key === ']') actions.onStep(1);
  };
  axis.addEventListener('keydown', onAxis, { signal: abort.signal });
  host.addEventListener('keydown', anywhere, { signal: abort.signal });
  return () => abort.abort();
}

function axisKey(event: KeyboardEvent, actions: KeyActions): (() => void) | undefined {
  const stepMs = SECOND_MS * (event.shiftKey ? 10 : 1);
  const keys: Readonly<Record<string, () => void>> = {
    ArrowLeft: () => actions.onMove(-stepMs),
    ArrowDown: () => actions.onMove(-stepMs),
    ArrowRight: () => actions.onMove(stepMs),
    ArrowUp: () => actions.onMove(stepMs),
    PageDown: () => actions.onMove(-actions.pageMs()),
    PageUp: () => actions.onMove(actions.pageMs()),
    Home: () => actions.onEdge('from'),
    End: () => actions.onEdge('to'),
    Enter: () => actions.onEnter(),
    Escape: () => actions.onRelease(),
  };
  return keys[event.key];
}
