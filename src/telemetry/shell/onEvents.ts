let hasWarned = false;

/**
 * Keeps what `act` throws from whoever calls it. A player would break off what it is doing: after a listener that threw at a
 * manifest dash.js loads nothing more. A page would get an uncaught error. Warns once.
 */
export function guarded<Given extends unknown[]>(act: (...given: Given) => void): (...given: Given) => void {
  return (...given) => {
    try {
      act(...given);
    } catch (fault) {
      if (!hasWarned) console.warn('Pitwall could not record all of the session:', fault);
      hasWarned = true;
    }
  };
}

/** Listens to several events of one target; of the window before anybody in it can stop them. Returns the disposer. */
export function onEvents(
  target: Pick<EventTarget, 'addEventListener' | 'removeEventListener'>,
  types: readonly string[],
  listener: (event: Event) => void,
): () => void {
  const guard = guarded(listener);
  const order = { capture: target === globalThis };
  for (const type of types) target.addEventListener(type, guard, order);
  return () => {
    for (const type of types) target.removeEventListener(type, guard, order);
  };
}
