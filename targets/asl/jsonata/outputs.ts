import {
  arrayLiteral,
  blockText,
  type Code,
  callCode,
  code,
  constantCode,
  endOf,
  equal,
  guardedTest,
  isPath,
  lambda,
  nothing,
  operandText,
  precedence,
  referenceCode,
  ternary,
  withDefinitions,
} from "./code.ts";
import { bindName, callHelper, freshName, type JsonataPrinter, type Mode, type OutputContinuation } from "./context.ts";

/** Gives the first output. */
export const search: Mode = { kind: "search", none: nothing, pass: (output) => output };

/** Gives all outputs, boxed. */
export const collect: Mode = {
  kind: "collect",
  none: nothing,
  pass: (output) => code(`{"value": ${blockText(output)}}`),
};

/** Gives a total, updated by each output. */
export const fold = (total: string): Mode => ({ kind: "fold", none: referenceCode(total), pass: (output) => output });

/** Continues with an output that may be missing. */
export function whenPresent(output: Code, mode: Mode, printer: JsonataPrinter, use: OutputContinuation): Code {
  if (use === mode.pass && mode.kind === "search") return output;
  if (isPath(output)) {
    const used = use(endOf(output.path));
    return output.path.isPresent
      ? withDefinitions(output.definitions, used)
      : ternary(existsCode(output), used, mode.none);
  }
  if (use === mode.pass && mode.kind === "collect") return callHelper(printer, "box", output);
  return bindName(output, printer, "found", (value) => ternary(existsCode(value), use(value), mode.none));
}

/** A test of a value, false if the value is missing. */
export const presentAnd = (value: Code, printer: JsonataPrinter, test: (value: Code) => Code): Code =>
  isPath(value) ? guardedTest(value, test(endOf(value.path))) : bindName(value, printer, "value", test);

/** Whether a value exists. */
export function existsCode(value: Code): Code {
  if (!isPath(value)) return callCode("exists", value);
  return value.path.isPresent
    ? withDefinitions(value.definitions, constantCode("true"))
    : guardedTest(value, callCode("exists", endOf(value.path)));
}

/** Continues with each boxed value. */
export function eachBox(boxes: Code, mode: Mode, printer: JsonataPrinter, use: OutputContinuation): Code {
  if (use === mode.pass && mode.kind === "collect") return boxes;
  if (use === mode.pass && mode.kind === "search") return code(`${operandText(boxes, precedence.primary)}[0].value`);
  const item = freshName(printer, mode.kind === "search" ? "item" : "box");
  if (mode.kind === "search") {
    const found = lambda([item], use(referenceCode(item)));
    return callHelper(printer, "search", boxes, code(found));
  }
  const body = use(referenceCode(`${item}.value`));
  if (mode.kind === "collect") return code(`$map(${blockText(boxes)}, ${lambda([item], body)}).$`);
  const total = mode.none.text;
  return foldBoxes(boxes, [total, item], body, referenceCode(total));
}

/** A fold over boxes; `body` computes the new total. */
export function foldBoxes(boxes: Code, parameters: readonly [string, string], body: Code, initial: Code): Code {
  const list = boxes.isBracketed && boxes.definitions.length === 0 ? boxes.text : `[${blockText(boxes)}]`;
  return code(`$reduce(${list}, ${lambda(parameters, body)}, ${blockText(initial)})`);
}

/** Makes a continuation that is printed repeatedly a function, unless it is trivial. */
export function shareContinuation(
  times: number,
  mode: Mode,
  printer: JsonataPrinter,
  use: OutputContinuation,
  body: (use: OutputContinuation) => Code,
): Code {
  if (times < 2 || (use === mode.pass && mode.kind !== "fold")) return body(use);
  const [name, item] = [freshName(printer, "next"), freshName(printer, "item")];
  const totals = mode.kind === "fold" ? [mode.none] : [];
  const definition = `${name} := ${lambda([...totals.map(({ text }) => text), item], use(referenceCode(item)))}`;
  return withDefinitions(
    [definition],
    body((output) => callCode(name.slice(1), ...totals, output)),
  );
}

/** Combines the results of several expressions in order; `failing` of them may fail. */
export function concatenate(parts: readonly Code[], mode: Mode, printer: JsonataPrinter, failing: number): Code {
  if (mode.kind === "fold") return sequence(parts, mode.none);
  const some = parts.filter((part) => part.definitions.length > 0 || part.text !== nothing.text);
  if (some.length < 2) return some[0] ?? nothing;
  const half = (some.length + 1) >> 1;
  const halves = () =>
    [some.slice(0, half), some.slice(half)].map((part) => concatenate(part, mode, printer, failing)) as [Code, Code];
  if (mode.kind === "search") return orElse(...halves(), printer);
  return failing < 2 ? concatenatedArray(some) : callCode("append", ...halves());
}

/** A value, or another if it is missing. */
export function orElse(value: Code, other: Code, printer: JsonataPrinter): Code {
  if (isPath(value))
    return printer.presentPaths.has(value.path.text) || value.path.isPresent
      ? withDefinitions(value.definitions, endOf(value.path))
      : ternary(existsCode(value), endOf(value.path), other);
  if (value.conditional?.isPresent) return ternary(value.conditional.condition, value.conditional.then, other);
  return bindName(value, printer, "found", (found) => ternary(existsCode(found), found, other));
}

function concatenatedArray(parts: readonly Code[]): Code {
  const flat = parts.flatMap((part) => part.elements ?? [part]);
  return { ...arrayLiteral(`[${flat.map(blockText).join(", ")}]`), elements: flat };
}

function sequence(parts: readonly Code[], total: Code): Code {
  const last = parts.at(-1) ?? total;
  return withDefinitions(
    parts.slice(0, -1).flatMap((part) => [...part.definitions, `${total.text} := ${part.text}`]),
    last,
  );
}

/**
 * Represents failures as values, since JSONata cannot catch errors: functions that return the error, boxed as
 * `{"failure": function}`.
 */
export const catching = (printer: JsonataPrinter): JsonataPrinter => ({ ...printer, catchesFailures: true });

/** Whether a value is a failure. */
export const isFailure = (value: Code): Code => equal(callCode("type", value), constantCode('"function"'));

/** The error of a failure. */
export const failureOf = (failure: Code): Code => code(`${failure.text}()`);

/** A failure as the result in a mode; it ends the computation. */
export const failureResult = (failure: Code, mode: Mode): Code =>
  mode.kind === "collect" ? code(`{"failure": ${blockText(failure)}}`) : failure;

/** Continues with a result unless it is a failure. */
export function unlessFailure(result: Code, printer: JsonataPrinter, mode: Mode, use: OutputContinuation): Code {
  if (!printer.catchesFailures || (use === mode.pass && mode.kind !== "collect")) return use(result);
  return bindName(result, printer, "result", (value) =>
    ternary(isFailure(value), failureResult(value, mode), use(value)),
  );
}

/** Continues with each boxed value unless the boxes are a failure. */
export function eachBoxUnlessFailure(boxes: Code, printer: JsonataPrinter, mode: Mode, use: OutputContinuation): Code {
  if (!printer.catchesFailures) return eachBox(boxes, mode, printer, use);
  return bindName(boxes, printer, "boxes", (list) =>
    ternary(isFailure(list), failureResult(list, mode), eachBox(list, mode, printer, use)),
  );
}

/** Continues with each boxed value, then raises a failure in the last box. */
export const eachBoxOrRaise = (boxes: Code, printer: JsonataPrinter, mode: Mode, use: OutputContinuation): Code =>
  eachBoxThenFailure(
    boxes,
    (failure) =>
      printer.catchesFailures ? failureResult(failure, mode) : callHelper(printer, "raise", failureOf(failure)),
    printer,
    mode,
    use,
  );

/** Continues with each boxed value, then handles a failure in the last box. */
export function eachBoxThenFailure(
  all: Code,
  handled: (failure: Code) => Code,
  printer: JsonataPrinter,
  mode: Mode,
  use: OutputContinuation,
): Code {
  return bindName(all, printer, "boxes", (boxes) => {
    const values = eachBox(code(`${boxes.text}[$exists(value)]`), mode, printer, use);
    const rest = bindName(code(`${boxes.text}[-1].failure`), printer, "failed", (last) =>
      ternary(existsCode(last), handled(last), mode.none),
    );
    return concatenate([values, rest], mode, printer, 2);
  });
}
