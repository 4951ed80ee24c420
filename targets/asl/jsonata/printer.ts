import {
  type Binary,
  type Conditional,
  canFail,
  childrenOf,
  type Expression,
  effectsOf,
  type Fold,
  foldBalanced,
  isLogic,
  isTotal,
  type Let,
  type Logic,
  lowerDialect,
  outputs,
  type Pipe,
  statesJsonata,
  textParts,
} from "../../../src/expressions/index.ts";
import { scalarChoices } from "../../../src/ir/correlation.ts";
import { assertNever } from "../../../src/json.ts";
import { eachAccess, eachIterate, eachNode } from "./access.ts";
import {
  type Code,
  callCode,
  code,
  constantCode,
  infix,
  isNothing,
  isPath,
  logical,
  precedence,
  ternary,
  valueCode,
} from "./code.ts";
import {
  bindName,
  inferredType,
  type JsonataPrinter,
  type Mode,
  type OutputContinuation,
  reject,
  typeNameIn,
  variableCode,
  withBinding,
  withDot,
  withNarrowedTypes,
  withPresent,
} from "./context.ts";
import { breakCode, eachDefine, eachLabel, eachTry, reduceCode } from "./control.ts";
import { substituteInput } from "./cse.ts";
import { withoutNull } from "./functions/event-data.ts";
import { eachCall } from "./functions/index.ts";
import { eachConformance } from "./functions/schemas.ts";
import { eachForeach } from "./functions/streams.ts";
import { catching, collect, concatenate, search, shareContinuation, unlessFailure } from "./outputs.ts";
import { programCode } from "./programs.ts";
import { arrayCode, binaryCode, eachObject, eachText } from "./values.ts";

/** Prints the first output or nothing. Later outputs are not computed. */
export const firstOutput = (expression: Expression, printer: JsonataPrinter): Code =>
  eachOutput(expression, printer, search, search.pass);

/** Prints all outputs, boxed, followed by a failure. */
export const caughtBoxes = (expression: Expression, printer: JsonataPrinter): Code =>
  eachOutput(expression, catching(printer), collect, collect.pass);

/**
 * Prints an expression in a mode, with a continuation for each output: `.items[] | .id` in the mode `collect` →
 * `$map($itemsOf($memberOf($states.input, "items")), function($box) { {"value": $memberOf($box.value, "id")} }).$`.
 *
 * Evaluation order is jq's wherever it is observable, which is in the choice of the first of several failures.
 */
export function eachOutput(expression: Expression, printer: JsonataPrinter, mode: Mode, use: OutputContinuation): Code {
  switch (expression.kind) {
    case "literal":
      return use(valueCode(expression.value));
    case "identity":
      return use(printer.dot);
    case "variable":
      return use(printer.bindings.get(expression.name)?.code ?? variableCode(printer.printVariable(expression.name)));
    case "array":
      return unlessFailure(arrayCode(expression, printer), printer, mode, use);
    case "object":
      return eachObject(expression, printer, mode, use);
    case "call":
      return eachCall(expression, printer, mode, use);
    case "query":
      return eachNode(expression, printer, mode, use);
    case "access":
      return eachAccess(expression, printer, mode, use);
    case "iterate":
      return eachIterate(expression, printer, mode, use);
    case "comma": {
      const { items } = expression;
      return shareContinuation(items.length, mode, printer, use, (then) => {
        const parts = items.map((item) => withSurePresence(item, eachOutput(item, printer, mode, then)));
        const failing = use !== mode.pass && printer.canFail ? items : items.filter(canFail);
        return concatenate(parts, mode, printer, failing.length);
      });
    }
    case "pipe":
      return eachPipe(expression, printer, mode, use);
    case "let": {
      const choice = scalarChoice(expression, printer);
      if (choice) return use(choice);
      return eachLet(expression, printer, mode, (body, inner) => eachOutput(body, inner, mode, use));
    }
    case "if":
      return isValue(expression, printer)
        ? use(conditionalCode(expression, printer))
        : eachConditional(expression, printer, mode, use);
    case "try":
      return eachTry(expression, printer, mode, use);
    case "fold":
      return eachFold(expression, printer, mode, use);
    case "define":
      return eachDefine(expression, printer, mode, use);
    case "label":
      return eachLabel(expression, printer, mode, use);
    case "break":
      return breakCode(expression, mode);
    case "dialect": {
      if (expression.dialect === statesJsonata)
        return use(programCode(expression, printer, (part) => firstOutput(part, printer)));
      const lowered = lowerDialect(expression) ?? reject(`an expression of ${expression.dialect.name}`, expression);
      return eachOutput(lowered, printer, mode, use);
    }
    default:
      return assertNever(expression);
  }
}

/** Prints an operation: `.a + 1` → `$add($memberOf($states.input, "a"), 1)`. */
export function eachOperation(expression: Binary, printer: JsonataPrinter, mode: Mode, use: OutputContinuation): Code {
  const parts = textParts(expression);
  if (parts) return eachText(parts, printer, mode, use);
  const conformance = eachConformance(expression, printer, mode, use);
  if (conformance) return conformance;
  return operands(expression.args.toReversed(), printer, mode, ([b, a]) => {
    const result = binaryCode(expression, a!, b!, printer);
    return canFail(expression) ? unlessFailure(result, printer, mode, use) : use(result);
  });
}

function eachFold(expression: Fold, printer: JsonataPrinter, mode: Mode, use: OutputContinuation): Code {
  if (expression.extract) return eachForeach(expression, expression.extract, printer, mode, use);
  return eachOutput(expression.initial, printer, mode, (initial) =>
    unlessFailure(reduceCode(expression, initial, printer), printer, mode, use),
  );
}

const isValue = (expression: Expression, printer: JsonataPrinter): boolean =>
  outputs(expression) === "one" && !(printer.catchesFailures && canFail(expression));

/** A conditional piece is present if its condition is the only reason for a missing value. */
function withSurePresence(expression: Expression, piece: Code): Code {
  return piece.conditional && missingParts(expression) === 1
    ? { ...piece, conditional: { ...piece.conditional, isPresent: true } }
    : piece;
}

function missingParts(expression: Expression): number {
  if (outputs(expression) === "one") return 0;
  const parts = childrenOf(expression).map((child) => child.expression);
  const inside = parts.reduce((count, part) => count + missingParts(part), 0);
  if (outputs(expression) !== "optional") return Number.POSITIVE_INFINITY;
  return expression.kind === "query"
    ? 1 + missingParts(expression.source)
    : ["object", "pipe", "let"].includes(expression.kind)
      ? inside
      : Number.POSITIVE_INFINITY;
}

/**
 * Continues with every combination of outputs, the first varying slowest. Binds values that would be evaluated
 * repeatedly, or after a part that may fail.
 */
export function operands(
  parts: readonly Expression[],
  printer: JsonataPrinter,
  mode: Mode,
  use: (values: readonly Code[]) => Code,
  before: readonly Code[] = [],
): Code {
  const [part, ...rest] = parts;
  if (!part) return use(before);
  if (parts.length > maxNestedOperands && parts.every((each) => isValue(each, printer) && !canFail(each)))
    return use([...before, ...parts.map((each) => firstOutput(each, printer))]);
  const keeps = rest.some((other) => outputs(other) !== "one" || (canFail(part) && canFail(other)));
  const next = (output: Code) => operands(rest, printer, mode, use, [...before, output]);
  const used = (output: Code) =>
    keeps && part.kind !== "literal" ? bindName(output, printer, "value", next) : next(output);
  return isLarge(part) && isValue(part, printer)
    ? used(firstOutput(part, printer))
    : eachOutput(part, printer, mode, used);
}

/** Nested printing uses the JavaScript stack. */
const maxNestedOperands = 100;

const maxNestedSize = 300;

const isLarge = (part: Expression): boolean => effectsOf(part).weight.size > maxNestedSize;

function eachPipe({ left, right }: Pipe, printer: JsonataPrinter, mode: Mode, use: OutputContinuation): Code {
  if (isTotal(left) && !effectsOf(right).usesInput) return eachOutput(right, printer, mode, use);
  const whole = substituteInput(right, left);
  if (whole) return eachOutput(whole, printer, mode, use);
  return eachOutput(left, printer, mode, (output) =>
    bindName(output, printer, "item", (item) =>
      eachOutput(right, withDot(printer, item, inferredType(left, printer)), mode, use),
    ),
  );
}

/** Prints the part of an expression whose outputs are those of the whole. */
type ResultPrinter = (result: Expression, printer: JsonataPrinter) => Code;

/** Prints a binding or a choice with `print` for its body or branches; undefined for another expression. */
export function eachResult(
  expression: Expression,
  printer: JsonataPrinter,
  mode: Mode,
  print: ResultPrinter,
): Code | undefined {
  if (expression.kind === "let") return eachLet(expression, printer, mode, print);
  return expression.kind === "if" ? eachBranch(expression, printer, mode, print) : undefined;
}

/** The first value that is a scalar: `$type(E) in ["string", "number", "boolean"] ? E : …`. */
function scalarChoice(expression: Let, printer: JsonataPrinter): Code | undefined {
  const [value, ...others] = scalarChoices(expression);
  if (others.length === 0 || expression.body.kind !== "if" || (printer.catchesFailures && canFail(expression)))
    return undefined;
  const otherwise = expression.body.otherwise;
  if (outputs(value!) !== "one" || outputs(otherwise) !== "one") return undefined;
  return bindName(firstOutput(withoutNull(value!), printer), printer, "token", (known) => {
    const isScalar = infix(
      "in",
      precedence.comparison,
      callCode("type", known),
      code('["string", "number", "boolean"]'),
    );
    return ternary(isScalar, known, firstOutput(otherwise, printer));
  });
}

const eachLet = ({ name, value: bound, body }: Let, printer: JsonataPrinter, mode: Mode, print: ResultPrinter): Code =>
  eachOutput(bound, printer, mode, (output) =>
    bindName(output, printer, name, (item) =>
      print(body, withBinding(printer, name, item, inferredType(bound, printer))),
    ),
  );

function eachBranch(
  { condition, then, otherwise }: Conditional,
  printer: JsonataPrinter,
  mode: Mode,
  print: ResultPrinter,
): Code {
  return eachOutput(condition, printer, mode, (output) => {
    const { holds, negated } = truthTest(condition, output, printer);
    const branches = [then, otherwise].map((branch) =>
      print(branch, withNarrowedTypes(condition, printer, branch === then)),
    ) as [Code, Code];
    return negated ? branch(holds, branches[1], branches[0]) : branch(holds, ...branches);
  });
}

function eachConditional(expression: Conditional, printer: JsonataPrinter, mode: Mode, use: OutputContinuation): Code {
  const uses = [expression.then, expression.otherwise].filter((branch) => outputs(branch) !== "none").length;
  return shareContinuation(uses, mode, printer, use, (next) =>
    eachBranch(expression, printer, mode, (branch, inner) => eachOutput(branch, inner, mode, next)),
  );
}

/** Prints `a and b`, `a or b`. */
export function eachLogic(expression: Logic, printer: JsonataPrinter, mode: Mode, use: OutputContinuation): Code {
  if (isValue(expression, printer)) return use(logicCode(expression, printer));
  const {
    name,
    args: [left, right],
  } = expression;
  const decisive = name === "or";
  return shareContinuation(2, mode, printer, use, (next) =>
    eachOutput(left, printer, mode, (output) => {
      const { holds, negated } = truthTest(left, output, printer);
      const undecided = eachOutput(right, printer, mode, (value) => next(truthCode(right, value, printer)));
      const decided = next(constantCode(String(decisive)));
      return decisive === negated ? branch(holds, undecided, decided) : branch(holds, decided, undecided);
    }),
  );
}

/** `holds` is true if the tested value is true, or false if `negated`. */
interface TruthTest {
  readonly holds: Code;
  readonly negated: boolean;
}

/** Tests whether an output is true in jq's sense. */
export function truthTest(expression: Expression, output: Code, printer: JsonataPrinter): TruthTest {
  if (typeNameIn(expression, printer) === "boolean") return { holds: output, negated: false };
  return { holds: infix("in", precedence.comparison, output, code("[null, false]")), negated: true };
}

/** An output's truth in jq's sense. */
export function truthCode(expression: Expression, output: Code, printer: JsonataPrinter): Code {
  const { holds, negated } = truthTest(expression, output, printer);
  return negated ? callCode("not", holds) : holds;
}

/** `condition ? then : otherwise`, where either may be nothing. */
export const branch = (condition: Code, then: Code, otherwise: Code): Code =>
  isNothing(then) && !isNothing(otherwise)
    ? ternary(callCode("not", condition), otherwise, then)
    : ternary(condition, then, otherwise);

function conditionalCode({ condition, then, otherwise }: Conditional, printer: JsonataPrinter): Code {
  const test = firstOutput(condition, printer);
  if (isTrue(test)) return firstOutput(then, printer);
  const { holds, negated } = truthTest(condition, test, printer);
  if (isTruth(then, otherwise) && !negated && !printer.catchesFailures) return holds;
  const branches = [
    firstOutput(then, assuming(condition, withNarrowedTypes(condition, printer, true))),
    firstOutput(otherwise, withNarrowedTypes(condition, printer, false)),
  ] as const;
  return negated ? ternary(holds, branches[1], branches[0]) : ternary(holds, ...branches);
}

/** Whether the branches convert a condition to a Boolean. */
const isTruth = (then: Expression, otherwise: Expression): boolean =>
  then.kind === "literal" && then.value === true && otherwise.kind === "literal" && otherwise.value === false;

const isTrue = ({ definitions, text }: Code): boolean => definitions.length === 0 && text === "true";

function assuming(condition: Expression, printer: JsonataPrinter): JsonataPrinter {
  const [found] = condition.kind === "call" && condition.name === "exists" ? condition.args : [];
  if (found?.kind !== "query") return printer;
  const path = outputs(found) === "optional" ? firstOutput(found, printer) : undefined;
  return path && isPath(path) && path.definitions.length === 0 && path.path.text.startsWith("$")
    ? withPresent(printer, path.path.text)
    : printer;
}

/** Longer chains are printed as balanced trees. */
const maxChain = 16;

function logicCode(expression: Logic, printer: JsonataPrinter): Code {
  const { name: operator } = expression;
  let inner = printer;
  const all = chainParts(expression, operator).map((part, i) => {
    const truth = truthCode(part, firstOutput(part, inner), inner);
    if (i < maxNarrowing) inner = withNarrowedTypes(part, inner, operator === "and");
    return truth;
  });
  const [decisive, neutral] = operator === "or" ? ["true", "false"] : ["false", "true"];
  const isConstant = (part: Code, text: string) => part.definitions.length === 0 && part.text === text;
  if (isConstant(all[0]!, decisive)) return constantCode(decisive);
  const parts = all.filter((part) => !isConstant(part, neutral));
  if (parts.length < 2) return parts[0] ?? constantCode(neutral);
  if (parts.length <= maxChain) return logical(operator, parts);
  return foldBalanced(parts, (left, right) => infix(operator, precedence[operator], left, right))!;
}

/** Narrowing for the rest of a chain takes time for each part. */
const maxNarrowing = 20;

function chainParts(expression: Expression, operator: Logic["name"]): readonly Expression[] {
  const parts: Expression[] = [];
  const waiting: Expression[] = [expression];
  for (let part = waiting.pop(); part; part = waiting.pop()) {
    if (isLogic(part) && part.name === operator && outputs(part) === "one") waiting.push(...part.args.toReversed());
    else parts.push(part);
  }
  return parts;
}
