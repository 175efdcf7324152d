/** Listens to several events of one target; of the window before anybody in it can stop them. Returns the disposer. */
export function onEvents(
  target: Pick<EventTarget, 'addEventListener' | 'removeEventListener'>,
  types: readonly string[],
  listener: (event: Event) => void,
): () => void {
  const order = { capture: target === globalThis };
  for (const type of types) target.addEventListener(type, listener, order);
  return () => {
    for (const type of types) target.removeEventListener(type, listener, order);
  };
}
