const LONGEST_WORDS = 1000;

/** What a rule threw, in words without a stack and without a full stop. */
export function formatThrown(thrown: unknown): string {
  const words = thrown instanceof Error ? thrown.message : String(thrown);
  return words.slice(0, LONGEST_WORDS).replace(/\.$/, '');
}
