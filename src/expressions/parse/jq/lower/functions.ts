import type { Expression } from "../../../core/ast.ts";
import { bind, call, comma, conditional, identity, literal, pipe, variable } from "../../../core/build.ts";
import { isTotal } from "../../../facts/facts.ts";
import { dateFormatFault, library, listFunctions } from "../../../library/registry.ts";
import type { Signature } from "../builtins.ts";
import type { Call, Jq } from "../syntax.ts";
import { constantsOf } from "./constants.ts";
import { lowerInline } from "./definitions.ts";
import { type Environment, freshName, type Lowering, nowhere, refuse } from "./environment.ts";
import { preludeOf } from "./prelude.ts";
import { lower } from "./query.ts";
import { lowerPattern, patternFunctions } from "./regular-expressions.ts";

/** A call of a function that jq has. */
export function lowerBuiltin(query: Call, environment: Environment, lowering: Lowering): Expression {
  const signature: Signature = `${query.name}/${query.args.length}`;
  const part = (argument: Jq) => lower(argument, environment, lowering);
  const core = coreFunctions.get(signature);
  if (core) return core(query.args.map(part), query, lowering);
  if (patternFunctions.has(signature)) return lowerPattern(query, environment, lowering);
  const inlined = preludeOf(signature);
  if (inlined) return lowerInline(inlined, nowhere, query.args, environment, lowering);
  if (signature === "strptime/1") checkDateFormat(query, environment, lowering);
  const known = library.get(`${query.name}/${query.args.length + 1}`);
  if (known) return ordered(query.name, known.ignoresInput ? [] : [identity], query.args.map(part), lowering);
  if (listFunctions.has(signature.replace(/\d+$/, (count) => String(Number(count) + 1))))
    return {
      kind: "iterate",
      source: ordered(query.name, [identity], query.args.map(part), lowering),
      optional: false,
    };
  return refuse("unsupported", query, `\`${query.name}\` is not supported.`);
}

/** How a date is read must be known before anything runs: not every system's directions are read alike. */
function checkDateFormat({ args: [format] }: Call, environment: Environment, lowering: Lowering): void {
  for (const value of constantsOf(format!, environment, lowering, "A date format")) {
    const fault = typeof value === "string" ? dateFormatFault(value) : undefined;
    if (fault !== undefined) refuse("unsupported", format!, `This date format cannot be read: ${fault}.`);
  }
}

/** A function of the library: the input, if it looks at it, and its arguments, of which the last varies slowest. */
function ordered(
  name: string,
  input: readonly Expression[],
  args: readonly Expression[],
  lowering: Lowering,
): Expression {
  if (args.length < 2 || args.every(isTotal)) return call(name, ...input, ...args);
  const names = args.map(() => freshName("argument", lowering));
  const body = call(name, ...input, ...names.map((each) => variable(each)));
  return args.reduce((inside, value, i) => bind(names[i]!, value, inside), body);
}

/** Makes a call of lowered arguments. */
type Make = (args: readonly Expression[], query: Call, lowering: Lowering) => Expression;

const iteration: Expression = { kind: "iterate", source: identity, optional: false };

/** Whether an output of a query is true: of a condition for each of the generator's outputs. */
const someOf = (generator: Expression, condition: Expression): Expression => call("truthy", pipe(generator, condition));
const everyOf = (generator: Expression, condition: Expression): Expression =>
  call("not", call("truthy", pipe(pipe(generator, condition), call("not", identity))));

/** The functions that the core says itself. */
const coreFunctions: ReadonlyMap<Signature, Make> = new Map<Signature, Make>([
  ["empty/0", () => comma()],
  ["error/0", () => call("error", identity)],
  ["error/1", ([value]) => call("error", value!)],
  ["path/1", ([body]) => ({ kind: "path", body: body! })],
  ["first/1", ([stream]) => call("first", stream!)],
  ["last/1", ([stream]) => call("last", stream!)],
  ["limit/2", ([count, stream]) => call("limit", count!, stream!)],
  ["skip/2", ([count, stream]) => call("skip", count!, stream!)],
  ["range/1", ([upTo]) => call("range", literal(0), upTo!, literal(1))],
  ["range/2", ([from, upTo]) => call("range", from!, upTo!, literal(1))],
  ["range/3", ([from, upTo, by]) => call("range", from!, upTo!, by!)],
  ["recurse/0", () => ({ kind: "recurse", body: { ...iteration, kind: "iterate", source: identity, optional: true } })],
  ["recurse/1", ([body]) => ({ kind: "recurse", body: body! })],
  ["isempty/1", ([stream]) => call("not", call("exists", stream!))],
  ["any/0", () => someOf(iteration, identity)],
  ["any/1", ([condition]) => someOf(iteration, condition!)],
  ["any/2", ([generator, condition]) => someOf(generator!, condition!)],
  ["all/0", () => everyOf(iteration, identity)],
  ["all/1", ([condition]) => everyOf(iteration, condition!)],
  ["all/2", ([generator, condition]) => everyOf(generator!, condition!)],
  ["infinite/0", () => call("infinite")],
  ["nan/0", () => call("nan")],
  ["have_decnum/0", () => literal(false)],
  ["have_literal_numbers/0", () => literal(true)],
  [
    "now/0",
    (_, query, { now }) => now ?? refuse("unsupported", query, "`now` is the clock of a run, and there is none here."),
  ],
  [
    "toarray/0",
    () =>
      conditional({ kind: "binary", operator: "==", left: call("type", identity), right: literal("array") }, identity, {
        kind: "array",
        items: identity,
      }),
  ],
  ["format/1", ([name]) => call("format", identity, name!)],
]);
