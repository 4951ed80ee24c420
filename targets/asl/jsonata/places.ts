import {
  type Access,
  type Alternative,
  type Conditional,
  type Expression,
  type Iterate,
  outputs,
  type Pipe,
} from "../../../src/expressions/index.ts";
import { taken } from "./access.ts";
import { catching, eachSound, isFailure, sound } from "./caught.ts";
import { bracketed, type Code, choice, code, infix, level, whole } from "./code.ts";
import { each } from "./each.ts";
import { chosen, test } from "./logic.ts";
import { joined, type Mode, type Use } from "./modes.ts";
import { countCopy, help, named, type Printer, refuse, withBound, withDot } from "./printer.ts";

/** A value, and the keys that lead to it. */
export interface Place {
  readonly path: Code;
  readonly value: Code;
}

/** What becomes of each place. */
export type UsePlace = (place: Place) => Code;

/** The whole of what `.` is. */
export const wholeOf = (printer: Printer): Place => ({ path: bracketed("[]"), value: code(printer.dot) });

/** `path(E)`: the paths of the places that E gives in `.`. */
export const eachPath = (body: Expression, printer: Printer, mode: Mode, use: Use): Code =>
  eachPlace(body, wholeOf(printer), printer, mode, ({ path }) => use(path));

/** The places that an expression gives in the value at a place. */
export function eachPlace(expression: Expression, from: Place, outer: Printer, mode: Mode, use: UsePlace): Code {
  const printer = withDot(outer, from.value);
  switch (expression.kind) {
    case "identity":
      return use(from);
    case "access":
      return eachMember(expression, from, printer, mode, use);
    case "iterate":
      return eachItem(expression, from, printer, mode, use);
    case "pipe":
      return eachFurther(expression, from, printer, mode, use);
    case "comma": {
      for (const item of expression.items) countCopy(printer, item);
      const parts = expression.items.map((item) => eachPlace(item, from, printer, mode, use));
      return joined(parts, mode, printer, expression.items.length);
    }
    case "let":
      return each(expression.value, printer, mode, (output) =>
        named(output, printer, expression.name, (item) =>
          eachPlace(expression.body, from, withBound(printer, expression.name, item), mode, use),
        ),
      );
    default:
      return eachOtherPlace(expression, from, printer, mode, use);
  }
}

function eachOtherPlace(expression: Expression, from: Place, printer: Printer, mode: Mode, use: UsePlace): Code {
  switch (expression.kind) {
    case "if":
      return eachChosenPlace(expression, from, printer, mode, use);
    case "recurse":
      if (expression.body.kind !== "iterate" || expression.body.source.kind !== "identity" || !expression.body.optional)
        return refuse("a recursion as a place", expression);
      return eachOf(help(printer, "placesBelow", from.value, from.path), printer, mode, use);
    case "alternative":
      return eachTruePlace(expression, from, printer, mode, use);
    case "call":
      if (expression.name === "getpath") return eachGiven(expression.args[1]!, from, printer, mode, use);
      return refuse(`the function \`${expression.name}\` as a place`, expression);
    default:
      return refuse(
        expression.kind === "slice" ? "a part of a list as a place" : `\`${expression.kind}\` as a place`,
        expression,
      );
  }
}

/** The uses of places in boxes. */
const eachOf = (boxes: Code, printer: Printer, mode: Mode, use: UsePlace): Code =>
  eachSound(boxes, printer, mode, ({ text }) => use({ path: code(`${text}.path`), value: code(`${text}.value`) }));

/** A path with one more key. */
function extended({ text }: Code, key: Code): Code {
  const isWritten = text.startsWith("[") && !text.startsWith("[$");
  if (isWritten && /^(?:"|-?\d)/.test(key.text))
    return bracketed(text === "[]" ? `[${key.text}]` : `${text.slice(0, -1)}, ${key.text}]`);
  return code(`$append(${text}, ${whole(key)})`);
}

function eachMember({ source, key, optional }: Access, from: Place, printer: Printer, mode: Mode, use: UsePlace): Code {
  return each(key, printer, mode, (output) =>
    named(output, printer, "key", (name) =>
      eachPlace(source, from, printer, mode, (place) => {
        const step = (found: Code) => use({ path: extended(place.path, name), value: found });
        if (!optional) {
          const found = taken(place.value, key, name, printer);
          return sound(found, printer, mode, (result) => named(result, printer, "value", step));
        }
        const found = taken(place.value, key, name, catching(printer));
        return named(found, printer, "value", (result) => choice(isFailure(result), mode.none, step(result)));
      }),
    ),
  );
}

function eachItem({ source, optional }: Iterate, from: Place, printer: Printer, mode: Mode, use: UsePlace): Code {
  if (optional) refuse("`.[]?` as a place", source);
  return eachPlace(source, from, printer, mode, (place) =>
    eachSound(help(printer, "placesIn", place.value), printer, mode, ({ text }) =>
      use({ path: extended(place.path, code(`${text}.key`)), value: code(`${text}.value`) }),
    ),
  );
}

const eachFurther = ({ left, right }: Pipe, from: Place, printer: Printer, mode: Mode, use: UsePlace): Code =>
  eachPlace(left, from, printer, mode, (place) =>
    named(place.value, printer, "item", (item) =>
      named(place.path, printer, "path", (path) => eachPlace(right, { path, value: item }, printer, mode, use)),
    ),
  );

function eachChosenPlace(
  { condition, then, otherwise }: Conditional,
  from: Place,
  printer: Printer,
  mode: Mode,
  use: UsePlace,
): Code {
  countCopy(printer, then);
  return each(condition, printer, mode, (output) => {
    const { holds, negated } = test(condition, output);
    const branches = [then, otherwise].map((branch) => eachPlace(branch, from, printer, mode, use)) as [Code, Code];
    return negated ? chosen(holds, branches[1], branches[0]) : chosen(holds, ...branches);
  });
}

function eachTruePlace({ left, right }: Alternative, from: Place, printer: Printer, mode: Mode, use: UsePlace): Code {
  if (outputs(left) !== "one") refuse("`//` of several places", left);
  countCopy(printer, left);
  return eachPlace(left, from, printer, mode, (place) =>
    named(place.value, printer, "value", (item) => {
      const otherwise = eachPlace(right, from, printer, mode, use);
      return choice(
        infix("in", level.comparison, item, code("[null, false]")),
        otherwise,
        use({ ...place, value: item }),
      );
    }),
  );
}

function eachGiven(path: Expression, from: Place, printer: Printer, mode: Mode, use: UsePlace): Code {
  return each(path, printer, mode, (output) =>
    named(output, printer, "path", (keys) =>
      sound(help(printer, "getPath", from.value, keys), printer, mode, (found) =>
        named(found, printer, "value", (item) =>
          use({ path: from.path.text === "[]" ? keys : code(`$append(${from.path.text}, ${keys.text})`), value: item }),
        ),
      ),
    ),
  );
}
