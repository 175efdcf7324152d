import type { View } from './shownSession.ts';

/** A view that is not written while it is scrolled out of the window: it would cost style, layout and paint unseen. */
export function whileSeen(root: Element, view: View): View {
  let seen = true;
  new IntersectionObserver((entries) => {
    seen = entries.at(-1)?.isIntersecting ?? true;
    if (seen) view.update();
  }).observe(root);
  return {
    show: (session) => view.show(session),
    update() {
      if (seen) view.update();
    },
  };
}
