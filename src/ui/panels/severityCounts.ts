import { SEVERITIES, type Finding } from '../../analysis/diagnostics/finding.ts';

/** "1 problem, 2 warnings"; "" when there is nothing. */
export function severityCounts(findings: readonly Pick<Finding, 'severity'>[]): string {
  return SEVERITIES.map((severity) => {
    const count = findings.filter((finding) => finding.severity === severity).length;
    return count === 0 ? '' : `${count} ${severity}${count === 1 ? '' : 's'}`;
  })
    .filter((part) => part !== '')
    .join(', ');
}
