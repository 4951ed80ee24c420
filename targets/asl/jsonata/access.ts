import {
  type Access,
  canFail,
  type Expression,
  type Iterate,
  type Recurse,
  type Slice,
} from "../../../src/expressions/index.ts";
import { catching, eachSound, isFailure, sound } from "./caught.ts";
import { after, apply, type Code, choice, code, lambda } from "./code.ts";
import { each, operands } from "./each.ts";
import { collect, eachBox, joined, type Mode, type Use } from "./modes.ts";
import { isInherited } from "./nodes.ts";
import { fresh, help, named, type Printer, refuse, withDot } from "./printer.ts";
import { stringText } from "./text.ts";

/** `T[K]`. */
export function eachAccess(expression: Access, printer: Printer, mode: Mode, use: Use): Code {
  if (expression.optional) {
    const parts = [expression.key, expression.source];
    return operands(parts, printer, mode, ([key, from]) =>
      eachTaken(taken(from!, expression.key, key!, catching(printer)), printer, mode, use),
    );
  }
  const names = namesOf(expression);
  if (names.path.length > 1) {
    const path = code(`[${names.path.map(stringText).join(", ")}]`);
    return each(names.source, printer, mode, (from) =>
      sound(help(printer, "memberAt", from, path), printer, mode, use),
    );
  }
  return operands([expression.key, expression.source], printer, mode, ([key, from]) =>
    sound(taken(from!, expression.key, key!, printer), printer, mode, use),
  );
}

/** The names at the end of an access, one inside of the other, and what they are taken of. */
function namesOf(expression: Expression): { readonly source: Expression; readonly path: readonly string[] } {
  const name = expression.kind === "access" && !expression.optional ? nameOf(expression.key) : undefined;
  if (expression.kind !== "access" || name === undefined) return { source: expression, path: [] };
  const { source, path } = namesOf(expression.source);
  return { source, path: [...path, name] };
}

/** A plain name that is written out. */
function nameOf(key: Expression): string | undefined {
  const name = key.kind === "literal" ? key.value : undefined;
  return typeof name === "string" && isPlainName(name) ? name : undefined;
}

/** Whether a name is one that JSONata does not find where it is not, and that a message shows as it is. */
export const isPlainName = (name: string): boolean => /^[ !#-[\]-~]{0,27}$/.test(name) && !isInherited(name);

/** What is under a key in a value; may fail. */
export function taken(from: Code, key: Expression, text: Code, printer: Printer): Code {
  if (nameOf(key) !== undefined) return help(printer, "memberOf", from, text);
  const index = key.kind === "literal" && typeof key.value === "number" ? key.value : undefined;
  return Number.isSafeInteger(index) && Math.abs(index!) < 1e15
    ? help(printer, "itemAt", from, text)
    : help(printer, "valueAt", from, text);
}

/** The use of a result unless it is a failure. */
function eachTaken(result: Code, printer: Printer, mode: Mode, use: Use): Code {
  return named(result, printer, "found", (found) => choice(isFailure(found), mode.none, use(found)));
}

const end: Expression = { kind: "literal", value: null };

/** `T[F:U]`. */
export function eachSlice(
  { source, from = end, upTo = end, optional }: Slice,
  printer: Printer,
  mode: Mode,
  use: Use,
): Code {
  return operands([from, upTo, source], printer, mode, ([low, high, whole]) => {
    const part = (inner: Printer) => help(inner, "partOf", whole!, low!, high!);
    return optional ? eachTaken(part(catching(printer)), printer, mode, use) : sound(part(printer), printer, mode, use);
  });
}

/** `T[]`. */
export function eachIterate({ source, optional }: Iterate, printer: Printer, mode: Mode, use: Use): Code {
  return each(source, printer, mode, (from) =>
    optional
      ? eachBox(help(printer, "childrenOf", from), mode, printer, use)
      : eachSound(help(printer, "itemsOf", from), printer, mode, use),
  );
}

/** Whether something is `.[]?`, or `.[]`. */
const isIteration = (expression: Expression): expression is Iterate =>
  expression.kind === "iterate" && expression.source.kind === "identity";

/** `recurse(E)`: a function that goes on with what E makes of each value. */
export function eachRecurse({ body }: Recurse, printer: Printer, mode: Mode, use: Use): Code {
  if (isIteration(body) && body.optional)
    return eachBox(help(printer, "descendantsOf", code(printer.dot)), mode, printer, use);
  if (mode.kind === "fold") {
    if (canFail(body)) refuse("a fold over a recursion that may fail", body);
    return eachBox(eachRecurse({ kind: "recurse", body }, printer, collect, collect.pass), mode, printer, use);
  }
  const [visit, item] = [fresh(printer, "visit"), fresh(printer, "item")];
  const again = (output: Code) => apply(visit.slice(1), output);
  const parts = [use(code(item)), each(body, withDot(printer, code(item)), mode, again)];
  const definition = `${visit} := ${lambda([item], joined(parts, mode, printer, 2))}`;
  return after([definition], again(code(printer.dot)));
}
