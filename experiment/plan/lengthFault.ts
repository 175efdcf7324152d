/** One sentence about a content that ends before its session does, or null. Both in s. */
export const lengthFault = (
  content: string,
  { contentSeconds, seconds }: { contentSeconds: number; seconds: number },
): string | null =>
  contentSeconds < seconds
    ? `${content} is ${contentSeconds} s long, too short for sessions of ${seconds} s. In a campaign, use a padded stream (padded:envivio): it is as long as the sessions need.`
    : null;
