import { type Call, childrenOf, type Expression, type Foreach, outputs } from "../../../../src/expressions/index.ts";
import { type Code, choice, code, infix, lambda, precedence, whole } from "../code.ts";
import {
  constantOf,
  fresh,
  help,
  type Mode,
  named,
  type Printer,
  refuse,
  type Use,
  withBound,
  withDot,
} from "../context.ts";
import { catching, eachFirm, eachSound, existsText, isFailure, sound } from "../outputs.ts";
import { caughtBoxes, eachOutput, firstOutput, operands } from "../printer.ts";

/** `range(from; upTo; by)`. */
export function eachInRange(call: Call, printer: Printer, mode: Mode, use: Use): Code {
  if (isEndless(call)) refuse("numbers without end", call);
  return operands(call.args, printer, mode, ([from, upTo, by]) =>
    eachSound(help(printer, "rangeOf", from!, upTo!, by!), printer, mode, use),
  );
}

const isEndless = ({ args }: Call): boolean => args.some((arg) => arg.kind === "call" && arg.name === "infinite");

/** `limit(n; E)` and `skip(n; E)`: what comes after the last output that counts may fail without notice, so that failures are caught first. */
export function eachCounted(call: Call, printer: Printer, mode: Mode, use: Use): Code {
  const [count, stream] = call.args as readonly [Expression, Expression];
  if (mayNotEnd(stream)) refuse(`\`${call.name}\` of what may never end`, call);
  const helper = call.name === "limit" ? "firstOf" : "restOf";
  const counted = (number: Code) =>
    eachFirm(help(printer, helper, caughtBoxes(stream, printer), number), printer, mode, use);
  const constant = constantOf(count);
  if (typeof constant === "number" && constant > 0) return counted(code(String(constant)));
  return eachOutput(count, printer, mode, (output) =>
    sound(help(printer, "countOf", output, code(`"${call.name}"`)), printer, mode, (result) =>
      named(result, printer, "count", (number) =>
        call.name === "limit"
          ? choice(infix("=", precedence.comparison, number, code("0")), mode.none, counted(number))
          : counted(number),
      ),
    ),
  );
}

/** Whether an expression may have outputs without end: it recurses other than into what a value holds. */
export function mayNotEnd(expression: Expression): boolean {
  if (expression.kind === "apply" || expression.kind === "define") return true;
  if (expression.kind === "call" && expression.name === "range" && isEndless(expression)) return true;
  if (expression.kind === "recurse" && !leadsInside(expression.body)) return true;
  return childrenOf(expression).some((child) => mayNotEnd(child.expression));
}

/** Whether an expression gives only what is inside of its input. */
function leadsInside(expression: Expression): boolean {
  switch (expression.kind) {
    case "iterate":
    case "access":
      return expression.source.kind === "identity" ? expression.kind === "iterate" : leadsInside(expression.source);
    case "pipe":
      return leadsInside(expression.left) && (leadsInside(expression.right) || isFilter(expression.right));
    default:
      return false;
  }
}

const isFilter = (expression: Expression): boolean =>
  expression.kind === "if" && expression.then.kind === "identity" && outputs(expression.otherwise) === "none";

/** `foreach S as $x (I; U; E)`: the state goes on together with all outputs so far; where something fails, it stops. */
export function eachState(expression: Foreach, printer: Printer, mode: Mode, use: Use): Code {
  const { source, name, initial, update, extract } = expression;
  if (outputs(update) === "many") refuse("`foreach` whose update has several outputs", update);
  if (mayNotEnd(source)) refuse("`foreach` of what may never end", source);
  return eachOutput(initial, printer, mode, (first) => {
    const [state, box] = [fresh(printer, "state"), fresh(printer, "box")];
    const inner = withBound(withDot(printer, code(`${state}.value`)), name, code(`${box}.value`));
    const next = named(firstOutput(update, catching(inner)), printer, "new", (made) => {
      const outputs = caughtBoxes(extract, withDot(inner, made));
      const on = code(`{"value": ${made.text}, "boxes": $append(${state}.boxes, ${whole(outputs)})}`);
      return choice(
        isFailure(made),
        stopped(state, `{"failure": ${made.text}}`),
        choice(existsText(made), on, code(`{"value": null, "boxes": ${state}.boxes}`)),
      );
    });
    const body = choice(
      existsText(code(`${state}.value`)),
      choice(existsText(code(`${box}.failure`)), stopped(state, box), next),
      code(state),
    );
    const start = `{"value": ${whole(first)}, "boxes": []}`;
    const boxes = `$reduce([${whole(caughtBoxes(source, printer))}], ${lambda([state, box], body)}, ${start}).boxes`;
    return eachFirm(help(printer, "untilFailure", code(boxes)), printer, mode, use);
  });
}

const stopped = (state: string, box: string): Code => code(`{"boxes": $append(${state}.boxes, ${box})}`);
