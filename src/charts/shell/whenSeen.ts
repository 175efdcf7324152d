/** Calls back with whether the page shows `host` at all: not in a hidden tab, not scrolled away. */
export function whenSeen(host: Element, onChange: (seen: boolean) => void): () => void {
  let onScreen = true;
  const tell = (): void => onChange(onScreen && !document.hidden);
  const observer = new IntersectionObserver((entries) => {
    onScreen = entries.at(-1)?.isIntersecting ?? true;
    tell();
  });
  observer.observe(host);
  document.addEventListener('visibilitychange', tell);
  return () => {
    observer.disconnect();
    document.removeEventListener('visibilitychange', tell);
  };
}

/** Which lanes are on screen or nearly so. */
export function seenOf(
  lanes: readonly { readonly element: Element }[],
  onAppear: () => void,
): { has(lane: { readonly element: Element }): boolean; dispose(): void } {
  const seen = new Set<Element>();
  const observer = new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries)
        if (isIntersecting) seen.add(target);
        else seen.delete(target);
      if (entries.some(({ isIntersecting }) => isIntersecting)) onAppear();
    },
    { rootMargin: '80px' },
  );
  for (const { element } of lanes) observer.observe(element);
  return { has: ({ element }) => seen.has(element), dispose: () => observer.disconnect() };
}
