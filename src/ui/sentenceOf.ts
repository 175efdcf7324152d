/** What a thrown value says to people. */
export const sentenceOf = (fault: unknown): string =>
  fault instanceof Error ? fault.message : String(fault);
