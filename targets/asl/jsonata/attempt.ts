import {
  type Alternative,
  canFail,
  type Expression,
  factsOf,
  outputs,
  type Try,
} from "../../../src/expressions/index.ts";
import { catching, caughtBoxes, eachFirm, eachThen, failureOf, isFailure, sound } from "./caught.ts";
import { type Code, choice, code, level } from "./code.ts";
import { filtered, some } from "./conditions.ts";
import { each, value } from "./each.ts";
import { breaksIn } from "./labels.ts";
import { test } from "./logic.ts";
import { collect, eachBox, type Mode, shared, type Use, whenPresent } from "./modes.ts";
import { help, named, type Printer, refuse, withDot } from "./printer.ts";
import { mayNotEnd } from "./streams.ts";

/** `try E catch H`. */
export function eachTry({ body, handler }: Try, printer: Printer, mode: Mode, use: Use): Code {
  if (!canFail(body)) return each(body, printer, mode, use);
  if (breaksIn(body).size > 0) refuse("a `break` out of `try`", body);
  return shared(handler ? 2 : 1, mode, printer, use, (next) => {
    const handled = (failure: Code): Code => (handler ? eachHandled(handler, failure, printer, mode, next) : mode.none);
    return outputs(body) === "many"
      ? eachUntilFailure(body, handled, printer, mode, next)
      : eachUnlessFailed(body, handled, printer, mode, next);
  });
}

function eachHandled(handler: Expression, failure: Code, printer: Printer, mode: Mode, use: Use): Code {
  if (!factsOf(handler).usesInput) return each(handler, printer, mode, use);
  return named(failureOf(failure), printer, "failure", (item) => each(handler, withDot(printer, item), mode, use));
}

type Handled = (failure: Code) => Code;

function eachUnlessFailed(body: Expression, handled: Handled, printer: Printer, mode: Mode, use: Use): Code {
  return named(value(body, catching(printer)), printer, "result", (result) => {
    const used = outputs(body) === "one" ? use(result) : whenPresent(result, mode, printer, use);
    return choice(isFailure(result), handled(result), used);
  });
}

function eachUntilFailure(body: Expression, handled: Handled, printer: Printer, mode: Mode, use: Use): Code {
  return eachThen(help(printer, "untilFailure", caughtBoxes(body, printer)), handled, printer, mode, use);
}

/** `A // B`. */
export function eachAlternative({ left, right }: Alternative, printer: Printer, mode: Mode, use: Use): Code {
  return shared(2, mode, printer, use, (next) => {
    const otherwise = () => each(right, printer, mode, next);
    if (outputs(left) === "many") return eachTrueOf(left, otherwise, printer, mode, next);
    const found = value(left, printer);
    const chosen = (item: Code) => {
      if (outputs(left) !== "one") return choice(help(printer, "isTrue", item), next(item), otherwise());
      const { holds, negated } = test(left, item);
      return negated ? choice(holds, otherwise(), next(item)) : choice(holds, next(item), otherwise());
    };
    const used = (output: Code) => named(output, printer, "value", chosen);
    return canFail(left) ? sound(found, printer, mode, used) : used(found);
  });
}

/** The outputs of an expression that are true, in boxes, and in the last one what it fails with; else another. */
function eachTrueOf(left: Expression, otherwise: () => Code, printer: Printer, mode: Mode, use: Use): Code {
  if (mode.kind === "search" && mayNotEnd(left)) refuse("`//` of what may never end", left);
  const fails = canFail(left);
  const all = fails
    ? help(printer, "untilFailure", caughtBoxes(left, printer))
    : each(left, printer, collect, collect.pass);
  const isTrue = help(printer, "isTrue", code("value"));
  const kept = filtered(all, fails ? code(`${isTrue.text} or $exists(failure)`, level.or) : isTrue);
  return named(kept, printer, "boxes", (boxes) =>
    choice(some(boxes), fails ? eachFirm(boxes, printer, mode, use) : eachBox(boxes, mode, printer, use), otherwise()),
  );
}
