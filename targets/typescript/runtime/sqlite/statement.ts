import type { DatabaseSync, SQLInputValue } from "node:sqlite";

/** A statement: what it takes, and what its rows are. */
export interface Statement<In extends readonly SQLInputValue[], Row> {
  run(...values: In): { readonly changes: number; readonly lastInsertRowid: number };
  get(...values: In): Row | undefined;
  all(...values: In): readonly Row[];
}

/**
 * Prepares a statement; its types are what the tables say. Numbered parameters (`?1`) become plain ones, each with its value: Node 22.18 has no
 * place for values of numbered ones.
 */
export function prepare<In extends readonly SQLInputValue[], Row>(db: DatabaseSync, text: string): Statement<In, Row> {
  const statement = db.prepare(text.replaceAll(/\?\d+/g, "?"));
  const places = Array.from(text.matchAll(/\?(\d+)/g), ([, number]) => Number(number) - 1);
  if (places.length === 0) return statement as unknown as Statement<In, Row>;
  const placed = (values: In): SQLInputValue[] => places.map((place) => values[place]!);
  return {
    run: (...values: In) => statement.run(...placed(values)),
    get: (...values: In) => statement.get(...placed(values)),
    all: (...values: In) => statement.all(...placed(values)),
  } as unknown as Statement<In, Row>;
}
