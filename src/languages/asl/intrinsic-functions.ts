import {
  bind,
  call,
  collect,
  comma,
  concatenate,
  type Expression,
  literal,
  readJq,
  substitute,
  variable,
} from "../../expressions/index.ts";
import { runtimeFailure } from "./failures.ts";
import { javaRandom } from "./java-random.ts";
import type { PathRoots } from "./paths.ts";

/** An argument of an intrinsic function. */
export interface Argument {
  readonly value: Expression;
  /** The parts of a string between its `{}`. */
  readonly pieces?: readonly string[] | undefined;
}

/** Why a call cannot be compiled. */
export interface CallRefusal {
  readonly refusal: string;
  readonly hint?: string | undefined;
  readonly category: "syntax" | "unsupported";
}

/** An intrinsic function and the numbers of its arguments. */
export interface IntrinsicFunction {
  readonly least: number;
  readonly most?: number | undefined;
  make(args: readonly Argument[], roots: PathRoots): Expression | CallRefusal;
}

type Make = (...args: readonly Expression[]) => Expression;

/** A function of `count` values, as a jq program over `$a`, `$b` and `$c`. */
function programmed(count: number, text: string): IntrinsicFunction {
  const make = program(text);
  return { least: count, most: count, make: (args) => make(...args.map(({ value }) => value)) };
}

/** A jq program of the compiler's own over its arguments `$a`, `$b` and `$c`. */
export function program(text: string): Make {
  let parsed: Expression | undefined;
  return (...args) => {
    parsed ??= parse(text);
    const names = args.map((_, i) => `argument ${i + 1}`);
    const body = substitute(parsed, new Map(names.map((name, i) => [parameters[i]!, variable(name)])));
    return args.reduceRight((inner, value, i) => bind(names[i]!, value, inner), body);
  };
}

const parameters = ["a", "b", "c"];

function parse(text: string): Expression {
  const read = readJq(text.replaceAll("FAIL", failing), { variables: parameters });
  if (!("expression" in read)) throw new Error(`A program of the compiler is invalid: ${read[0]?.message}`);
  return read.expression;
}

const failing =
  'error({ name: "States.Runtime", message: "An intrinsic function has an argument that it does not take." })';

const isText = '($a | type) == "string"';
const isList = '($a | type) == "array"';
const areNumbers = (...names: readonly string[]): string =>
  names.map((name) => `($${name} | type) == "number"`).join(" and ");
const rounded = (name: string): string => `($${name} + 0.5 | floor)`;

const splitText = `if (${isText}) and ($b | type) == "string" then
  reduce ($b | explode | map([.] | implode) | .[]) as $mark ([$a]; [.[] | split($mark) | .[]]) | map(select(. != ""))
else FAIL end`;

const arrayRange = `if ${areNumbers("a", "b", "c")} then
  ${rounded("a")} as $from | ${rounded("b")} as $to | ${rounded("c")} as $step
  | if $step == 0 or ($to - $from) / $step >= 1000 then FAIL
    else [range($from; if $step > 0 then $to + 1 else $to - 1 end; $step)] end
else FAIL end`;

/** jq also reads `NaN`, `+1` and `01`, which are not JSON. */
const jsonWord = String.raw`(?:true|false|null|-?(?:0|[1-9]\\d*)(?:\\.\\d+)?(?:[eE][+-]?\\d+)?)(?![\\w.+-])`;
const jsonOutsideStrings = String.raw`^(?:[\\s\\[\\]{},:]|${jsonWord})*$`;
const jsonString = String.raw`\"[^\"\\\\]*(?:\\\\[\\s\\S][^\"\\\\]*)*\"`;

const parsedJson = `if (${isText} | not) then FAIL
  elif ($a | trim) == "" then null
  elif ($a | gsub("${jsonString}"; "") | test("${jsonOutsideStrings}")) then $a | fromjson
  else FAIL end`;

const partition = `if (${isList}) and ${areNumbers("b")} and $b >= 0.5 then
  ${rounded("b")} as $size | [range(0; $a | length; $size) as $start | $a[$start:$start + $size]]
else FAIL end`;

const merged: IntrinsicFunction = {
  least: 3,
  most: 3,
  make: ([a, b, deep]) => {
    if (deep!.value.kind !== "literal" || deep!.value.value !== false)
      return {
        refusal: "The third argument of `States.JsonMerge` is not `false`.",
        hint: "Step Functions merges only the outer members.",
        category: "syntax",
      };
    return mergeObjects(a!.value, b!.value);
  },
};

const mergeObjects = program('if ($a | type) == "object" and ($b | type) == "object" then $a + $b else FAIL end');

/** Replaces each `{}` by the text of an argument. */
const formatted: IntrinsicFunction = {
  least: 1,
  make: ([template, ...args], { writer }) => {
    const texts = args.map(({ value }) => textOf(value, writer.context.programs));
    const { pieces } = template!;
    if (!pieces) return formatAtRunTime(template!.value, collect(texts.length === 0 ? undefined : comma(...texts)));
    if (pieces.length !== texts.length + 1)
      return runtimeFailure(`The text has ${pieces.length - 1} times \`{}\`, but ${texts.length} arguments follow.`);
    const parts = pieces.flatMap((piece, i) => [
      ...(piece === "" ? [] : [literal(piece)]),
      ...(texts[i] ? [texts[i]] : []),
    ]);
    return concatenate(parts);
  },
};

const formatAtRunTime = program(`if ${isText} then
  ($a | split("{}")) as $pieces
  | if ($pieces | length) != ($b | length) + 1 and ($a != "" or $b != []) then FAIL
    else reduce range(0; $pieces | length) as $i (""; . + $pieces[$i] + if $i < ($b | length) then $b[$i] else "" end) end
else FAIL end`);

/** A value as a string: a string as it is, an array or object as Java prints it, anything else as JSON. */
function textOf(value: Expression, programs: { count: number }): Expression {
  if (value.kind === "literal" && (value.value === null || typeof value.value !== "object"))
    return literal(typeof value.value === "string" ? value.value : JSON.stringify(value.value));
  programs.count += 1;
  const name = `javaText${programs.count}`;
  const print = program(`def ${name}:
    if type == "object" or type == "array" then
      [.[] | ${name}] as $texts
      | if type == "array" then "[" + ($texts | join(", ")) + "]"
        else keys_unsorted as $keys
          | "{" + ([range(0; $keys | length) as $i | $keys[$i] + "=" + $texts[$i]] | join(", ")) + "}" end
    else tostring end;
  [[$a] | .[] | ${name}] | .[0]`);
  return print(value);
}

const unsupported = (what: string): CallRefusal => ({
  refusal: `${what} is not supported yet.`,
  hint: "Compute the value in a function.",
  category: "unsupported",
});

/** A random value that a step before the state records, or at each of its attempts. */
function drawn(kind: "id" | "random", { writer, item }: PathRoots): Expression | CallRefusal {
  if (item) return unsupported("A random value for each item");
  const name = writer.preparation.drawn[kind].shift();
  return name === undefined ? unsupported("This random value") : variable(name);
}

const randomBetween = program(`if ${areNumbers("a", "b")} then
  ${rounded("a")} as $from | ${rounded("b")} as $to
  | if $to > $from then $from + ($c * ($to - $from) | floor) else FAIL end
else FAIL end`);

const algorithms = ["MD5", "SHA-1", "SHA-256", "SHA-384", "SHA-512"].map((name) => `"${name}"`).join(", ");

const hashable = program(
  `($a | tostring) as $text | if any(${algorithms}; . == $b) and ($text | length) <= 10000 then $text else FAIL end`,
);

const hashOf = (value: Expression, algorithm: Expression): Expression =>
  call("hash", hashable(value, algorithm), algorithm);

const random: IntrinsicFunction = {
  least: 2,
  most: 3,
  make([from, to, seed], roots) {
    if (!seed) {
      const value = drawn("random", roots);
      return "refusal" in value ? value : randomBetween(from!.value, to!.value, value);
    }
    const [a, b, c] = [from!, to!, seed].map(({ value }) => (value.kind === "literal" ? value.value : undefined));
    if (typeof a !== "number" || typeof b !== "number" || typeof c !== "number")
      return unsupported("`States.MathRandom` with a computed seed");
    const [first, last] = [Math.floor(a + 0.5), Math.floor(b + 0.5)];
    return last > first
      ? literal(first + javaRandom(Math.floor(c + 0.5), last - first))
      : runtimeFailure("The range is empty.");
  },
};

/** The intrinsic functions by name. */
export const intrinsicFunctions: ReadonlyMap<string, IntrinsicFunction> = new Map([
  ["States.Format", formatted],
  ["States.StringToJson", programmed(1, parsedJson)],
  ["States.JsonToString", programmed(1, "$a | tojson")],
  [
    "States.Array",
    {
      least: 0,
      make: (args: readonly Argument[]) =>
        args.length === 0 ? literal([]) : collect(comma(...args.map(({ value }) => value))),
    },
  ],
  ["States.ArrayPartition", programmed(2, partition)],
  ["States.ArrayContains", programmed(2, `if ${isList} then any($a[]; . == $b) else FAIL end`)],
  ["States.ArrayRange", programmed(3, arrayRange)],
  [
    "States.ArrayGetItem",
    programmed(2, `if (${isList}) and ${areNumbers("b")} and $b >= 0 and $b < ($a | length) then $a[$b] else FAIL end`),
  ],
  ["States.ArrayLength", programmed(1, `if ${isList} then $a | length else FAIL end`)],
  [
    "States.ArrayUnique",
    programmed(
      1,
      `if ${isList} then reduce $a[] as $x ([]; if any(.[]; . == $x) then . else . + [$x] end) else FAIL end`,
    ),
  ],
  ["States.Base64Encode", programmed(1, `if (${isText}) and ($a | length) <= 10000 then $a | @base64 else FAIL end`)],
  [
    "States.Base64Decode",
    programmed(
      1,
      `if (${isText}) and ($a | length) <= 10000 and ($a | length) % 4 == 0 and ($a | test("^[A-Za-z0-9+/]*={0,2}$")) then $a | @base64d else FAIL end`,
    ),
  ],
  ["States.Hash", { least: 2, most: 2, make: ([value, algorithm]) => hashOf(value!.value, algorithm!.value) }],
  ["States.JsonMerge", merged],
  ["States.MathRandom", random],
  ["States.MathAdd", programmed(2, `if ${areNumbers("a", "b")} then ${rounded("a")} + ${rounded("b")} else FAIL end`)],
  ["States.StringSplit", programmed(2, splitText)],
  ["States.UUID", { least: 0, most: 0, make: (_, roots) => drawn("id", roots) }],
]);
