export interface Sample {
  labels: Record<string, string>;
  value: number;
}

/** One gauge: base units in its name, and what there is of it now. */
export interface Metric {
  name: string;
  help: string;
  samples: readonly Sample[];
}

export const flag = (is: boolean): number => (is ? 1 : 0);
export const timestampSeconds = (time: string): number => Date.parse(time) / 1000;

/** A single figure; what is not known has no sample. */
export const figure = (name: string, help: string, value: number | null | undefined): Metric => ({
  name,
  help,
  samples: value === null || value === undefined ? [] : [{ labels: {}, value }],
});

/** A figure for each row, named by one label. */
export const byLabel = <Row>(
  name: string,
  help: string,
  label: string,
  rows: readonly Row[] | undefined,
  read: (row: Row) => [name: string | number, value: number | null],
): Metric => ({
  name,
  help,
  samples: (rows ?? []).flatMap((row) => {
    const [of, value] = read(row);
    return value === null ? [] : [{ labels: { [label]: String(of) }, value }];
  }),
});
