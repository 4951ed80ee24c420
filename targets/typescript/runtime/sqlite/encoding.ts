import type { SQLInputValue } from "node:sqlite";
import type { Codec } from "../engine.ts";
import type { Statement, Store } from "./store.ts";

/** The columns with data of runs: all others hold ids, names, times and correlation values. */
const payloads: { readonly [table: string]: readonly string[] } = {
  runs: ["input", "output", "error", "reason"],
  journal: ["value"],
  rounds: ["data", "entered"],
  events: ["text"],
  waits: ["text"],
  outbox: ["text", "reason"],
  tasks: ["input"],
};

const payloadNames = [...new Set(Object.values(payloads).flat())];

/** The columns of tables for which statements do not list them. */
const allColumns: { readonly [table: string]: string } = {
  rounds: "run, prefix, name, since, after, data, entered",
};

/** How a statement is executed in a store with a codec. */
interface Encoding {
  readonly text: string;
  /** The positions of the parameters that are payloads. */
  readonly parameters: readonly number[];
  /** The position of the kind of a journal entry: timers are compared and changed in SQL. */
  readonly kind: number | undefined;
  /** Whether rows contain payloads. */
  readonly isDecoded: boolean;
  /** Whether `size` is the size of the value. */
  readonly hasSize: boolean;
}

/** Encodes the payloads of a store with a codec, in all statements that are prepared from now on. */
export function encodePayloads(store: Store, codec: Codec): void {
  const prepare = store.prepare.bind(store);
  store.prepare = <In extends readonly SQLInputValue[], Row>(text: string) =>
    encodedStatement(prepare<SQLInputValue[], EncodedRow>(encodingOf(text).text), encodingOf(text), codec) as Statement<
      In,
      Row
    >;
}

interface EncodedRow {
  [column: string]: unknown;
}

function encodedStatement(
  statement: Statement<SQLInputValue[], EncodedRow>,
  encoding: Encoding,
  codec: Codec,
): Statement<readonly SQLInputValue[], unknown> {
  const encoded = (values: readonly SQLInputValue[]) => encodeValues(values, encoding, codec);
  const decoded = (row: EncodedRow) => decodeRow(row, encoding, codec);
  return {
    run: (...values) => statement.run(...encoded(values)),
    change: (...values) => statement.change(...encoded(values)),
    get: (...values) => statement.get(...encoded(values)).map((row) => row && decoded(row)),
    all: (...values) => statement.all(...encoded(values)).map((rows) => rows.map(decoded)),
  };
}

/** Decodes a payload that was not read by one of these statements. */
export const decodePayload = <T extends string | null>(value: T, codec: Codec | undefined): T | string =>
  codec && value?.startsWith(mark) ? decode(value, codec) : value;

/** Where a statement has payloads. Values are shortened after they are decoded, and not in SQL. */
export function encodingOf(text: string): Encoding {
  const sized = "substr(value, 1, ?) AS value, octet_length(value) AS size";
  const hasSize = text.includes(sized);
  const whole = text
    .replace(sized, "value, ? AS size")
    .replaceAll(/substr\((\w+), 1, 10000\) AS \1/g, (_, column: string) => column);
  const { parameters, kind } = parametersOf(whole.replaceAll(/\s+/g, " ").trim());
  const selected = /^\s*(?:WITH\b.*?\)\s*)?SELECT(.*?)\bFROM\b/s.exec(whole)?.[1] ?? "";
  const isDecoded = /\*/.test(selected) || payloadNames.some((name) => new RegExp(`\\b${name}\\b`).test(selected));
  return { text: whole, parameters, kind, isDecoded, hasSize };
}

function parametersOf(text: string): Pick<Encoding, "parameters" | "kind"> {
  const insert = /^INSERT INTO (\w+)(?: \(([^)]*)\))? VALUES \(([^)]*)\)/.exec(text);
  if (insert) {
    const [, table = "", columns = allColumns[table] ?? "", values = ""] = insert;
    return placesOf(table, columns.split(/\s*,\s*/), values.split(","));
  }
  const update = /^UPDATE (\w+) SET (.*?)(?: WHERE |$)/.exec(text);
  if (!update) return { parameters: [], kind: undefined };
  const [, table = "", list = ""] = update;
  const assignments = list.split(",").map((each) => each.trim());
  return placesOf(
    table,
    assignments.map((each) => /^(\w+) = \?$/.exec(each)?.[1] ?? ""),
    assignments,
  );
}

/** The positions of the payloads among the parameters of expressions for columns. */
function placesOf(
  table: string,
  columns: readonly string[],
  expressions: readonly string[],
): Pick<Encoding, "parameters" | "kind"> {
  const parameters: number[] = [];
  let kind: number | undefined;
  let position = 0;
  for (const [i, expression] of expressions.entries()) {
    if (expression.trim() === "?") {
      if (payloads[table]?.includes(columns[i]!)) parameters.push(position);
      if (table === "journal" && columns[i] === "kind") kind = position;
    } else if (/^\w+ = \?$/.test(expression) && payloads[table]?.includes(columns[i]!)) parameters.push(position);
    position += expression.split("?").length - 1;
  }
  return { parameters, kind };
}

function encodeValues(
  values: readonly SQLInputValue[],
  { parameters, kind }: Encoding,
  codec: Codec,
): readonly SQLInputValue[] {
  if (parameters.length === 0 || (kind !== undefined && values[kind] === "due")) return values;
  return values.map((value, i) => (typeof value === "string" && parameters.includes(i) ? encode(value, codec) : value));
}

/** Decodes the payloads of a row in place. */
function decodeRow<T extends { [column: string]: unknown }>(row: T, { hasSize }: Encoding, codec: Codec): T {
  const columns: { [column: string]: unknown } = row;
  for (const name of payloadNames) {
    const value = columns[name];
    if (typeof value === "string" && value.startsWith(mark)) columns[name] = decode(value, codec);
  }
  if (hasSize) columns["size"] = typeof columns["value"] === "string" ? Buffer.byteLength(columns["value"]) : null;
  return row;
}

/** The beginning of encoded values. JSON does not begin with it, so values from before the codec are recognized. */
const mark = "~";

const encode = (text: string, codec: Codec): string =>
  mark + Buffer.from(codec.encode(Buffer.from(text))).toString("base64");

function decode(text: string, codec: Codec): string {
  try {
    return Buffer.from(codec.decode(Buffer.from(text.slice(mark.length), "base64"))).toString();
  } catch (reason) {
    throw new Error(
      `The codec cannot decode stored data: ${reason instanceof Error ? reason.message : String(reason)}`,
    );
  }
}
