import type { OriginDescription } from './originDescription.ts';

/** The demo's address that this browser can load: the first choice, or the plain one when that cannot be reached. */
export async function reachableDemo({ demoUrl, plainDemoUrl }: OriginDescription): Promise<string | null> {
  if (demoUrl === null || plainDemoUrl === null) return demoUrl ?? plainDemoUrl;
  const reached = await fetch(demoUrl, { method: 'HEAD' }).then(
    ({ ok }) => ok,
    () => false,
  );
  return reached ? demoUrl : plainDemoUrl;
}
