export interface Audit {
  readonly name: string;
  readonly isDone: boolean;
  readonly isBad: boolean;
  readonly line: string;
}
export interface Findings {
  readonly bad: readonly string[];
  readonly line: string;
}
export function runAudits(
  root: string,
  options?: { readonly timeLimitMs?: number; readonly npm?: string; readonly cargo?: string | null },
): Promise<readonly Audit[]>;
export function npmFindings(report: object): Findings | null;
export function cargoFindings(report: object): Findings | null;
