import type { Json } from "../../json.ts";
import {
  alternatives,
  any,
  anyNumber,
  never,
  oneOf,
  plainTypeName,
  type Type,
  truthOf,
  typeOfTruth,
  union,
} from "../../types/index.ts";
import type { Binary, Expression } from "../core/ast.ts";
import { call, comma } from "../core/build.ts";
import { firstOf, lastOf, limited, numberRange, skipped } from "../core/streams.ts";
import { isBinary } from "../core/views.ts";
import { EvaluationError } from "../library/failure.ts";
import { mathematics } from "../library/mathematics.ts";
import { type LibraryFunction, library, listFunctions } from "../library/registry.ts";
import { isTrue, typeOf } from "../library/types.ts";
import {
  type Analysis,
  type Builtin,
  type CallOutcome,
  type Closure,
  isNothingIn,
  type Outputs,
  type PathBehavior,
  selectingBuiltin,
  streamBuiltin,
  times,
  typeOfName,
  type ValueFunction,
  valueBuiltin,
} from "./builtin.ts";
import { rangeType, resultTypes } from "./jq-types.ts";

/** Functions that jq implements in C, except mathematics. */
const implementedInC: ReadonlySet<string> = new Set(
  `length tostring tojson fromjson tonumber toboolean keys keys_unsorted has contains startswith endswith trim ltrim rtrim
   explode implode split sort min max format delpaths utf8bytelength _negate`.split(/\s+/),
);

const mayReturnInput: ReadonlySet<string> = new Set("tostring tonumber toboolean trim ltrim rtrim delpaths".split(" "));

const computedValue: PathBehavior = { kind: "value", copies: false, known: "everywhere" };

const pathBehaviors: ReadonlyMap<string, PathBehavior> = new Map<string, PathBehavior>([
  ["ltrimstr", { kind: "copy" }],
  ["rtrimstr", { kind: "copy" }],
  ["setpath", { kind: "copy" }],
  ["reverse", { kind: "value", copies: false, known: "here" }],
  ["getpath", { kind: "path" }],
]);

/** jq's builtins; library functions take their input first. */
export const jqFunctions: readonly Builtin[] = [
  ...[...library].map(([signature, definition]) => libraryBuiltin(signature, definition)),
  ...["tostream/1", "combinations/1"].map((signature) =>
    libraryBuiltin(signature, listFunctions.get(signature)!, true),
  ),
  {
    ...valueBuiltin("not", 1, "`not(x)`: whether x is false or null."),
    returns: "boolean",
    apply: (input: Json) => !isTrue(input),
    type: ([input = any]) => typeOfTruth(negatedTruth[truthOf(input)]),
    simplify: ([given], { typeOf }) => {
      if (isBinary(given!)) return negateComparison(given!);
      const inner = given!.kind === "call" && given!.name === "not" ? given!.args[0]! : undefined;
      return inner && typeOf(inner) === "boolean" ? inner : undefined;
    },
    negated: ([given]) => given!,
    javascript: "isFalse",
    pathBehavior: computedValue,
  },
  {
    ...valueBuiltin("type", 1, "`type(x)`: jq's name of the type of x."),
    returns: "string",
    apply: (input: Json) => typeOf(input),
    type: ([input = any]) => oneOf(...alternatives(input).map(plainTypeName)),
    javascript: "typeOf",
    pathBehavior: computedValue,
  },
  {
    ...valueBuiltin("error", 1, "`error(x)`: fails with x."),
    canFail: () => true,
    apply: (failure: Json): never => {
      throw new EvaluationError(failure);
    },
    type: () => never,
    javascript: "raise",
    pathBehavior: { kind: "failure" },
  },
  {
    ...valueBuiltin("infinite", 0, "`infinite()`: the number above all others."),
    returns: "number",
    apply: () => Number.POSITIVE_INFINITY,
    type: () => anyNumber,
    javascript: "Infinity",
    pathBehavior: computedValue,
  },
  {
    ...valueBuiltin("nan", 0, "`nan()`: what is no number, and below all numbers."),
    returns: "number",
    apply: () => Number.NaN,
    type: () => anyNumber,
    javascript: "NaN",
    pathBehavior: computedValue,
  },
  {
    ...streamBuiltin("first", 1, "`first(E)`: the first output of E, or nothing; the rest is not evaluated."),
    ...selectingBuiltin((_, stream) => firstOf(stream())),
    javascript: "first",
    outputs: ([argument], outputsOf) => firstOutputs(argument!, outputsOf),
    infer: ([argument], outcomeOf) => inferFirst(argument!, outcomeOf),
    simplify: ([argument], known) => simplifyFirst(argument!, known),
  },
  {
    ...streamBuiltin("last", 1, "`last(E)`: the last output of E, or nothing."),
    javascript: "last",
    apply: (outputs: Closure) => lastOf(outputs()),
    outputs: () => "optional",
    infer: ([argument], outcomeOf) => outcomeOf(argument!),
    pathBehavior: { kind: "last" },
  },
  {
    ...streamBuiltin("limit", 2, "`limit(n; E)`: the first n outputs of E; the rest is not evaluated."),
    canFail: () => true,
    ...selectingBuiltin(limit),
    javascript: "limit",
    outputs: () => "many",
    infer: (args, outcomeOf) => ({ type: args.map((argument) => outcomeOf(argument).type)[1]!, isNonEmpty: false }),
  },
  {
    ...streamBuiltin("skip", 2, "`skip(n; E)`: the outputs of E but for the first n."),
    canFail: () => true,
    ...selectingBuiltin(skip),
    javascript: "skip",
    outputs: () => "many",
    infer: (args, outcomeOf) => ({ type: args.map((argument) => outcomeOf(argument).type)[1]!, isNonEmpty: false }),
  },
  {
    ...streamBuiltin("range", 3, "`range(from; upTo; by)`: numbers from one on as long as they are before the other."),
    canFail: () => true,
    returns: "number",
    isEndless: true,
    apply: range,
    javascript: "range",
    pathBehavior: computedValue,
    outputs: () => "many",
    infer: (args, outcomeOf) => {
      const [from, upTo, by] = args.map((argument) => outcomeOf(argument).type);
      return { type: rangeType(from!, upTo!, by!), isNonEmpty: false };
    },
  },
];

function* limit<T>([counts]: readonly Closure[], stream: () => Iterable<T>): Generator<T> {
  for (const count of counts!()) yield* limited(count, stream);
}

function* skip<T>([counts]: readonly Closure[], stream: () => Iterable<T>): Generator<T> {
  for (const count of counts!()) yield* skipped(count, stream);
}

function* range(starts: Closure, ends: Closure, steps: Closure): Generator<Json> {
  for (const start of starts())
    for (const end of ends()) for (const step of steps()) yield* numberRange(start, end, step);
}

function libraryBuiltin(
  signature: string,
  { apply, name: javascript, returns, canFail: fails, ignoresInput }: LibraryFunction,
  isList = false,
): ValueFunction {
  const [name = "", count] = signature.split("/");
  const arity = Number(count) - (ignoresInput ? 1 : 0);
  const type: ValueFunction["type"] = (given, args) =>
    resultTypes.get(`${name}/${arity}`)?.(given, args) ?? typeOfName(returns);
  const meaning = `jq's \`${name}\`${ignoresInput || name.startsWith("_") ? "" : ", with its input as the first argument"}.`;
  const isNative = implementedInC.has(name) || signature in mathematics;
  const inPaths =
    pathBehaviors.get(name) ?? (isNative ? { ...computedValue, copies: mayReturnInput.has(name) } : undefined);
  return {
    kind: "value",
    name,
    arity,
    meaning,
    returns,
    canFail: () => fails || isList,
    apply,
    type,
    javascript,
    pathBehavior: inPaths,
  };
}

/** `not(x == y)` → `x != y`. */
function negateComparison(expression: Binary): Binary | undefined {
  const { name } = expression;
  if (name !== "==" && name !== "!=") return undefined;
  return { ...expression, name: name === "==" ? "!=" : "==" };
}

const negatedTruth = { always: "never", maybe: "maybe", never: "always" } as const;

function firstOutputs(argument: Expression, outputsOf: (argument: Expression) => Outputs): Outputs {
  if (isNonEmpty(argument, outputsOf)) return "one";
  return times(outputsOf(argument), "optional") === "none" ? "none" : "optional";
}

function isNonEmpty(expression: Expression, outputsOf: (argument: Expression) => Outputs): boolean {
  return expression.kind === "comma"
    ? expression.items.some((item) => isNonEmpty(item, outputsOf))
    : outputsOf(expression) === "one";
}

/** Later items do not matter if one surely has an output. */
function inferFirst(argument: Expression, outcomeOf: (argument: Expression) => CallOutcome): CallOutcome {
  if (argument.kind !== "comma") return outcomeOf(argument);
  const types: Type[] = [];
  for (const item of argument.items) {
    const { type, isNonEmpty: some } = outcomeOf(item);
    types.push(type);
    if (some) return { type: union(...types), isNonEmpty: true };
  }
  return { type: union(...types), isNonEmpty: false };
}

function simplifyFirst(argument: Expression, known: Analysis): Expression | undefined {
  if (known.outputsOf(argument) === "one" || isNothingIn(known, argument)) return argument;
  if (argument.kind === "call" && argument.name === "first") return argument;
  if (argument.kind !== "comma") return undefined;
  const { items } = argument;
  const sure = items.findIndex((item) => known.outputsOf(item) === "one");
  if (sure === 0) return items[0]!;
  return sure < 0 || sure === items.length - 1 ? undefined : call("first", comma(...items.slice(0, sure + 1)));
}
