import { type Break, childrenOf, type Expression, type Label } from "../../../src/expressions/index.ts";
import { caughtBoxes, eachThen, failed, failureOf, isFailure } from "./caught.ts";
import { type Code, choice, code } from "./code.ts";
import type { Mode, Use } from "./modes.ts";
import { help, type Printer, refuse } from "./printer.ts";
import { mayNotEnd } from "./streams.ts";

/** `label $name | E`. A break is a failure that gives another function, which nothing fails with. */
export function eachLabelled(label: Label, printer: Printer, mode: Mode, use: Use): Code {
  const { body, name } = label;
  if (mayNotEnd(body)) refuse("`label` around what may never end", label);
  if ([...breaksIn(body)].some((other) => other !== name)) refuse("a `break` to a label around another label", label);
  const boxes = help(printer, "untilFailure", caughtBoxes(body, printer));
  return eachThen(
    boxes,
    (failure) => choice(isFailure(failureOf(failure)), mode.none, again(failure, printer, mode)),
    printer,
    mode,
    use,
  );
}

/** The same failure. */
export const again = (failure: Code, printer: Printer, mode: Mode): Code =>
  printer.caught ? failed(failure, mode) : help(printer, "raise", failureOf(failure));

/** `break $name`. */
export const brokenOff = ({ name }: Break, mode: Mode): Code =>
  failed(code(`function() { function() { ${JSON.stringify(name)} } }`), mode);

/** The labels outside of an expression that it may break to. */
export function breaksIn(expression: Expression): ReadonlySet<string> {
  if (expression.kind === "break") return new Set([expression.name]);
  const names = new Set(childrenOf(expression).flatMap((child) => [...breaksIn(child.expression)]));
  if (expression.kind === "label") names.delete(expression.name);
  return names;
}
