import type { ArrayConstruction, Expression } from "../../../src/expressions/ast.ts";
import { factsOf, outputs } from "../../../src/expressions/facts.ts";
import { type Code, code, whole } from "./code.ts";
import { each, operands } from "./each.ts";
import { collect, search } from "./modes.ts";
import { help, type Printer } from "./printer.ts";

/** `[E]`: an array of all outputs. */
export function arrayText({ items }: ArrayConstruction, printer: Printer): Code {
  if (!items) return code("[]");
  const list = items.kind === "comma" ? items.items : [items];
  const isPlain = list.every((item) => outputs(item) === "one" && factsOf(item).type !== undefined);
  if (!isPlain) return help(printer, "unbox", each(items, printer, collect, collect.pass));
  return operands(list, printer, search, (values) => code(`[${values.map((item, i) => elementText(list[i]!, item)).join(", ")}]`));
}

/** JSONata takes an element that is an array for its elements, unless that is written in brackets. */
function elementText(expression: Expression, element: Code): string {
  if (factsOf(expression).type !== "array") return whole(element);
  const isWritten = expression.kind === "literal" || (expression.kind === "array" && element.text.startsWith("["));
  return isWritten && element.before.length === 0 ? element.text : `[${whole(element)}]`;
}
