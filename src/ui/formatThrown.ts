/** What a thrown value says to people. */
export const formatThrown = (fault: unknown): string =>
  fault instanceof Error ? fault.message : String(fault);
