import {
  type Call,
  canFail,
  childrenOf,
  type Expression,
  type Fold,
  outputs,
} from "../../../../src/expressions/index.ts";
import { isObject } from "../../../../src/json.ts";
import {
  blockText,
  type Code,
  code,
  constantCode,
  infix,
  objectCode,
  precedence,
  referenceCode,
  ternary,
} from "../code.ts";
import {
  bindName,
  callHelper,
  constantOf,
  freshName,
  type JsonataPrinter,
  type Mode,
  type OutputContinuation,
  reject,
  withBinding,
  withDot,
} from "../context.ts";
import {
  catching,
  collect,
  eachBoxOrRaise,
  eachBoxUnlessFailure,
  existsCode,
  failureResult,
  foldBoxes,
  isFailure,
  unlessFailure,
  whenPresent,
} from "../outputs.ts";
import { caughtBoxes, eachOutput, firstOutput, operands } from "../printer.ts";
import { isSafeCount, literalKeys } from "../values.ts";
import { eachOf, type FunctionPrinters } from "./descriptor.ts";
import { stringOf } from "./values.ts";

/** Functions over streams of outputs. */
export const streams: FunctionPrinters = {
  "first/1": eachOf(eachFirst),
  "last/1": eachOf(eachLast),
  "limit/2": eachOf(eachCounted),
  "skip/2": eachOf(eachCounted),
  "finite/1": eachOf(eachFinite),
  "range/3": eachOf(eachRange),
  "attribute/2": eachOf(eachAttribute),
};

/** JSONata's numbers are finite. */
function eachFinite({ args }: Call, printer: JsonataPrinter, mode: Mode, use: OutputContinuation): Code {
  return eachOutput(args[0]!, { ...printer, boundOperation: args[0] }, mode, use);
}

/** Fails if the expression fails before its first output. */
function eachFirst(call: Call, printer: JsonataPrinter, mode: Mode, use: OutputContinuation): Code {
  const member = optionalMember(call.args[0]!);
  if (member && !printer.catchesFailures) return use(objectCode([[member.name, firstOutput(member.value, printer)]]));
  const found = firstOutput(call.args[0]!, printer);
  const used = (item: Code) => (outputs(call) === "one" ? use(item) : whenPresent(item, mode, printer, use));
  return canFail(call) ? unlessFailure(found, printer, mode, used) : used(found);
}

/** `first({a: $x.a}, {})` → `{"a": $x.a}`, since JSONata omits missing members. */
function optionalMember(stream: Expression): { readonly name: string; readonly value: Expression } | undefined {
  if (stream.kind !== "comma" || stream.items.length !== 2) return undefined;
  const [made, otherwise] = stream.items as readonly [Expression, Expression];
  const isEmpty =
    (otherwise.kind === "object" && otherwise.entries.length === 0) ||
    (otherwise.kind === "literal" && isObject(otherwise.value) && Object.keys(otherwise.value).length === 0);
  const keys = made.kind === "object" ? literalKeys(made) : undefined;
  if (!isEmpty || made.kind !== "object" || keys?.length !== 1 || keys[0] === "__proto__") return undefined;
  const { value } = made.entries[0]!;
  return outputs(value) === "optional" && !canFail(value) ? { name: keys[0]!, value } : undefined;
}

/** `last(.[])` → `$itemsOf($states.input)[-1].value`. */
function eachLast({ args: [stream] }: Call, printer: JsonataPrinter, mode: Mode, use: OutputContinuation): Code {
  if (outputs(stream!) !== "many") return eachOutput(stream!, printer, mode, use);
  const caught = printer.catchesFailures && canFail(stream!);
  const boxes = caught
    ? callHelper(printer, "untilFailure", caughtBoxes(stream!, printer))
    : eachOutput(stream!, printer, collect, collect.pass);
  return bindName(boxes, printer, "boxes", ({ text }) => {
    const used = whenPresent(code(`${text}[-1].value`), mode, printer, use);
    return caught
      ? ternary(existsCode(code(`${text}[-1].failure`)), failureResult(code(`${text}[-1].failure`), mode), used)
      : used;
  });
}

/** `attribute(E, "type")` → `$attributeOf(E, "type")`. */
function eachAttribute({ args }: Call, printer: JsonataPrinter, mode: Mode, use: OutputContinuation): Code {
  const [events, names] = args as readonly [Expression, Expression];
  return eachOutput(events, printer, mode, (event) =>
    eachOutput(names, printer, mode, (name) =>
      whenPresent(callHelper(printer, "attributeOf", event, stringOf(names, name, printer)), mode, printer, use),
    ),
  );
}

/** `range(0; $n; 1)` → `$rangeOf(0, $n, 1)`, for integer starts and steps. */
function eachRange(call: Call, printer: JsonataPrinter, mode: Mode, use: OutputContinuation): Code {
  if (isEndless(call)) reject("an infinite range", call);
  const [from, , by] = call.args as readonly [Expression, Expression, Expression];
  if (!isWhole(from, printer) || !isWhole(by, printer)) reject("a range of numbers that may not be integers", call);
  return operands(call.args, printer, mode, ([from, upTo, by]) =>
    eachBoxUnlessFailure(callHelper(printer, "rangeOf", from!, upTo!, by!), printer, mode, use),
  );
}

function isWhole(expression: Expression, printer: JsonataPrinter): boolean {
  if (expression.kind === "literal") return Number.isInteger(expression.value);
  if (expression.kind === "call" && expression.name === "_negate") return isWhole(expression.args[0]!, printer);
  return expression.kind === "variable" && isSafeCount(expression, printer);
}

const isEndless = ({ args }: Call): boolean => args.some((arg) => arg.kind === "call" && arg.name === "infinite");

/**
 * `limit(2; E)` → `$firstOf($boxes, 2)`. Failures after the last counted output go unnoticed in jq, so failures are
 * caught first.
 */
function eachCounted(call: Call, printer: JsonataPrinter, mode: Mode, use: OutputContinuation): Code {
  const [count, stream] = call.args as readonly [Expression, Expression];
  if (mayNotEnd(stream)) reject(`\`${call.name}\` of a stream that may be infinite`, call);
  const helper = call.name === "limit" ? "firstOf" : "restOf";
  const counted = (number: Code) =>
    eachBoxOrRaise(callHelper(printer, helper, caughtBoxes(stream, printer), number), printer, mode, use);
  const constant = constantOf(count);
  if (typeof constant === "number" && constant > 0) return counted(constantCode(String(constant)));
  return eachOutput(count, printer, mode, (output) =>
    unlessFailure(callHelper(printer, "countOf", output, constantCode(`"${call.name}"`)), printer, mode, (result) =>
      bindName(result, printer, "count", (number) =>
        call.name === "limit"
          ? ternary(infix("=", precedence.comparison, number, constantCode("0")), mode.none, counted(number))
          : counted(number),
      ),
    ),
  );
}

/** Whether an expression may have infinitely many outputs. */
export function mayNotEnd(expression: Expression): boolean {
  if (expression.kind === "define") return true;
  if (expression.kind === "call") {
    if (expression.isLocal || (expression.name === "range" && isEndless(expression))) return true;
    if (expression.name === "recurse" && !leadsInside(expression.args[0]!)) return true;
  }
  return childrenOf(expression).some((child) => mayNotEnd(child.expression));
}

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

/** Prints `foreach` as a fold over the state and the outputs so far that stops at a failure. */
export function eachForeach(
  { source, name, initial, update }: Fold,
  extract: Expression,
  printer: JsonataPrinter,
  mode: Mode,
  use: OutputContinuation,
): Code {
  if (outputs(update) === "many") reject("`foreach` whose update has several outputs", update);
  if (mayNotEnd(source)) reject("`foreach` of a stream that may be infinite", source);
  return eachOutput(initial, printer, mode, (first) => {
    const [state, box] = [freshName(printer, "state"), freshName(printer, "box")];
    const inner = withBinding(withDot(printer, referenceCode(`${state}.value`)), name, referenceCode(`${box}.value`));
    const next = bindName(firstOutput(update, catching(inner)), printer, "new", (made) => {
      const outputs = caughtBoxes(extract, withDot(inner, made));
      const on = code(`{"value": ${made.text}, "boxes": $append(${state}.boxes, ${blockText(outputs)})}`);
      return ternary(
        isFailure(made),
        stoppedState(state, `{"failure": ${made.text}}`),
        ternary(existsCode(made), on, code(`{"value": null, "boxes": ${state}.boxes}`)),
      );
    });
    const body = ternary(
      existsCode(referenceCode(`${state}.value`)),
      ternary(existsCode(referenceCode(`${box}.failure`)), stoppedState(state, box), next),
      referenceCode(state),
    );
    const start = code(`{"value": ${blockText(first)}, "boxes": []}`);
    const all = foldBoxes(caughtBoxes(source, printer), [state, box], body, start);
    return eachBoxOrRaise(callHelper(printer, "untilFailure", code(`${all.text}.boxes`)), printer, mode, use);
  });
}

const stoppedState = (state: string, box: string): Code => code(`{"boxes": $append(${state}.boxes, ${box})}`);
