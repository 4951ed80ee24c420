import {
  type Alternative,
  type Break,
  type Call,
  callLocal,
  canFail,
  childrenOf,
  type Define,
  type Expression,
  effectsOf,
  type Fold,
  type Label,
  outputs,
  type Try,
} from "../../../src/expressions/index.ts";
import {
  type Code,
  callCode,
  code,
  constantCode,
  lambda,
  operandText,
  precedence,
  referenceCode,
  ternary,
  withDefinitions,
} from "./code.ts";
import {
  bindName,
  callHelper,
  countCopy,
  type FunctionInliner,
  freshName,
  inferredType,
  type JsonataPrinter,
  type Mode,
  type OutputContinuation,
  reject,
  withBinding,
  withDot,
} from "./context.ts";
import { filtered, isNonEmpty } from "./functions/conditions.ts";
import { assignedEvents } from "./functions/event-data.ts";
import { mayNotEnd } from "./functions/streams.ts";
import {
  catching,
  collect,
  eachBox,
  eachBoxOrRaise,
  eachBoxThenFailure,
  existsCode,
  failureOf,
  failureResult,
  fold,
  foldBoxes,
  isFailure,
  orElse,
  shareContinuation,
  unlessFailure,
  whenPresent,
} from "./outputs.ts";
import { caughtBoxes, eachOutput, firstOutput, truthTest } from "./printer.ts";

/**
 * Prints `try E catch H`: `try .a catch 1` → `$result := $tryMemberOf($states.input, "a"); $type($result) = "function"
 * ? 1 : $result`.
 */
export function eachTry({ body, handler }: Try, printer: JsonataPrinter, mode: Mode, use: OutputContinuation): Code {
  if (!canFail(body)) return eachOutput(body, printer, mode, use);
  if (breaksIn(body).size > 0) reject("a `break` out of `try`", body);
  return shareContinuation(handler ? 2 : 1, mode, printer, use, (next) => {
    const handled = (failure: Code): Code =>
      handler ? eachHandlerOutput(handler, failure, printer, mode, next) : mode.none;
    return outputs(body) === "many"
      ? eachMultipleTry(body, handled, printer, mode, next)
      : eachSingleTry(body, handled, printer, mode, next);
  });
}

function eachHandlerOutput(
  handler: Expression,
  failure: Code,
  printer: JsonataPrinter,
  mode: Mode,
  use: OutputContinuation,
): Code {
  if (!effectsOf(handler).usesInput) return eachOutput(handler, printer, mode, use);
  return bindName(failureOf(failure), printer, "failure", (item) =>
    eachOutput(handler, withDot(printer, item), mode, use),
  );
}

type FailureHandler = (failure: Code) => Code;

function eachSingleTry(
  body: Expression,
  handled: FailureHandler,
  printer: JsonataPrinter,
  mode: Mode,
  use: OutputContinuation,
): Code {
  return bindName(firstOutput(body, catching(printer)), printer, "result", (result) => {
    const used = outputs(body) === "one" ? use(result) : whenPresent(result, mode, printer, use);
    return ternary(isFailure(result), handled(result), used);
  });
}

function eachMultipleTry(
  body: Expression,
  handled: FailureHandler,
  printer: JsonataPrinter,
  mode: Mode,
  use: OutputContinuation,
): Code {
  return eachBoxThenFailure(
    callHelper(printer, "untilFailure", caughtBoxes(body, printer)),
    handled,
    printer,
    mode,
    use,
  );
}

/** Prints `A // B`: `$value := A; $value in [null, false] ? B : $value`. */
export function eachAlternative(
  { args: [left, right] }: Alternative,
  printer: JsonataPrinter,
  mode: Mode,
  use: OutputContinuation,
): Code {
  return shareContinuation(2, mode, printer, use, (next) => {
    const otherwise = () => eachOutput(right, printer, mode, next);
    if (outputs(left) === "many") return eachTrueOutput(left, otherwise, printer, mode, next);
    const found = firstOutput(left, printer);
    const chosen = (item: Code) => {
      if (outputs(left) !== "one") return ternary(callHelper(printer, "isTrue", item), next(item), otherwise());
      const { holds, negated } = truthTest(left, item, printer);
      return negated ? ternary(holds, otherwise(), next(item)) : ternary(holds, next(item), otherwise());
    };
    const used = (output: Code) => bindName(output, printer, "value", chosen);
    return canFail(left) ? unlessFailure(found, printer, mode, used) : used(found);
  });
}

function eachTrueOutput(
  left: Expression,
  otherwise: () => Code,
  printer: JsonataPrinter,
  mode: Mode,
  use: OutputContinuation,
): Code {
  if (mode.kind === "search" && mayNotEnd(left)) reject("`//` of a stream that may be infinite", left);
  const fails = canFail(left);
  const all = fails
    ? callHelper(printer, "untilFailure", caughtBoxes(left, printer))
    : eachOutput(left, printer, collect, collect.pass);
  const isTrue = callHelper(printer, "isTrue", referenceCode("value"));
  const kept = filtered(all, fails ? code(`${isTrue.text} or $exists(failure)`, precedence.or) : isTrue);
  return bindName(kept, printer, "boxes", (boxes) =>
    ternary(
      isNonEmpty(boxes),
      fails ? eachBoxOrRaise(boxes, printer, mode, use) : eachBox(boxes, mode, printer, use),
      otherwise(),
    ),
  );
}

/**
 * Prints `label $name | E`: E's outputs up to a failure. A break is the failure `function() { function() { "name" }
 * }`: no other has a function as its error.
 */
export function eachLabel(label: Label, printer: JsonataPrinter, mode: Mode, use: OutputContinuation): Code {
  const { body, name } = label;
  if (mayNotEnd(body)) reject("`label` around a stream that may be infinite", label);
  if ([...breaksIn(body)].some((other) => other !== name)) reject("a `break` across another label", label);
  const boxes = callHelper(printer, "untilFailure", caughtBoxes(body, printer));
  return eachBoxThenFailure(
    boxes,
    (failure) => ternary(isFailure(failureOf(failure)), mode.none, rethrow(failure, printer, mode)),
    printer,
    mode,
    use,
  );
}

const rethrow = (failure: Code, printer: JsonataPrinter, mode: Mode): Code =>
  printer.catchesFailures ? failureResult(failure, mode) : callHelper(printer, "raise", failureOf(failure));

/** Prints `break $name`. */
export const breakCode = ({ name }: Break, mode: Mode): Code =>
  failureResult(code(`function() { function() { ${JSON.stringify(name)} } }`), mode);

function breaksIn(expression: Expression): ReadonlySet<string> {
  if (expression.kind === "break") return new Set([expression.name]);
  const names = new Set(childrenOf(expression).flatMap((child) => [...breaksIn(child.expression)]));
  if (expression.kind === "label") names.delete(expression.name);
  return names;
}

/**
 * Prints `def`: `def f: .+1` → `$f := function($input) { $add($input, 1) }`. Functions with parameters are inlined at
 * their calls.
 */
export function eachDefine(definition: Define, printer: JsonataPrinter, mode: Mode, use: OutputContinuation): Code {
  if (definition.parameters.length > 0) {
    if (calls(definition.body, definition.name)) reject("a recursive function with parameters", definition);
    return eachOutput(
      definition.rest,
      withFunction(printer, definition.name, inlineCall(definition, printer)),
      mode,
      use,
    );
  }
  const forms = new Map<string, { readonly name: string; text: string }>();
  const inside: JsonataPrinter = withFunction(printer, definition.name, {
    apply: (_, caller, how, next) => callDefined(definition, forms, () => inside, caller, how, next),
  });
  const rest = eachOutput(definition.rest, inside, mode, use);
  return withDefinitions(
    [...forms.values()].map(({ name, text }) => `${name} := ${text}`),
    rest,
  );
}

const withFunction = (printer: JsonataPrinter, name: string, inliner: FunctionInliner): JsonataPrinter => ({
  ...printer,
  functions: new Map([...printer.functions, [name, inliner]]),
});

/** Prints a call of a function or of a parameter. */
export function eachApply(expression: Call, printer: JsonataPrinter, mode: Mode, use: OutputContinuation): Code {
  const inliner = printer.functions.get(expression.name);
  if (!inliner) throw new Error(`Unknown function: ${expression.name}`);
  return inliner.apply(expression, printer, mode, use);
}

const calls = (expression: Expression, name: string): boolean =>
  (expression.kind === "call" && expression.isLocal && expression.name === name) ||
  childrenOf(expression).some((child) => calls(child.expression, name));

function inlineCall({ parameters, body }: Define, defined: JsonataPrinter): FunctionInliner {
  return {
    apply: ({ args }, caller, mode, use) => {
      countCopy(caller, body);
      const start: JsonataPrinter = { ...caller, bindings: defined.bindings, functions: defined.functions };
      const inside = parameters.reduce<JsonataPrinter>(
        (known, parameter, i) => withFunction(known, parameter, inlineArgument(args[i]!, caller)),
        start,
      );
      return eachOutput(body, inside, mode, use);
    },
  };
}

/** It reads the input at its parameter, but the variables and functions of its call. */
const inlineArgument = (expression: Expression, caller: JsonataPrinter): FunctionInliner => ({
  apply: (_, user, mode, use) => {
    countCopy(user, expression);
    return eachOutput(expression, { ...user, bindings: caller.bindings, functions: caller.functions }, mode, use);
  },
});

type FunctionForms = Map<string, { readonly name: string; text: string }>;

/** There is one JSONata function for each mode and continuation. */
function callDefined(
  definition: Define,
  forms: FunctionForms,
  inside: () => JsonataPrinter,
  caller: JsonataPrinter,
  mode: Mode,
  use: OutputContinuation,
): Code {
  if (mode.kind === "fold") {
    const boxes = callHelper(caller, "untilFailure", caughtBoxes(callLocal(definition.name, []), caller));
    return eachBoxOrRaise(boxes, caller, mode, use);
  }
  const passes = use === mode.pass;
  const key = `${mode.kind} ${caller.catchesFailures} ${passes}`;
  const known = forms.get(key);
  const form = known ?? { name: freshName(caller, definition.name), text: "" };
  if (!known) {
    forms.set(key, form);
    form.text = formText(definition, { ...inside(), catchesFailures: caller.catchesFailures }, mode, passes);
  }
  const item = freshName(caller, "output");
  const next = passes ? [] : [code(lambda([item], use(referenceCode(item))))];
  return callCode(form.name.slice(1), caller.dot, ...next);
}

function formText({ body }: Define, inside: JsonataPrinter, mode: Mode, passes: boolean): string {
  const [dot, next] = [freshName(inside, "input"), freshName(inside, "next")];
  const printer = withDot(inside, referenceCode(dot));
  return passes
    ? lambda([dot], eachOutput(body, printer, mode, mode.pass))
    : lambda(
        [dot, next],
        eachOutput(body, printer, mode, (output) => callCode(next.slice(1), output)),
      );
}

/** Prints `reduce` as a call of `$reduce`. */
export function reduceCode(expression: Fold, first: Code, printer: JsonataPrinter): Code {
  const { source } = expression;
  if (printer.catchesFailures && canFail(expression)) return stoppingFoldCode(expression, first, printer);
  const reduced = (initial: Code) => foldCode(expression, initial, printer);
  return canFail(expression.initial) && canFail(source) ? bindName(first, printer, "start", reduced) : reduced(first);
}

function foldCode(expression: Fold, initial: Code, printer: JsonataPrinter): Code {
  const events = assignedEvents(expression, printer);
  if (events) return events;
  const { source, name, update } = expression;
  const total = freshName(printer, "total");
  const inner = withDot(printer, referenceCode(total), inferredType(expression, printer));
  const item = inferredType(source, printer);
  const updated = (value: Code): Code =>
    bindName(value, printer, name, (known) => lastOutput(update, withBinding(inner, name, known, item)));
  if (source.kind === "comma" && !(canFail(source) && canFail(update))) {
    const box = freshName(printer, "box");
    const boxes = eachOutput(source, printer, collect, collect.pass);
    return foldBoxes(boxes, [total, box], updated(referenceCode(`${box}.value`)), initial);
  }
  return withDefinitions(
    [...initial.definitions, `${total} := ${initial.text}`],
    eachOutput(source, printer, fold(total), updated),
  );
}

function stoppingFoldCode({ source, name, update }: Fold, initial: Code, printer: JsonataPrinter): Code {
  const [total, box] = [freshName(printer, "total"), freshName(printer, "box")];
  const inner = withBinding(withDot(printer, referenceCode(total)), name, referenceCode(`${box}.value`));
  const failure = referenceCode(`${box}.failure`);
  const next = ternary(existsCode(failure), failure, lastOutput(update, inner));
  return foldBoxes(
    caughtBoxes(source, printer),
    [total, box],
    ternary(isFailure(referenceCode(total)), referenceCode(total), next),
    initial,
  );
}

function lastOutput(expression: Expression, printer: JsonataPrinter): Code {
  if (outputs(expression) === "one") return firstOutput(expression, printer);
  if (outputs(expression) !== "many") return orElse(firstOutput(expression, printer), constantCode("null"), printer);
  if (printer.catchesFailures && canFail(expression))
    return callHelper(printer, "lastOf", caughtBoxes(expression, printer));
  const boxes = eachOutput(expression, printer, collect, collect.pass);
  return orElse(code(`(${operandText(boxes, precedence.choice)})[-1].value`), constantCode("null"), printer);
}
