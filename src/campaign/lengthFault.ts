/** One sentence about a content that ends before its session does, or null. Both in s. */
export const lengthFault = (
  content: string,
  { contentSeconds, seconds }: { contentSeconds: number; seconds: number },
): string | null =>
  contentSeconds < seconds
    ? `${content} is ${contentSeconds} s long, too short for sessions of ${seconds} s; a padded stream of a campaign (padded:envivio) is as long as its sessions need.`
    : null;
