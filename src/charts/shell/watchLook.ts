/** Calls back when the wall must be measured or coloured anew: width, colour scheme, pixel ratio. */
export function watchLook(host: HTMLElement, onChange: () => void): () => void {
  const sizes = new ResizeObserver(onChange);
  sizes.observe(host);
  const scheme = matchMedia('(prefers-color-scheme: dark)');
  scheme.addEventListener('change', onChange);
  return () => {
    sizes.disconnect();
    scheme.removeEventListener('change', onChange);
  };
}
