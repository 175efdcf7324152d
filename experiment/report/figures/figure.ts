import type { Entry } from '../../../src/shared/registry.ts';
import type { ReportSource } from '../reportSource.ts';

/** A picture of a report with its data. */
export interface ReportFigure {
  /** Kebab-case; names the CSV file and the anchor. */
  readonly id: string;
  readonly title: string;
  /** What is drawn and how to read it, in one or two sentences, with the paper's figure that it follows. */
  readonly caption: string;
  /**
   * One `<svg>` element with a `viewBox` and neither script, style element nor address of anything outside; its colours are
   * the tokens of the page (`var(--ink)`, `var(--grid)`, `var(--protocol-h3)`), so that it turns dark with it. Texts from
   * outside are escaped. At most some hundred points a line, however many sessions there are.
   */
  readonly svg: string;
  readonly columns: readonly string[];
  /** The numbers behind the picture, also as its table for those who cannot see it; unknown is null. */
  readonly rows: readonly (readonly (string | number | null)[])[];
  /** It is a table of the paper rather than a picture: Markdown has it, too. */
  readonly isTable?: boolean;
  /** Ids of the sessions behind it. */
  readonly sessions: readonly string[];
}

/** How a figure is made. One file each, or that of a figure of its kind, and one line in `registry.ts`. */
export interface FigureMaker extends Entry {
  /** Where in the report it stands, from low to high. */
  readonly place: number;
  /** Returns whether the campaign is one that it is about; absent: it is about every campaign. */
  applies?(source: ReportSource): boolean;
  /** null where these sessions have nothing to draw: the report then says so by the label. Several for small multiples. */
  draw(source: ReportSource): ReportFigure | readonly ReportFigure[] | null;
}

/** Makes words from anywhere part of an id. */
export const slug = (...words: readonly string[]): string =>
  words
    .map((each) =>
      each
        .toLowerCase()
        .replace(/[^a-z0-9]+/g, '-')
        .replace(/^-|-$/g, ''),
    )
    .filter((each) => each !== '')
    .join('-');
