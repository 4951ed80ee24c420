import type { Jsonata, SourceRange } from "../syntax/jsonata/syntax.ts";
import { childrenOf } from "../syntax/jsonata/walk.ts";
import { jsonataFreeVariables } from "./analysis.ts";

/** A read of `$states`, with the names that follow it. */
export interface StatesRead extends SourceRange {
  readonly names: readonly string[];
  /** Where `$states` ends, and each name. */
  readonly ends: readonly number[];
}

/** The reads of `$states` in an expression: `$states.input.id` reads `["input", "id"]`. */
export function statesReads(node: Jsonata): readonly StatesRead[] {
  return jsonataFreeVariables(node).includes("states") ? readsIn(node) : [];
}

function readsIn(node: Jsonata): readonly StatesRead[] {
  const chain = chainOf(node);
  if (!chain) return childrenOf(node).flatMap(readsIn);
  const { names, ends, inner } = chain;
  return [{ names, ends, start: node.start, end: node.end }, ...inner.flatMap(readsIn)];
}

interface Chain {
  readonly names: readonly string[];
  readonly ends: readonly number[];
  /** Whether the next step is a name of the same value. */
  readonly isOpen: boolean;
  /** Predicates and the like of its steps. */
  readonly inner: readonly Jsonata[];
}

function chainOf(node: Jsonata): Chain | undefined {
  if (node.kind === "variable" && node.name === "states")
    return { names: [], ends: [node.end], isOpen: true, inner: [] };
  if (node.kind !== "map") return undefined;
  const left = chainOf(node.left);
  if (!left) return undefined;
  const step = nameOfStep(node.right);
  const inner = [...left.inner, ...partsOf(node.right)];
  if (!left.isOpen || !step) return { ...left, isOpen: false, inner };
  const isOpen = step === node.right;
  const name = step.kind === "name" ? step.name : step.value;
  return { names: [...left.names, name], ends: [...left.ends, step.end], isOpen, inner };
}

/** The name that a step selects first. */
function nameOfStep(step: Jsonata): Extract<Jsonata, { readonly kind: "name" | "string" }> | undefined {
  switch (step.kind) {
    case "name":
    case "string":
      return step;
    case "filter":
    case "keepArray":
    case "sort":
    case "group":
    case "focus":
    case "index":
      return nameOfStep(step.target);
    default:
      return undefined;
  }
}

const partsOf = (step: Jsonata): readonly Jsonata[] =>
  nameOfStep(step) === undefined ? [step] : childrenOf(step).flatMap((part) => partsOf(part));

/** A call of a function without effects whose value differs each time. */
export interface DrawnCall extends SourceRange {
  readonly name: "random" | "uuid";
  /** It may be evaluated several times, or is a value that something else calls. */
  readonly isRepeated: boolean;
}

/** The calls of `$uuid()` and of `$random()` without a seed, in the order of the source. */
export function drawnCalls(node: Jsonata): readonly DrawnCall[] {
  const free = jsonataFreeVariables(node);
  return free.includes("random") || free.includes("uuid") ? drawsIn(node, false) : [];
}

function drawsIn(node: Jsonata, isRepeated: boolean): readonly DrawnCall[] {
  const { start, end } = node;
  if (node.kind === "variable" && isDrawn(node.name)) return [{ name: node.name, isRepeated: true, start, end }];
  if (node.kind === "call" && node.procedure.kind === "variable" && isDrawn(node.procedure.name)) {
    const { name } = node.procedure;
    const args = node.args.flatMap((arg) => (arg.kind === "placeholder" ? [] : drawsIn(arg, isRepeated)));
    if (name === "random" && node.args.length > 0) return args;
    return [{ name, isRepeated, start, end }, ...args];
  }
  const [first, ...rest] = childrenOf(node);
  if (!first) return [];
  const repeatsAll = node.kind === "lambda" || node.kind === "transform" || node.kind === "fallback";
  const repeatsRest = repeatsAll || ["map", "filter", "sort", "group"].includes(node.kind);
  return [
    ...drawsIn(first, isRepeated || repeatsAll),
    ...rest.flatMap((child) => drawsIn(child, isRepeated || repeatsRest)),
  ];
}

const isDrawn = (name: string): name is DrawnCall["name"] => name === "random" || name === "uuid";

/** Whether an expression reads the time. */
export const readsTime = (node: Jsonata): boolean =>
  jsonataFreeVariables(node).some((name) => name === "now" || name === "millis" || name === "toMillis");
