import { assertNever } from "../../../../json.ts";
import { effectsOf, outputs } from "../../../analysis/effects.ts";
import { lookUp, substitute } from "../../../analysis/substitute.ts";
import type { Expression } from "../../../core/ast.ts";
import { bind, collect, comma, foreach, identity, literal, pipe, reduce, variable } from "../../../core/build.ts";
import { childrenOf } from "../../../core/walk.ts";
import type { Foreach, Jq, Pattern, PatternEntry, Reduce, VariableBinding } from "../syntax.ts";
import { variablesOf } from "../walk.ts";
import { lower } from "./query.ts";
import { freshName, type LoweringContext, type LoweringScope, reject, withFurtherUse, withVariable } from "./scope.ts";

type BodyBuilder = (scope: LoweringScope) => Expression;

/** Lowers `S as P | B`. With `?//`, tries the next pattern if one or B fails. */
export function lowerBinding(query: VariableBinding, scope: LoweringScope, lowering: LoweringContext): Expression {
  const { source, patterns, body } = query;
  const then: BodyBuilder = (inside) => lower(body, inside, lowering);
  const value = lower(source, withFurtherUse(scope), lowering);
  if (patterns.length > 1 && !scope.isLast)
    reject("unsupported", query, alternativesMessage, "Collect the outputs with `[…]` before using them.");
  if (patterns.length === 1) return destructure(patterns[0]!, value, scope, lowering, then);
  const name = freshName("value", lowering);
  const dot = freshName("dot", lowering);
  const known = bindNulls(patterns, scope);
  const tries = patterns.map((pattern) => destructure(pattern, variable(name), { ...scope, ...known }, lowering, then));
  const choice = tries.reduceRight(
    (rest, one): Expression => ({ kind: "try", body: one, handler: pipe(variable(dot), rest) }),
  );
  return bind(name, value, bind(dot, identity, choice));
}

/** jq tries the next pattern even if a consumer fails or breaks. */
const alternativesMessage = "`?//` is supported only if the expression does not use its outputs further.";

/** Variables of other patterns are null. */
function bindNulls(patterns: readonly Pattern[], scope: LoweringScope): LoweringScope {
  return variablesOf(patterns).reduce((known, name) => withVariable(known, name, literal(null)), scope);
}

function destructure(
  pattern: Pattern,
  value: Expression,
  scope: LoweringScope,
  lowering: LoweringContext,
  then: BodyBuilder,
): Expression {
  return bindPattern(pattern, value, { keyScope: scope, lowering }, scope, then);
}

interface PatternContext {
  readonly keyScope: LoweringScope;
  readonly lowering: LoweringContext;
}

/** As in jq, elements from last to first and members from first to last. */
function bindPattern(
  pattern: Pattern,
  value: Expression,
  taking: PatternContext,
  known: LoweringScope,
  then: BodyBuilder,
): Expression {
  switch (pattern.kind) {
    case "variable": {
      const name = freshName(pattern.name, taking.lowering);
      return bind(name, value, then(withFirst(known, pattern.name, variable(name), taking)));
    }
    case "array":
      return bindWhole(value, taking, (whole) => {
        const element = (i: number) => accessTo(whole, literal(i));
        const downFrom = (i: number, so: LoweringScope): Expression =>
          i < 0 ? then(so) : bindPattern(pattern.items[i]!, element(i), taking, so, (next) => downFrom(i - 1, next));
        return downFrom(pattern.items.length - 1, known);
      });
    case "object":
      return bindWhole(value, taking, (whole) => {
        const from = (i: number, so: LoweringScope): Expression =>
          i === pattern.entries.length
            ? then(so)
            : bindMember(pattern.entries[i]!, whole, taking, so, (next) => from(i + 1, next));
        return from(0, known);
      });
    default:
      return assertNever(pattern);
  }
}

function bindMember(
  entry: PatternEntry,
  whole: Expression,
  taking: PatternContext,
  known: LoweringScope,
  then: BodyBuilder,
): Expression {
  const key = lower(entry.key, withFurtherUse(taking.keyScope), taking.lowering);
  const member = accessTo(whole, effectsOf(key).usesInput ? pipe(whole, key) : key);
  const { variable: own, pattern } = entry;
  if (own === undefined) return bindPattern(pattern!, member, taking, known, then);
  const name = freshName(own, taking.lowering);
  const inside = withFirst(known, own, variable(name), taking);
  return bind(name, member, pattern ? bindPattern(pattern, variable(name), taking, inside, then) : then(inside));
}

/** Of equal names in a pattern, the one bound first wins. */
const withFirst = (
  known: LoweringScope,
  name: string,
  value: Expression,
  { keyScope: before }: PatternContext,
): LoweringScope =>
  lookUp(known.variables, name) === lookUp(before.variables, name) ? withVariable(known, name, value) : known;

const accessTo = (source: Expression, key: Expression): Expression => ({
  kind: "access",
  source,
  key,
  optional: false,
});

function bindWhole(
  value: Expression,
  { lowering }: PatternContext,
  use: (whole: Expression) => Expression,
): Expression {
  if (value.kind === "variable") return use(value);
  const name = freshName("whole", lowering);
  return bind(name, value, use(variable(name)));
}

/** Lowers `reduce S as P (I; U)`. Destructuring moves into the source, which then yields arrays of values. */
export function lowerReduce(query: Reduce, scope: LoweringScope, lowering: LoweringContext): Expression {
  const { source, name, inside, taken } = lowerSource(query, scope, lowering);
  const initial = lower(query.initial, scope, lowering);
  if (outputs(initial) === "many" && effectsOf(source).usesInput)
    reject(
      "unsupported",
      query.initial,
      "`reduce` with several initial states is not supported if its source reads the input.",
      "Bind the initial states to a variable first.",
    );
  return reduce(source, name, initial, taken(lower(query.update, inside, lowering)));
}

/** Lowers `foreach S as P (I; U; E)` likewise. */
export function lowerForeach(query: Foreach, scope: LoweringScope, lowering: LoweringContext): Expression {
  const { source, name, inside, taken } = lowerSource(query, scope, lowering);
  const initial = lower(query.initial, scope, lowering);
  const update = taken(lower(query.update, inside, lowering));
  const extract = query.extract ? taken(lower(query.extract, inside, lowering)) : identity;
  return foreach(source, name, initial, update, extract);
}

function lowerSource(
  query: Jq & { readonly source: Jq; readonly patterns: readonly Pattern[] },
  scope: LoweringScope,
  lowering: LoweringContext,
): {
  readonly source: Expression;
  readonly name: string;
  readonly inside: LoweringScope;
  readonly taken: (part: Expression) => Expression;
} {
  const [pattern, ...others] = query.patterns;
  if (others.length > 0)
    reject(
      "unsupported",
      query,
      "`?//` in `reduce` and `foreach` is not supported.",
      "Destructure the values in the update.",
    );
  const source = lower(query.source, scope, lowering);
  if (pattern!.kind === "variable") {
    const name = freshName(pattern!.name, lowering);
    return { source, name, inside: withVariable(scope, pattern!.name, variable(name)), taken: (part) => part };
  }
  const names = [...new Set(variablesOf([pattern!]))];
  const values = (known: LoweringScope) => collect(comma(...names.map((each) => lookUp(known.variables, each)!)));
  const name = freshName("values", lowering);
  const own = names.map((each) => freshName(each, lowering));
  const inside = names.reduce((known, each, i) => withVariable(known, each, variable(own[i]!)), scope);
  const taken = (part: Expression) => withElements(part, own, variable(name));
  return { source: destructure(pattern!, source, scope, lowering, values), name, inside, taken };
}

/** In path mode, an access would be a path step, so variables are bound instead. */
function withElements(part: Expression, names: readonly string[], list: Expression): Expression {
  const elements = names.map((each, i) => [each, accessTo(list, literal(i))] as const);
  return usesPaths(part)
    ? elements.reduceRight((body, [each, element]) => bind(each, element, body), part)
    : substitute(part, new Map(elements));
}

const usesPaths = (part: Expression): boolean =>
  (part.kind === "call" && !part.isLocal && (part.name === "path" || part.name === "update")) ||
  childrenOf(part).some((child) => usesPaths(child.expression));
