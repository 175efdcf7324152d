/** A text as an option of an ffmpeg filter. Escaped twice: once for the option's parser, once for the graph's. */
export function escaped(text: string): string {
  const option = text.replace(/[\\':%]/g, (sign) => (sign === '%' ? sign : `\\${sign}`));
  return option.replace(/[\\'[\],;]/g, (sign) => `\\${sign}`);
}
