export const BENCHES: readonly string[];
export function partsOf(folder?: string): { name: string; run: () => unknown }[];
