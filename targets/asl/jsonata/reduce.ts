import { canFail, type Expression, outputs, type Reduce } from "../../../src/expressions/index.ts";
import { caughtBoxes, isFailure } from "./caught.ts";
import { after, type Code, choice, code, level, operand } from "./code.ts";
import { each, value } from "./each.ts";
import { collect, existsText, fold, folded, otherwise } from "./modes.ts";
import { fresh, help, named, type Printer, withBound, withDot } from "./printer.ts";

/** A fold that begins with one value. */
export function reduceText(expression: Reduce, first: Code, printer: Printer): Code {
  const { source } = expression;
  if (printer.caught && canFail(expression)) return caughtText(expression, first, printer);
  const reduced = (initial: Code) => foldText(expression, initial, printer);
  return canFail(expression.initial) && canFail(source) ? named(first, printer, "start", reduced) : reduced(first);
}

function foldText({ source, name, update }: Reduce, initial: Code, printer: Printer): Code {
  const total = fresh(printer, "total");
  const inner = withDot(printer, code(total));
  const updated = (item: Code): Code =>
    named(item, printer, name, (known) => last(update, withBound(inner, name, known)));
  if (source.kind === "comma" && !(canFail(source) && canFail(update))) {
    const box = fresh(printer, "box");
    const boxes = each(source, printer, collect, collect.pass);
    return folded(boxes, [total, box], updated(code(`${box}.value`)), initial);
  }
  return after([...initial.before, `${total} := ${initial.text}`], each(source, printer, fold(total), updated));
}

/** A fold that stops at the first failure. */
function caughtText({ source, name, update }: Reduce, initial: Code, printer: Printer): Code {
  const [total, box] = [fresh(printer, "total"), fresh(printer, "box")];
  const inner = withBound(withDot(printer, code(total)), name, code(`${box}.value`));
  const failure = code(`${box}.failure`);
  const next = choice(existsText(failure), failure, last(update, inner));
  return folded(caughtBoxes(source, printer), [total, box], choice(isFailure(code(total)), code(total), next), initial);
}

/** The last output; null where there is none. */
function last(expression: Expression, printer: Printer): Code {
  if (outputs(expression) === "one") return value(expression, printer);
  if (outputs(expression) !== "many") return otherwise(value(expression, printer), code("null"), printer);
  if (printer.caught && canFail(expression)) return help(printer, "lastOf", caughtBoxes(expression, printer));
  const boxes = each(expression, printer, collect, collect.pass);
  return otherwise(code(`(${operand(boxes, level.choice)})[-1].value`), code("null"), printer);
}
