import { SEVERITIES, type Finding } from '../../analysis/diagnostics/finding.ts';
import { formatCount } from '../../shared/format.ts';

/** "1 problem, 2 warnings"; "" when there is nothing. */
export function severityCounts(findings: readonly Pick<Finding, 'severity'>[]): string {
  return SEVERITIES.map((severity) => {
    const count = findings.filter((finding) => finding.severity === severity).length;
    return count === 0 ? '' : formatCount(count, severity);
  })
    .filter((part) => part !== '')
    .join(', ');
}
