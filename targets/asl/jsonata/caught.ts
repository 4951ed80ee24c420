import type { Expression } from "../../../src/expressions/index.ts";
import { apply, type Code, choice, code, whole } from "./code.ts";
import { each } from "./each.ts";
import { equal } from "./equal.ts";
import { collect, eachBox, existsText, joined, type Mode, type Use } from "./modes.ts";
import { help, named, type Printer } from "./printer.ts";

/**
 * JSONata cannot catch errors. Where jq does, whatever may fail gives its failure as a value instead: a function, which no JSON value is, that gives
 * what it fails with. In boxes a failure stands as `{"failure": function}`.
 */
export const catching = (printer: Printer): Printer => ({ ...printer, caught: true });

/** Whether a value is a failure. */
export const isFailure = (value: Code): Code => equal(apply("type", value), code('"function"'));

/** What something has failed with. */
export const failureOf = (failure: Code): Code => code(`${failure.text}()`);

/** A failure as the result of a mode: nothing after it is used. */
export const failed = (failure: Code, mode: Mode): Code =>
  mode.kind === "collect" ? code(`{"failure": ${whole(failure)}}`) : failure;

/** The use of what may be a failure, if failures are values here. */
export function sound(result: Code, printer: Printer, mode: Mode, use: Use): Code {
  if (!printer.caught || (use === mode.pass && mode.kind !== "collect")) return use(result);
  return named(result, printer, "result", (value) => choice(isFailure(value), failed(value, mode), use(value)));
}

/** Boxes that may be a failure, and the uses of the values in them. */
export function eachSound(boxes: Code, printer: Printer, mode: Mode, use: Use): Code {
  if (!printer.caught) return eachBox(boxes, mode, printer, use);
  return named(boxes, printer, "boxes", (list) =>
    choice(isFailure(list), failed(list, mode), eachBox(list, mode, printer, use)),
  );
}

/** All outputs of an expression in boxes; in the last one what it fails with, if it does. */
export const caughtBoxes = (expression: Expression, printer: Printer): Code =>
  each(expression, catching(printer), collect, collect.pass);

/** The uses of the values in boxes, of which the last may be a failure; then it fails. */
export const eachFirm = (boxes: Code, printer: Printer, mode: Mode, use: Use): Code =>
  eachThen(
    boxes,
    (failure) => (printer.caught ? failed(failure, mode) : help(printer, "raise", failureOf(failure))),
    printer,
    mode,
    use,
  );

/** The uses of the values in boxes, and what comes of a failure in the last one. */
export function eachThen(all: Code, handled: (failure: Code) => Code, printer: Printer, mode: Mode, use: Use): Code {
  return named(all, printer, "boxes", (boxes) => {
    const values = eachBox(code(`${boxes.text}[$exists(value)]`), mode, printer, use);
    const rest = named(code(`${boxes.text}[-1].failure`), printer, "failed", (last) =>
      choice(existsText(last), handled(last), mode.none),
    );
    return joined([values, rest], mode, printer, 2);
  });
}
