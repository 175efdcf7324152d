/** A table of a report, however it is written: as HTML, Markdown, JSON or CSV. */
export interface ReportTable {
  /** Kebab-case; names the CSV file and the anchor. */
  readonly id: string;
  readonly title: string;
  /** What stands in it and how to read it. */
  readonly caption: string;
  readonly columns: readonly TableColumn[];
  readonly rows: readonly (readonly Cell[])[];
}

export interface TableColumn {
  readonly label: string;
  /** A heading over this column and its neighbours of the same group. */
  readonly group?: string;
  /** Of its numbers, for people; left out: as they are. */
  readonly decimals?: number;
  /** Words stand left, numbers right. */
  readonly isText?: boolean;
}

/** Unknown is null. */
export type Cell = string | number | null;
