export interface FullPart {
  passed: number;
  failed: number;
  skipped: number;
  failures: string[];
  seconds: number;
  date: string;
}

export function summaryOf(run: {
  version: string;
  parts: Readonly<Record<string, FullPart>>;
  names: readonly string[];
  machine: string;
}): { text: string; passed: number; failed: number; skipped: number; open: number };
