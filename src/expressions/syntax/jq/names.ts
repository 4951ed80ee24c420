import { didYouMean, nearestName, truncate } from "../../../text/messages.ts";
import type { Break, Call, Definition, Jq, Label, Pattern, Variable } from "./syntax.ts";
import { childrenOf, keysOf, variablesOf } from "./walk.ts";

/** An unknown name, or one that Waybill does not support. */
export interface NameError {
  readonly category: "unknown" | "unsupported";
  readonly from: number;
  readonly to: number;
  readonly message: string;
  readonly hint?: string | undefined;
}

/**
 * Resolves every function, variable and label; returns all errors in source order. As in jq, definitions that are never
 * called are not checked. Linear and recursive.
 */
export function checkNames(
  query: Jq,
  globals: readonly string[] = [],
  functions: Iterable<Signature> = [],
): readonly NameError[] {
  const program: CodeUnit = { errors: [], calls: [] };
  const scope: NameScope = { functions: new Map(), variables: new Map(), labels: new Map(), hints: maxHints };
  for (const name of globals) bind(scope.variables, name, true);
  for (const signature of functions) bind(scope.functions, signature, "parameter");
  visit(query, scope, program);
  const reached = new Set([program]);
  for (const code of reached) for (const callee of code.calls) reached.add(callee);
  return [...reached].flatMap(({ errors: faults }) => faults).sort((a, b) => a.from - b.from);
}

/** A function's name and arity, as in `limit/2`. */
export type Signature = `${string}/${number}`;

/** The callable functions of jq 1.8.2. */
export const builtins: ReadonlySet<Signature> = signatures(`
  IN/1 IN/2 INDEX/1 INDEX/2 JOIN/2 JOIN/3 JOIN/4 abs/0 acos/0 acosh/0 add/0 add/1 all/0 all/1 all/2 any/0 any/1 any/2 arrays/0
  ascii_downcase/0 ascii_upcase/0 asin/0 asinh/0 atan/0 atan2/2 atanh/0 booleans/0 bsearch/1 builtins/0 capture/1 capture/2 cbrt/0 ceil/0
  combinations/0 combinations/1 contains/1 copysign/2 cos/0 cosh/0 del/1 delpaths/1 drem/2 empty/0 endswith/1 erf/0 erfc/0 error/0 error/1
  exp/0 exp10/0 exp2/0 explode/0 expm1/0 fabs/0 fdim/2 finites/0 first/0 first/1 flatten/0 flatten/1 floor/0 fma/3 fmax/2 fmin/2 fmod/2
  format/1 frexp/0 from_entries/0 fromdate/0 fromdateiso8601/0 fromjson/0 fromstream/1 gamma/0 getpath/1 gmtime/0 group_by/1 gsub/2 gsub/3
  has/1 have_decnum/0 have_literal_numbers/0 hypot/2 implode/0 in/1 index/1 indices/1 infinite/0 inside/1 isempty/1 isfinite/0 isinfinite/0
  isnan/0 isnormal/0 iterables/0 j0/0 j1/0 jn/2 join/1 keys/0 keys_unsorted/0 last/0 last/1 ldexp/2 length/0 lgamma/0 lgamma_r/0 limit/2
  localtime/0 log/0 log10/0 log1p/0 log2/0 logb/0 ltrim/0 ltrimstr/1 map/1 map_values/1 match/1 match/2 max/0 max_by/1 min/0 min_by/1
  mktime/0 modf/0 nan/0 nearbyint/0 nextafter/2 nexttoward/2 normals/0 not/0 now/0 nth/1 nth/2 nulls/0 numbers/0 objects/0 path/1 paths/0
  paths/1 pick/1 pow/2 range/1 range/2 range/3 recurse/0 recurse/1 recurse/2 remainder/2 repeat/1 reverse/0 rindex/1 rint/0 round/0 rtrim/0
  rtrimstr/1 scalars/0 scalb/2 scalbln/2 scan/1 scan/2 select/1 setpath/2 significand/0 sin/0 sinh/0 skip/2 sort/0 sort_by/1 split/1 split/2
  splits/1 splits/2 sqrt/0 startswith/1 strflocaltime/1 strftime/1 strings/0 strptime/1 sub/2 sub/3 tan/0 tanh/0 test/1 test/2 tgamma/0
  to_entries/0 toboolean/0 todate/0 todateiso8601/0 tojson/0 tonumber/0 tostream/0 tostring/0 transpose/0 trim/0 trimstr/1 trunc/0
  truncate_stream/1 type/0 unique/0 unique_by/1 until/2 utf8bytelength/0 values/0 walk/1 while/2 with_entries/1 y0/0 y1/0 yn/2
`);

/** A function that jq's `builtins` omits. */
export const unlistedFunctions: ReadonlySet<Signature> = signatures("_strindices/1");

/** Undocumented functions that jq's definitions use. */
export const internalFunctions: ReadonlySet<Signature> = signatures(`
  _plus/2 _minus/2 _multiply/2 _divide/2 _mod/2 _equal/2 _notequal/2 _less/2 _greater/2 _lesseq/2 _greatereq/2 _negate/0 _assign/2 _modify/2
  _match_impl/3 _flatten/1 _min_by_impl/1 _max_by_impl/1 _sort_by_impl/1 _group_by_impl/1 _unique_by_impl/1
`);

/** Functions that need files or an environment, with the reason for rejection. */
export const unsupportedFunctions: ReadonlyMap<Signature, UnsupportedReason> = new Map<Signature, UnsupportedReason>([
  ["input/0", { why: "reads the next input, and an expression has only one" }],
  ["inputs/0", { why: "reads all further inputs, and an expression has only one" }],
  ["input_filename/0", { why: "names the input file, and a workflow has none" }],
  ["input_line_number/0", { why: "returns a position in the input file, and a workflow has none" }],
  ["env/0", { why: "returns the environment of the jq command, and a workflow has none" }],
  [
    "debug/0",
    {
      why: "writes to the jq command's error output, and a workflow has none",
      hint: "Remove it: it returns its input unchanged.",
    },
  ],
  [
    "debug/1",
    {
      why: "writes to the jq command's error output, and a workflow has none",
      hint: "Remove it: it returns its input unchanged.",
    },
  ],
  [
    "stderr/0",
    {
      why: "writes to the jq command's error output, and a workflow has none",
      hint: "Remove it: it returns its input unchanged.",
    },
  ],
  ["halt/0", { why: "ends the jq command, which a workflow does not use", hint: "To return nothing, write `empty`." }],
  ["halt_error/0", { why: "ends the jq command, which a workflow does not use", hint: "To fail, write `error`." }],
  ["halt_error/1", { why: "ends the jq command, which a workflow does not use", hint: "To fail, write `error`." }],
  ["modulemeta/0", { why: "reads jq modules, and a workflow has none" }],
  ["get_search_list/0", { why: "returns jq's module search path, and a workflow has none" }],
  ["get_jq_origin/0", { why: "returns the location of the jq command, which a workflow does not use" }],
  ["get_prog_origin/0", { why: "returns the location of the program's file, and a workflow has none" }],
]);

interface CodeUnit {
  readonly errors: NameError[];
  readonly calls: CodeUnit[];
}

/** Each name has a stack of meanings. */
interface NameScope {
  readonly functions: Map<Signature, (CodeUnit | "parameter")[]>;
  readonly variables: Map<string, true[]>;
  readonly labels: Map<string, true[]>;
  hints: number;
}

/** Each suggestion scans all names. */
const maxHints = 50;

function bind<K, T>(names: Map<K, T[]>, name: K, meaning: T): void {
  const meanings = names.get(name);
  if (meanings) meanings.push(meaning);
  else names.set(name, [meaning]);
}

function release<K, T>(names: Map<K, T[]>, name: K): void {
  const meanings = names.get(name);
  if (meanings?.length === 1) names.delete(name);
  else meanings?.pop();
}

function visit(query: Jq, scope: NameScope, code: CodeUnit): void {
  switch (query.kind) {
    case "definition":
      visitDefinition(query, scope, code);
      break;
    case "label":
      visitLabel(query, scope, code);
      break;
    case "binding":
      visitPatterns(query.source, query.patterns, [query.body], scope, code);
      break;
    case "reduce":
      visit(query.initial, scope, code);
      visitPatterns(query.source, query.patterns, [query.update], scope, code);
      break;
    case "foreach":
      visit(query.initial, scope, code);
      visitPatterns(
        query.source,
        query.patterns,
        query.extract ? [query.update, query.extract] : [query.update],
        scope,
        code,
      );
      break;
    default:
      checkName(query, scope, code);
      for (const child of childrenOf(query)) visit(child, scope, code);
  }
}

function checkName(query: Jq, scope: NameScope, code: CodeUnit): void {
  if (query.kind === "variable") checkVariable(query, scope, code);
  else if (query.kind === "break") checkBreak(query, scope, code);
  else if (query.kind === "call") checkCall(query, scope, code);
}

function visitLabel({ name, body }: Label, scope: NameScope, code: CodeUnit): void {
  bind(scope.labels, name, true);
  visit(body, scope, code);
  release(scope.labels, name);
}

function visitPatterns(
  source: Jq,
  patterns: readonly Pattern[],
  bodies: readonly Jq[],
  scope: NameScope,
  code: CodeUnit,
): void {
  visit(source, scope, code);
  for (const key of patterns.flatMap(keysOf)) visit(key, scope, code);
  const variables = variablesOf(patterns);
  for (const name of variables) bind(scope.variables, name, true);
  for (const body of bodies) visit(body, scope, code);
  for (const name of variables) release(scope.variables, name);
}

function visitDefinition({ name, parameters, body, rest }: Definition, scope: NameScope, code: CodeUnit): void {
  const own: CodeUnit = { errors: [], calls: [] };
  const signature: Signature = `${name}/${parameters.length}`;
  bind(scope.functions, signature, own);
  for (const parameter of parameters) {
    bind(scope.functions, `${parameter.name}/0`, "parameter");
    if (parameter.byValue) bind(scope.variables, parameter.name, true);
  }
  visit(body, scope, own);
  for (const parameter of parameters) {
    release(scope.functions, `${parameter.name}/0`);
    if (parameter.byValue) release(scope.variables, parameter.name);
  }
  visit(rest, scope, code);
  release(scope.functions, signature);
}

function checkCall({ name, args, start }: Call, scope: NameScope, code: CodeUnit): void {
  const signature: Signature = `${name}/${args.length}`;
  const meaning = scope.functions.get(signature)?.at(-1);
  if (meaning !== undefined && meaning !== "parameter") code.calls.push(meaning);
  if (meaning !== undefined || builtins.has(signature) || unlistedFunctions.has(signature)) return;
  const place = { from: start, to: start + name.length };
  const refusal = unsupportedFunctions.get(signature);
  if (refusal)
    code.errors.push({ category: "unsupported", ...place, message: `\`${name}\` ${refusal.why}.`, hint: refusal.hint });
  else if (internalFunctions.has(signature))
    code.errors.push({ category: "unsupported", ...place, message: `\`${name}\` is internal to jq.` });
  else code.errors.push({ category: "unknown", ...place, ...unknownFunction(name, args.length, scope) });
}

function unknownFunction(name: string, count: number, scope: NameScope): Pick<NameError, "message" | "hint"> {
  const message = `Unknown function \`${truncate(name)}\`.`;
  if (name.includes("::")) return { message, hint: "jq modules are not supported." };
  if (scope.hints-- <= 0) return { message };
  const known = [...scope.functions.keys(), ...builtins];
  const counts = known
    .filter((signature) => signature.startsWith(`${name}/`))
    .map((signature) => Number(signature.slice(name.length + 1)));
  if (counts.length === 0) return { message, hint: suggestion(name, count, known) };
  const sorted = [...new Set(counts)].sort((a, b) => a - b);
  return {
    message: `\`${truncate(name)}\` takes ${arityText(sorted)}, not ${count === 0 ? "none" : count}.`,
    hint: count === 1 ? hintForOne(truncate(name), sorted) : undefined,
  };
}

/** A plain word is often a member without its dot. */
function suggestion(name: string, count: number, known: readonly Signature[]): string | undefined {
  const candidates = count === 0 ? known.filter((signature) => signature.endsWith("/0")) : known;
  const near = didYouMean(name, new Set(candidates.map((signature) => signature.slice(0, signature.indexOf("/")))));
  return near ?? (count === 0 ? `Write \`.${truncate(name)}\` for the member of that name.` : undefined);
}

const arityText = (counts: readonly number[]): string => {
  const words = counts.map((count) => (count === 0 ? "no" : String(count)));
  const list = words.length > 1 ? `${words.slice(0, -1).join(", ")} or ${words.at(-1)}` : words.join();
  return `${list} ${counts.at(-1) === 1 ? "argument" : "arguments"}`;
};

function hintForOne(name: string, counts: readonly number[]): string | undefined {
  if (counts.at(-1) === 0) return `It takes its value as input: \`… | ${name}\`.`;
  return counts.some((count) => count > 1) ? `Separate arguments by \`;\`: \`${name}(…; …)\`.` : undefined;
}

function checkVariable({ name, start, end }: Variable, scope: NameScope, code: CodeUnit): void {
  if (scope.variables.has(name)) return;
  if (name === "ENV") {
    const message = "`$ENV` is the environment of the jq command, and a workflow has none.";
    code.errors.push({ category: "unsupported", from: start, to: end, message });
    return;
  }
  const hint = name.includes("::") ? "jq modules are not supported." : suggestName(name, scope.variables, scope);
  code.errors.push({
    category: "unknown",
    from: start,
    to: end,
    message: `Unknown variable \`$${truncate(name)}\`.`,
    hint,
  });
}

function checkBreak({ name, start, end }: Break, scope: NameScope, code: CodeUnit): void {
  if (scope.labels.has(name)) return;
  const shown = `$${truncate(name)}`;
  const confused = scope.variables.has(name)
    ? `\`${shown}\` is a variable. Define a label with \`label ${shown} | …\`.`
    : undefined;
  const hint = suggestName(name, scope.labels, scope) ?? confused;
  code.errors.push({
    category: "unknown",
    from: start,
    to: end,
    message: `Unknown label \`${shown}\`.`,
    hint,
  });
}

function suggestName(name: string, known: ReadonlyMap<string, unknown>, scope: NameScope): string | undefined {
  const near = scope.hints-- > 0 ? nearestName(name, known.keys()) : undefined;
  return near === undefined ? undefined : `Did you mean \`$${near}\`?`;
}

interface UnsupportedReason {
  readonly why: string;
  readonly hint?: string | undefined;
}

function signatures(list: string): ReadonlySet<Signature> {
  return new Set(list.trim().split(/\s+/) as Signature[]);
}
