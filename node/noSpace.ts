const CODES = /\b(?:ENOSPC|EDQUOT)\b/;

/** Whether an error, or one that caused it, says that a disk is full or a quota reached. Words count, too: those of other programs have no code. */
export function isNoSpace(error: unknown): boolean {
  for (let each = error; each instanceof Error; each = each.cause)
    if (CODES.test((each as NodeJS.ErrnoException).code ?? '') || saysNoSpace(each.message)) return true;
  return false;
}

export const saysNoSpace = (text: string): boolean => CODES.test(text);
