/** The browser's next frame does each thing that was asked for once, however often that was. */
export function framed(): (name: string, act: () => void) => void {
  const wanted = new Map<string, () => void>();
  let frame = 0;
  return (name, act) => {
    wanted.set(name, act);
    frame ||= requestAnimationFrame(() => {
      frame = 0;
      const acts = [...wanted.values()];
      wanted.clear();
      for (const each of acts) each();
    });
  };
}
