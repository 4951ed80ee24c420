import { assertNever } from "../../json.ts";
import { any, fuelOf, typeNameOf, typeOfValue } from "../../types/index.ts";
import { type Outputs, times } from "../builtins/builtin.ts";
import { builtinOf } from "../builtins/builtins.ts";
import { either } from "../builtins/operators.ts";
import type { Call, Expression, Query, Try } from "../core/ast.ts";
import { select } from "../core/select.ts";
import { readsInput } from "../core/views.ts";
import { childrenOf } from "../core/walk.ts";
import { type JqTypeName, typeOf } from "../library/types.ts";
import { type InferenceContext, inferUncached, type Outcome } from "./types.ts";

/** The number of outputs of an expression. */
export const outputs = (expression: Expression): Outputs => effectsOf(expression).outputs;

/** Whether an expression may fail, except by exceeding a limit. */
export const canFail = (expression: Expression): boolean => effectsOf(expression).canFail;

/** The error name of a failing builtin, if it has its own. */
export const errorNameOf = ({ name, args }: Call): string | undefined => builtinOf(name, args.length)?.errorName;

/** The free variables of an expression. */
export const freeVariables = (expression: Expression): ReadonlySet<string> =>
  new Set(effectsOf(expression).free.keys());

/** Whether an expression yields exactly one value without failing. */
export const isTotal = (expression: Expression): boolean => outputs(expression) === "one" && !canFail(expression);

/** Whether an expression or a part of it has a kind. Most walks look for a kind that few expressions contain. */
export const containsKind = (expression: Expression, kind: CountedKind): boolean =>
  expression.kind !== "literal" && (cachedEffects(expression).contents.kinds & kindBits[kind]) !== 0;

type CountedKind = keyof typeof kindBits;

const kindBits = { call: 1, dialect: 2, if: 4, try: 8 } as const;

/** The effects of an expression, computed lazily once per node. */
export const effectsOf = (expression: Expression): Effects =>
  expression.kind === "literal" ? effectsOfLiterals[typeOf(expression.value)] : cachedEffects(expression);

function cachedEffects(expression: Expression): LazyEffects {
  let facts = cache.get(expression);
  if (!facts) {
    facts = new LazyEffects(expression);
    cache.set(expression, facts);
  }
  return facts;
}

const cache = new WeakMap<Expression, LazyEffects>();

interface Effects extends Contents {
  readonly outputs: Outputs;
  readonly canFail: boolean;
  readonly type: JqTypeName | undefined;
}

/** What one walk over the parts of an expression finds. */
interface Contents {
  /** Counts the mentions of each free variable. */
  readonly free: ReadonlyMap<string, number>;
  readonly usesInput: boolean;
  readonly weight: Weight;
  /** The kinds of the expression and its parts, as `kindBits`. */
  readonly kinds: number;
}

interface Weight {
  readonly size: number;
  readonly depth: number;
}

/** A class, so that all nodes share the getters. */
class LazyEffects implements Effects {
  readonly #expression: Expression;
  #outputs: Outputs | undefined;
  #outcome: Outcome | undefined;
  #contents: Contents | undefined;

  constructor(expression: Expression) {
    this.#expression = expression;
  }

  get outputs(): Outputs {
    this.#outputs ??= deduced(this.#expression, "outputs", countOutputs);
    return this.#outputs;
  }

  get canFail(): boolean {
    return this.outcome.canFail;
  }

  get outcome(): Outcome {
    this.#outcome ??= deduced(this.#expression, "outcome", inferWithoutAssumptions);
    return this.#outcome;
  }

  get type(): JqTypeName | undefined {
    return typeNameOf(this.outcome.type);
  }

  get contents(): Contents {
    this.#contents ??= deduced(this.#expression, "contents", findContents);
    return this.#contents;
  }

  get free(): ReadonlyMap<string, number> {
    return this.contents.free;
  }

  get usesInput(): boolean {
    return this.contents.usesInput;
  }

  get weight(): Weight {
    return this.contents.weight;
  }

  get kinds(): number {
    return this.contents.kinds;
  }
}

/** How deep the computation of effects recurses before those of all descendants are computed without recursion. */
const maximumNesting = 200;
let nesting = 0;

/** Computes an effect from those of the children, however deep the expression is. */
function deduced<T>(expression: Expression, effect: keyof LazyEffects, compute: (expression: Expression) => T): T {
  const outer = nesting;
  if (outer === maximumNesting) {
    nesting = 0;
    for (const descendant of descendantsOf(expression)) void cachedEffects(descendant)[effect];
  }
  nesting += 1;
  try {
    return compute(expression);
  } finally {
    nesting = outer;
  }
}

/** The descendants of an expression, each once, children before their parents. */
function descendantsOf(expression: Expression): readonly Expression[] {
  const seen = new Set<Expression>();
  const ordered: Expression[] = [];
  const pending = [{ node: expression, isExpanded: false }];
  for (let next = pending.pop(); next; next = pending.pop()) {
    const { node, isExpanded } = next;
    if (isExpanded) {
      if (node !== expression) ordered.push(node);
    } else if (node.kind !== "literal" && !seen.has(node)) {
      seen.add(node);
      pending.push({ node, isExpanded: true });
      for (const child of childrenOf(node)) pending.push({ node: child.expression, isExpanded: false });
    }
  }
  return ordered;
}

const inferWithoutAssumptions = (expression: Expression): Outcome => inferUncached(expression, noAssumptions);

/** Results are cached in the effects of each node. */
const noAssumptions: InferenceContext = {
  input: any,
  variables: new Map(),
  fuel: fuelOf(Number.POSITIVE_INFINITY),
  cached: (expression) =>
    expression.kind === "literal"
      ? { type: typeOfValue(expression.value), isNonEmpty: true, canFail: false }
      : cachedEffects(expression).outcome,
};

const noVariables: ReadonlyMap<string, number> = new Map();

const leafContents: Contents = { free: noVariables, usesInput: false, weight: { size: 1, depth: 1 }, kinds: 0 };

function findContents(expression: Expression): Contents {
  const { kind } = expression;
  if (kind === "variable") return { ...leafContents, free: new Map([[expression.name, 1]]) };
  let size = 1;
  let depth = 0;
  let kinds: number = kind in kindBits ? kindBits[kind as CountedKind] : 0;
  let usesInput = kind === "identity" || (kind === "call" && readsInput(expression));
  // Shared with the only child that has variables.
  let free = noVariables;
  let own: Map<string, number> | undefined;
  for (const { expression: part, boundVariable, rebindsInput } of childrenOf(expression)) {
    const child = part.kind === "literal" ? leafContents : cachedEffects(part).contents;
    size += child.weight.size;
    depth = Math.max(depth, child.weight.depth);
    kinds |= child.kinds;
    usesInput ||= !rebindsInput && child.usesInput;
    if (child.free.size === 0) continue;
    if (!own && free.size === 0 && boundVariable === undefined) {
      free = child.free;
      continue;
    }
    own ??= new Map(free);
    for (const [name, count] of child.free) if (name !== boundVariable) own.set(name, (own.get(name) ?? 0) + count);
    free = own;
  }
  return { free, usesInput, weight: { size, depth: depth + 1 }, kinds };
}

const effectsOfLiterals: { readonly [type in JqTypeName]: Effects } = {
  null: literalEffects("null"),
  boolean: literalEffects("boolean"),
  number: literalEffects("number"),
  string: literalEffects("string"),
  array: literalEffects("array"),
  object: literalEffects("object"),
};

function literalEffects(type: JqTypeName): Effects {
  return { ...leafContents, outputs: "one", canFail: false, type };
}

function countOutputs(expression: Expression): Outputs {
  switch (expression.kind) {
    case "literal":
    case "identity":
    case "variable":
    case "array":
      return "one";
    case "query":
      return queryOutputs(expression);
    case "object":
      return childrenOutputs(expression);
    case "comma":
      return expression.items.map(commaItemOutputs).reduce(plus, "none");
    case "pipe":
      return times(outputs(expression.left), outputs(expression.right));
    case "let":
      return times(outputs(expression.value), outputs(expression.body));
    case "if":
      return times(outputs(expression.condition), either(outputs(expression.then), outputs(expression.otherwise)));
    case "call":
      return callOutputs(expression);
    case "access":
      return expression.optional ? either("none", childrenOutputs(expression)) : childrenOutputs(expression);
    case "iterate":
      return "many";
    case "fold":
      return expression.extract ? "many" : outputs(expression.initial);
    case "try":
      return tryOutputs(expression);
    case "label":
      return either("none", outputs(expression.body));
    case "break":
      return "none";
    case "define":
      return outputs(expression.rest);
    case "dialect":
      return times(childrenOutputs(expression), expression.dialect.outputs(expression.text));
    default:
      return assertNever(expression);
  }
}

const childrenOutputs = (expression: Expression): Outputs =>
  product(childrenOf(expression).map((child) => child.expression));

function tryOutputs({ body, handler }: Try): Outputs {
  return canFail(body) ? either(outputs(body), handler ? outputs(handler) : "none") : outputs(body);
}

/** An item that always fails may prevent all output. */
function commaItemOutputs(item: Expression): Outputs {
  const own = outputs(item);
  return own === "none" && canFail(item) ? "optional" : own;
}

function queryOutputs(expression: Query): Outputs {
  const { source, segments } = expression;
  const definite = segments.every(
    ({ descend, selectors }) => !descend && selectors.length === 1 && ["name", "index"].includes(selectors[0]!.kind),
  );
  if (!definite) return times(outputs(source), segments.length === 0 ? "one" : "many");
  if (source.kind === "literal") return select(source.value, segments, () => false).length === 0 ? "none" : "one";
  return times(outputs(source), "optional");
}

function callOutputs({ name, args, isLocal }: Call): Outputs {
  if (isLocal) return "many";
  const builtin = builtinOf(name, args.length);
  if (!builtin) return "many";
  return builtin.kind === "value" ? product(args) : builtin.outputs(args, outputs);
}

const product = (expressions: readonly Expression[]): Outputs => expressions.map(outputs).reduce(times, "one");

function plus(a: Outputs, b: Outputs): Outputs {
  if (a === "none") return b;
  return b === "none" ? a : "many";
}
