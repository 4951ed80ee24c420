import type { DatabaseSync, SQLInputValue } from "node:sqlite";

/** A statement: what it takes, and what its rows are. */
export interface Statement<In extends readonly SQLInputValue[], Row> {
  run(...values: In): { readonly changes: number; readonly lastInsertRowid: number };
  get(...values: In): Row | undefined;
  all(...values: In): readonly Row[];
}

/** Prepares a statement; its types are what the tables say. */
export const prepare = <In extends readonly SQLInputValue[], Row>(db: DatabaseSync, text: string): Statement<In, Row> =>
  db.prepare(text) as unknown as Statement<In, Row>;
