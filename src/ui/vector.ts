const NAMESPACE = 'http://www.w3.org/2000/svg';

/** A small drawing for a button or a mark: paths with their classes, decorative unless it has a label. */
export function vector({
  width,
  height,
  paths,
  label,
}: {
  width: number;
  height: number;
  /** Path data and class; the class `fill` is filled with the text colour, others are styled by the page. */
  paths: readonly (readonly [d: string, className: string])[];
  label?: string;
}): SVGSVGElement {
  const svg = document.createElementNS(NAMESPACE, 'svg');
  svg.setAttribute('width', String(width));
  svg.setAttribute('height', String(height));
  svg.setAttribute('viewBox', `0 0 ${width} ${height}`);
  if (label === undefined) svg.setAttribute('aria-hidden', 'true');
  else {
    svg.setAttribute('role', 'img');
    svg.setAttribute('aria-label', label);
  }
  for (const [d, className] of paths) {
    const path = document.createElementNS(NAMESPACE, 'path');
    path.setAttribute('d', d);
    path.setAttribute('class', className);
    svg.append(path);
  }
  return svg;
}
