import { type ArrayConstruction, canFail, type Expression, factsOf, outputs } from "../../../src/expressions/index.ts";
import { caughtBoxes } from "./caught.ts";
import { bracketed, type Code, whole } from "./code.ts";
import { each, operands } from "./each.ts";
import { collect, search } from "./modes.ts";
import { help, type Printer } from "./printer.ts";

/** `[E]`: an array of all outputs. */
export function arrayText({ items }: ArrayConstruction, printer: Printer): Code {
  if (!items) return bracketed("[]");
  const list = items.kind === "comma" ? items.items : [items];
  const isPlain = list.every((item) => outputs(item) === "one" && factsOf(item).type !== undefined);
  if (printer.caught && canFail(items)) return help(printer, "unboxed", caughtBoxes(items, printer));
  if (!isPlain) return help(printer, "unbox", each(items, printer, collect, collect.pass));
  return operands(list, printer, search, (values) =>
    bracketed(`[${values.map((item, i) => elementText(list[i]!, item)).join(", ")}]`),
  );
}

/** JSONata takes an element that is an array for its elements, unless that is written in brackets. */
function elementText(expression: Expression, element: Code): string {
  const isSplit = factsOf(expression).type === "array" && !(element.isBracketed && element.before.length === 0);
  return isSplit ? `[${whole(element)}]` : whole(element);
}
