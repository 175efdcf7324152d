/** Waits for something, but not for ever. Of what comes after all, or of its failure, nobody hears. @throws Error when the limit has passed */
export async function within<Value>(limitMs: number, part: Promise<Value>): Promise<Value> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${limitMs / 1000} s`)), limitMs);
  });
  return Promise.race([part, late]).finally(() => clearTimeout(timer));
}
