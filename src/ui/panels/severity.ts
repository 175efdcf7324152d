import { type Finding, SEVERITIES } from '../../analysis/diagnostics/finding.ts';
import { formatCount } from '../../shared/format.ts';
import { svg } from '../dom.ts';

/** A shape and a word each, so that no severity depends on colour alone. */
const MARKS: Readonly<Record<Finding['severity'], Parameters<typeof svg>[1]>> = {
  problem: [
    { d: 'M4.7 1h4.6L13 4.7v4.6L9.3 13H4.7L1 9.3V4.7z', class: 'fill' },
    { d: 'M4.8 4.8l4.4 4.4M9.2 4.8L4.8 9.2', class: 'line' },
  ],
  warning: [{ d: 'M7 1.8L13 12.4H1zM7 5.4v3.4M7 10.2v.8', class: 'line' }],
  note: [{ d: 'M7 1.5a5.5 5.5 0 1 1 0 11a5.5 5.5 0 1 1 0-11zM7 6.4v3.6M7 4v.8', class: 'line' }],
};

/** Draws a severity, with its name for screen readers. */
export function markOf(severity: Finding['severity']): SVGSVGElement {
  const label = `${severity[0]!.toUpperCase()}${severity.slice(1)}`;
  const mark = svg({ width: 14, height: 14, label }, MARKS[severity]);
  mark.classList.add(`mark-${severity}`);
  return mark;
}

/** "1 problem, 2 warnings"; "" when there is nothing. */
export function severityCounts(findings: readonly Pick<Finding, 'severity'>[]): string {
  return SEVERITIES.map((severity) => {
    const count = findings.filter((finding) => finding.severity === severity).length;
    return count === 0 ? '' : formatCount(count, severity);
  })
    .filter((part) => part !== '')
    .join(', ');
}
