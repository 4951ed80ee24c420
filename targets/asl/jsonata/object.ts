import { isTotal, type ObjectConstruction } from "../../../src/expressions/index.ts";
import { sound } from "./caught.ts";
import { type Code, code, discarding, whole } from "./code.ts";
import { operands } from "./each.ts";
import type { Mode, Use } from "./modes.ts";
import { help, named, type Printer, refuse } from "./printer.ts";
import { membersText } from "./text.ts";

/** The objects that a construction gives: one for each combination of outputs of its parts. */
export function eachObject(expression: ObjectConstruction, printer: Printer, mode: Mode, use: Use): Code {
  const keys = literalKeys(expression);
  if (!keys) return eachComputed(expression.entries, printer, mode, use);
  if (keys.includes("__proto__")) refuse("an object with the key `__proto__`", expression);
  const values = expression.entries.map((entry) => entry.value);
  const counts = keys.map((key, i) => keys.lastIndexOf(key) === i);
  const kept = keys.map((_, i) => i).filter((i) => counts[i] || !isTotal(values[i]!));
  const parts = kept.map((i) => values[i]!);
  return operands(parts, printer, mode, (texts) => {
    const textOf = (key: string) => whole(texts[kept.indexOf(keys.lastIndexOf(key))]!);
    const members = [...new Set(keys)].map((key) => [key, textOf(key)] as const);
    const unwanted = texts.filter((_, at) => !counts[kept[at]!]);
    return use(unwanted.reduceRight((piece, text) => discarding(text, piece), code(membersText(members))));
  });
}

/** The keys of a construction, where all of them are written out. */
export function literalKeys({ entries }: ObjectConstruction): readonly string[] | undefined {
  const keys = entries.flatMap(({ key }) =>
    key.kind === "literal" && typeof key.value === "string" ? [key.value] : [],
  );
  return keys.length === entries.length ? keys : undefined;
}

/** A key that is no string fails before the next member is computed. */
function eachComputed(
  [entry, ...rest]: ObjectConstruction["entries"],
  printer: Printer,
  mode: Mode,
  use: Use,
  before: readonly Code[] = [],
): Code {
  if (!entry) return use(code(`$merge([${before.map(whole).join(", ")}])`));
  const next = (member: Code) => eachComputed(rest, printer, mode, use, [...before, member]);
  return operands([entry.key, entry.value], printer, mode, ([key, item]) => {
    const member = help(printer, "entryOf", key!, item!);
    return sound(member, printer, mode, (entry) =>
      rest.length === 0 ? next(entry) : named(entry, printer, "member", next),
    );
  });
}
