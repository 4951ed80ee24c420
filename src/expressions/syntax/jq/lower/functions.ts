import { effectsOf, isTotal, outputs } from "../../../analysis/effects.ts";
import { lookUp } from "../../../analysis/substitute.ts";
import type { Expression } from "../../../core/ast.ts";
import {
  binary,
  bind,
  call,
  callLocal,
  collect,
  comma,
  conditional,
  identity,
  iterate,
  literal,
  pathsOf,
  pipe,
  recurse,
  variable,
} from "../../../core/build.ts";
import { dateFormatError, inexactFunctions, library, listFunctions } from "../../../library/registry.ts";
import { isParseError } from "../../cursor.ts";
import type { Signature } from "../names.ts";
import { parseJq } from "../parse.ts";
import type { Call, Definition, Jq } from "../syntax.ts";
import { childrenOf } from "../walk.ts";
import { lower } from "./query.ts";
import { constantArguments, lowerRegexCall, regexFunctions } from "./regex.ts";
import {
  emptyScope,
  type FunctionBinding,
  freshName,
  type LoweringContext,
  type LoweringScope,
  reject,
  withFunction,
  withFurtherUse,
  withVariable,
} from "./scope.ts";

/** Lowers `def f(…): B; R`; inlines it if it is small or called once. */
export function lowerDefinition(definition: Definition, scope: LoweringScope, lowering: LoweringContext): Expression {
  const { name, parameters, rest } = definition;
  const signature: Signature = `${name}/${parameters.length}`;
  if (countCalls(rest, signature) === 0) return lower(rest, scope, lowering);
  if (isInlined(definition))
    return lower(
      rest,
      withFunction(scope, signature, { kind: "inline", definition, scope: withFurtherUse(scope) }),
      lowering,
    );
  const own = freshName(name, lowering);
  const inside = withFunction(scope, signature, { kind: "function", name: own });
  return {
    kind: "define",
    name: own,
    ...lowerFunction(definition, withFurtherUse(inside), lowering),
    rest: lower(rest, inside, lowering),
  };
}

/** Lowers a call of a parameter, definition or builtin. */
export function lowerCall(query: Call, scope: LoweringScope, lowering: LoweringContext): Expression {
  const meaning = lookUp(scope.functions, `${query.name}/${query.args.length}`);
  return meaning ? lowerBoundCall(meaning, query, scope, lowering) : lowerBuiltin(query, scope, lowering);
}

function lowerBuiltin(query: Call, scope: LoweringScope, lowering: LoweringContext): Expression {
  const signature: Signature = `${query.name}/${query.args.length}`;
  const part = (argument: Jq) => lower(argument, scope, lowering);
  if (signature === "range/3") return lowerRange(query, scope, lowering);
  const core = coreFunctions.get(signature);
  if (core) return core(query.args.map(part), query, lowering);
  if (regexFunctions.has(signature)) return lowerRegexCall(query, scope, lowering);
  const inlined = preludeDefinition(hasManyKeys(query, part) ? "INDEX/2 of many" : signature);
  if (inlined) return lowerInline(inlined, emptyScope, query.args, scope, lowering);
  if (signature === "strptime/1") checkDateFormat(query, scope, lowering);
  const known = library.get(`${query.name}/${query.args.length + 1}`);
  if (inexactFunctions.has(`${query.name}/${query.args.length + 1}`))
    lowering.warn(
      query.start,
      query.end,
      `The last digit of \`${query.name}\` depends on the engine and may differ from jq's.`,
    );
  if (known) return libraryCall(query.name, known.ignoresInput ? [] : [identity], query.args.map(part), lowering);
  if (listFunctions.has(signature.replace(/\d+$/, (count) => String(Number(count) + 1))))
    return {
      kind: "iterate",
      source: libraryCall(query.name, [identity], query.args.map(part), lowering),
      optional: false,
    };
  return reject("unsupported", query, `\`${query.name}\` is not supported.`);
}

/** Then the keys are paths, which is slower. */
const hasManyKeys = ({ name, args: [, key] }: Call, part: (argument: Jq) => Expression): boolean =>
  name === "INDEX" && key !== undefined && outputs(part(key)) !== "one";

/** jq's `range` accepts any values; the core's only numbers. */
function lowerRange(query: Call, scope: LoweringScope, lowering: LoweringContext): Expression {
  const args = query.args.map((argument) => lower(argument, scope, lowering));
  const [from, upTo, by] = args as [Expression, Expression, Expression];
  const isWritten = (bound: Expression) => bound.kind === "literal" && typeof bound.value === "number";
  const goesUp = by.kind === "literal" && typeof by.value === "number" && by.value > 0;
  const counts = isWritten(from) && isWritten(by) && (goesUp ? effectsOf(upTo).type === "number" : isWritten(upTo));
  return counts
    ? call("range", from, upTo, by)
    : lowerInline(preludeDefinition("range/3")!, emptyScope, query.args, scope, lowering);
}

/** C libraries parse some formats differently, so they must be constant. */
function checkDateFormat({ args: [format] }: Call, scope: LoweringScope, lowering: LoweringContext): void {
  for (const value of constantArguments(format!, scope, lowering, "A date format")) {
    const reason = typeof value === "string" ? dateFormatError(value) : undefined;
    if (reason !== undefined) reject("unsupported", format!, `This date format is not supported: ${reason}.`);
  }
}

/** As in jq, the last argument varies slowest. */
function libraryCall(
  name: string,
  input: readonly Expression[],
  args: readonly Expression[],
  lowering: LoweringContext,
): Expression {
  if (args.length < 2 || args.every(isTotal)) return call(name, ...input, ...args);
  const names = args.map(() => freshName("argument", lowering));
  const body = call(name, ...input, ...names.map((each) => variable(each)));
  return args.reduce((inside, value, i) => bind(names[i]!, value, inside), body);
}

type CallLowering = (args: readonly Expression[], query: Call, lowering: LoweringContext) => Expression;

const iteration: Expression = { kind: "iterate", source: identity, optional: false };

const someOf = (generator: Expression, condition: Expression): Expression => call("truthy", pipe(generator, condition));

const everyOf = (generator: Expression, condition: Expression): Expression =>
  call("not", call("truthy", pipe(pipe(generator, condition), call("not", identity))));

/** Functions with a counterpart in the core. */
const coreFunctions: ReadonlyMap<Signature, CallLowering> = new Map<Signature, CallLowering>([
  ["empty/0", () => comma()],
  ["error/0", () => call("error", identity)],
  ["error/1", ([value]) => call("error", value!)],
  ["path/1", ([body]) => pathsOf(body!)],
  ["first/1", ([stream]) => call("first", stream!)],
  ["last/1", ([stream]) => call("last", stream!)],
  ["limit/2", ([count, stream]) => call("limit", count!, stream!)],
  ["skip/2", ([count, stream]) => call("skip", count!, stream!)],
  ["range/1", ([upTo]) => call("range", literal(0), upTo!, literal(1))],
  ["range/2", ([from, upTo]) => call("range", from!, upTo!, literal(1))],
  ["recurse/0", () => recurse(iterate(identity, true))],
  ["recurse/1", ([body]) => recurse(body!)],
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
    (_, query, { now }) =>
      now ?? reject("unsupported", query, "`now` is the clock of a run, which is not available here."),
  ],
  ["toarray/0", () => conditional(binary("==", call("type", identity), literal("array")), identity, collect(identity))],
  ["format/1", ([name]) => call("format", identity, name!)],
]);

function lowerFunction(
  { parameters, body }: Definition,
  inside: LoweringScope,
  lowering: LoweringContext,
): { readonly parameters: readonly string[]; readonly body: Expression } {
  const names = parameters.map(({ name }) => freshName(name, lowering));
  const called = parameters.reduce(
    (known, { name }, i) => withFunction(known, `${name}/0`, { kind: "function", name: names[i]! }),
    inside,
  );
  return {
    parameters: names,
    body: withValues(parameters, (i) => callLocal(names[i]!, []), body, called, lowering),
  };
}

/** The first parameter varies slowest. */
function withValues(
  parameters: Definition["parameters"],
  argument: (index: number) => Expression,
  body: Jq,
  scope: LoweringScope,
  lowering: LoweringContext,
): Expression {
  const from = (index: number, known: LoweringScope): Expression => {
    const parameter = parameters[index];
    if (!parameter) return lower(body, known, lowering);
    if (!parameter.byValue) return from(index + 1, known);
    const name = freshName(parameter.name, lowering);
    return bind(name, argument(index), from(index + 1, withVariable(known, parameter.name, variable(name))));
  };
  return from(0, scope);
}

function lowerBoundCall(
  meaning: FunctionBinding,
  { args, start, end }: Call,
  scope: LoweringScope,
  lowering: LoweringContext,
): Expression {
  if (meaning.kind === "given")
    return meaning.make(
      args.map((arg) => lower(arg, scope, lowering)),
      start,
      end,
    );
  if (meaning.kind === "argument") return lower(meaning.query, meaning.scope, lowering);
  if (meaning.kind === "inline") return lowerInline(meaning.definition, meaning.scope, args, scope, lowering);
  return callLocal(
    meaning.name,
    args.map((arg) => lower(arg, scope, lowering)),
  );
}

function lowerInline(
  { parameters, body }: Pick<Definition, "parameters" | "body">,
  definedIn: LoweringScope,
  args: readonly Jq[],
  scope: LoweringScope,
  lowering: LoweringContext,
): Expression {
  const inside = parameters.reduce(
    (known, { name }, i) => withFunction(known, `${name}/0`, { kind: "argument", query: args[i]!, scope }),
    definedIn,
  );
  return withValues(parameters, (i) => lower(args[i]!, scope, lowering), body, inside, lowering);
}

/** jq functions defined in jq, inlined at their calls. */
const prelude: ReadonlyMap<string, string> = new Map([
  ["map/1", "def map(f): [.[] | f]; ."],
  ["map_values/1", "def map_values(f): .[] |= f; ."],
  ["select/1", "def select(f): if f then . else empty end; ."],
  ["values/0", "def values: if . == null then empty else . end; ."],
  ["nulls/0", "def nulls: if . == null then . else empty end; ."],
  ["booleans/0", 'def booleans: if type == "boolean" then . else empty end; .'],
  ["numbers/0", 'def numbers: if type == "number" then . else empty end; .'],
  ["strings/0", 'def strings: if type == "string" then . else empty end; .'],
  ["arrays/0", 'def arrays: if type == "array" then . else empty end; .'],
  ["objects/0", 'def objects: if type == "object" then . else empty end; .'],
  ["iterables/0", 'def iterables: if type | . == "array" or . == "object" then . else empty end; .'],
  ["scalars/0", 'def scalars: if type | . == "array" or . == "object" then empty else . end; .'],
  ["finites/0", "def finites: if isfinite then . else empty end; ."],
  ["normals/0", "def normals: if isnormal then . else empty end; ."],
  ["add/1", "def add(f): reduce f as $item (null; . + $item); ."],
  ["in/1", "def in(all): . as $key | all | has($key); ."],
  ["inside/1", "def inside(all): . as $part | all | contains($part); ."],
  ["with_entries/1", "def with_entries(f): to_entries | [.[] | f] | from_entries; ."],
  ["recurse/2", "def recurse(f; condition): recurse(f | if condition then . else empty end); ."],
  ["repeat/1", "def repeat(f): range(0; infinite) as $turn | f; ."],
  [
    "while/2",
    "def while(condition; f): if condition then recurse(f | if condition then . else empty end) else empty end; .",
  ],
  ["until/2", "def until(condition; f): def next: if condition then . else f | next end; next; ."],
  [
    "range/3",
    `def range($from; $upTo; $by):
       if $by > 0 then $from | while(. < $upTo; . + $by) elif $by < 0 then $from | while(. > $upTo; . + $by) else empty end; .`,
  ],
  ["paths/0", "def paths: path(..) | if . == [] then empty else . end; ."],
  ["paths/1", "def paths(f): path(.. | if f then . else empty end) | if . == [] then empty else . end; ."],
  ["del/1", "def del(places): delpaths([path(places)]); ."],
  ["pick/1", "def pick(places): . as $all | reduce path(places) as $at (null; setpath($at; $all | getpath($at))); ."],
  [
    "walk/1",
    'def walk(f): def each: (if type == "object" then .[] |= each elif type == "array" then [.[] | each] else . end) | f; each; .',
  ],
  ["nth/1", "def nth($index): .[$index]; ."],
  [
    "nth/2",
    'def nth($index; f): if $index < 0 then error("nth doesn\'t support negative indices") else first(skip($index; f)) end; .',
  ],
  ["first/0", "def first: .[0]; ."],
  ["last/0", "def last: .[-1]; ."],
  ["IN/1", "def IN(all): any(all == .; .); ."],
  ["IN/2", "def IN(some; all): any(some == all; .); ."],
  ["INDEX/1", "def INDEX(f): INDEX(.[]; f); ."],
  ["INDEX/2", "def INDEX(rows; f): reduce rows as $row ({}; . + {($row | f | tostring): $row}); ."],
  ["INDEX/2 of many", "def INDEX(rows; f): reduce rows as $row ({}; .[$row | f | tostring] |= $row); ."],
  ["JOIN/2", "def JOIN($index; f): [.[] | [., $index[f]]]; ."],
  ["JOIN/3", "def JOIN($index; rows; f): rows | [., $index[f]]; ."],
  ["JOIN/4", "def JOIN($index; rows; f; join): rows | [., $index[f]] | join; ."],
  ["sort_by/1", "def sort_by(f): _sort_by_impl([.[] | [f]]); ."],
  ["group_by/1", "def group_by(f): _group_by_impl([.[] | [f]]); ."],
  ["unique_by/1", "def unique_by(f): _unique_by_impl([.[] | [f]]); ."],
  ["min_by/1", "def min_by(f): _min_by_impl([.[] | [f]]); ."],
  ["max_by/1", "def max_by(f): _max_by_impl([.[] | [f]]); ."],
  ["combinations/1", "def combinations(count): . as $all | [range(count) | $all] | combinations; ."],
  [
    "fromstream/1",
    `def fromstream(events):
       foreach events as $event ({whole: null, done: false};
         (if .done then {whole: null, done: false} else . end)
         | if $event | length == 2
           then (.whole |= ([.] | setpath([0] + $event[0]; $event[1]) | .[0])) | .done = ($event[0] | length == 0)
           else .done = ($event[0] | length == 1) end;
         if .done then .whole else empty end); .`,
  ],
  [
    "truncate_stream/1",
    `def truncate_stream(events): . as $depth | null | events
       | if .[0] | length > $depth then setpath([0]; .[0][$depth:]) else empty end; .`,
  ],
]);

function preludeDefinition(signature: string): Definition | undefined {
  const text = prelude.get(signature);
  if (text === undefined) return undefined;
  const query = parseJq(text);
  if (isParseError(query) || query.kind !== "definition") throw new Error(`The definition of ${signature} is broken.`);
  return query;
}

function countCalls(query: Jq, signature: Signature): number {
  const own = query.kind === "call" && `${query.name}/${query.args.length}` === signature ? 1 : 0;
  const inside = childrenOf(query).reduce((count, child) => count + countCalls(child, signature), own);
  return query.kind === "definition" && countCalls(query.body, signature) > 0 ? inside + 1 : inside;
}

const maxInlinedSize = 40;

/** Not recursive, no argument used twice, and called once or small and without calls of other definitions. */
function isInlined({ name, parameters, body, rest }: Definition): boolean {
  const signature: Signature = `${name}/${parameters.length}`;
  if (countCalls(body, signature) > 0) return false;
  const uses = (parameter: (typeof parameters)[number]) =>
    countCalls(body, `${parameter.name}/0`) + (parameter.byValue ? 1 : 0);
  if (parameters.some((parameter) => uses(parameter) > 1)) return false;
  return countCalls(rest, signature) <= 1 || (measure(body) <= maxInlinedSize && !mayCallDefinition(body, parameters));
}

const measure = (query: Jq): number => childrenOf(query).reduce((size, child) => size + measure(child), 1);

function mayCallDefinition(body: Jq, parameters: Definition["parameters"]): boolean {
  if (body.kind === "definition") return true;
  if (body.kind === "call" && body.args.length > 0) return true;
  return childrenOf(body).some((child) => mayCallDefinition(child, parameters));
}
