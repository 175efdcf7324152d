/** What a segment template is filled in with (ISO/IEC 23009-1 §5.3.9.4.4). */
export interface TemplateValues {
  readonly id: string;
  /** bit/s */
  readonly bandwidth: number;
  readonly number: number;
}

/** The URL of a numbered segment, relative as the template is; null for a template that does not go by numbers. */
export function segmentUrl(template: string, { id, bandwidth, number }: TemplateValues): string | null {
  if (!/\$Number(%0\d+d)?\$/.test(template) || /\$(Time|SubNumber)/.test(template)) return null;
  return template.replace(
    /\$(RepresentationID|Bandwidth|Number|)(?:%0(\d+)d)?\$/g,
    (_, name: string, width: string | undefined) => {
      if (name === '') return '$';
      if (name === 'RepresentationID') return id;
      return String(name === 'Number' ? number : bandwidth).padStart(Number(width ?? 0), '0');
    },
  );
}
