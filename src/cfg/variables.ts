import { canFail, type Expression, freeVariables, simplify } from "../expressions/index.ts";
import { assignedVariables, exits, handlersOf, innerScopes, ownExpressions, retriesOf } from "../ir/walk.ts";
import type { Attempt, ForEach, Fork, Scope, Step } from "../ir/workflow.ts";

/** A step as the flow of values sees it: what it reads, and where it leads with which variables set. Bodies of attempts are part of the flow around them. */
export interface DataFlowNode {
  readonly step: Step;
  readonly reads: ReadonlySet<string>;
  readonly edges: readonly DataFlowEdge[];
}

/** A way from a step to another. */
export interface DataFlowEdge {
  readonly to: string;
  /** Variables that have a new value on it. */
  readonly sets: readonly string[];
  /** What sets them, where it is not the step itself: a handler of a step, or an attempt whose body ends here. */
  readonly definedBy?: { readonly owner: string; readonly handler?: number | undefined } | undefined;
  /** Variables that are put back to what they were before the attempt: their values do not go this way. */
  readonly restored?: ReadonlySet<string> | undefined;
}

/** What a step reads that its expressions do not show, on a platform where it does. */
export type ImplicitReads = (step: Step) => readonly string[];

const noImplicitReads: ImplicitReads = () => [];

/** All steps of a scope and of the attempts in it, by their ids. */
export function createDataFlowGraph(
  scope: Scope,
  hidden: ImplicitReads = noImplicitReads,
): ReadonlyMap<string, DataFlowNode> {
  const points = new Map<string, DataFlowNode>();
  addNodes(scope, [], points, hidden);
  return points;
}

/** The variables that a scope takes from those around it, be it for its first values. */
export function outerReads(scope: Scope, hidden: ImplicitReads = noImplicitReads): ReadonlySet<string> {
  const reads = new Set(stepReads(scope, hidden));
  for (const { initial } of scope.variables) if (initial) for (const name of freeVariables(initial)) reads.add(name);
  return reads;
}

/** The variables that the steps of a scope take from those around it. */
export function stepReads(scope: Scope, hidden: ImplicitReads = noImplicitReads): ReadonlySet<string> {
  const reads = new Set(
    scope.steps.flatMap((step) => [
      ...readsOf(step, hidden),
      ...(step.kind === "attempt" ? stepReads(step.body, hidden) : []),
    ]),
  );
  for (const { name } of scope.variables) reads.delete(name);
  return reads;
}

/** For each step the variables that it, or a step after it, reads before they are set. */
export type Liveness = ReadonlyMap<string, LiveSet>;

/** The variables that are live at a place. */
export interface LiveSet extends Iterable<string> {
  has(variable: string): boolean;
}

/** Finds them by going backward: a step has its turn again whenever more is live after it. A variable is a bit: of many most are live in most places. */
export function computeLiveness(points: ReadonlyMap<string, DataFlowNode>): Liveness {
  const bits = numberVariables(points);
  const live = new Map([...points].map(([id, { reads }]) => [id, bitsOf(reads, bits)]));
  const before = new Map<string, [Uint32Array, Uint32Array][]>();
  const idOf = new Map([...live].map(([id, words]) => [words, id]));
  for (const [id, { edges }] of points) {
    for (const { to, sets } of edges) {
      const edge: [Uint32Array, Uint32Array] = [live.get(id)!, bitsOf(sets, bits)];
      if (before.get(to)?.push(edge) === undefined) before.set(to, [edge]);
    }
  }
  const pending = new Set([...points.keys()].reverse());
  for (const id of pending) {
    pending.delete(id);
    for (const [there, sets] of before.get(id) ?? [])
      if (addDifference(there, live.get(id)!, sets)) pending.add(idOf.get(there)!);
  }
  const names = [...bits.keys()];
  return new Map(Array.from(live, ([id, words]) => [id, liveSetOf(words, bits, names)]));
}

/** A number for each variable that is read. */
function numberVariables(points: ReadonlyMap<string, DataFlowNode>): ReadonlyMap<string, number> {
  const bits = new Map<string, number>();
  for (const { reads } of points.values()) for (const name of reads) if (!bits.has(name)) bits.set(name, bits.size);
  return bits;
}

function bitsOf(names: Iterable<string>, bits: ReadonlyMap<string, number>): Uint32Array {
  const words = new Uint32Array(Math.ceil(bits.size / 32));
  for (const name of names) {
    const bit = bits.get(name);
    if (bit !== undefined) words[bit >> 5]! |= 1 << (bit & 31);
  }
  return words;
}

/** Adds to a set all of another but some; whether that is more. */
function addDifference(set: Uint32Array, other: Uint32Array, some: Uint32Array): boolean {
  let isMore = false;
  for (let i = 0; i < set.length; i++) {
    const word = set[i]!;
    set[i] = word | (other[i]! & ~some[i]!);
    if (set[i] !== word) isMore = true;
  }
  return isMore;
}

const liveSetOf = (words: Uint32Array, bits: ReadonlyMap<string, number>, names: readonly string[]): LiveSet => ({
  has(variable) {
    const bit = bits.get(variable);
    return bit !== undefined && ((words[bit >> 5]! >>> (bit & 31)) & 1) === 1;
  },
  *[Symbol.iterator]() {
    for (const [i, word] of words.entries())
      for (let rest = word, bit = i << 5; rest !== 0; rest >>>= 1, bit++) if (rest & 1) yield names[bit]!;
  },
});

/** `attempts`: those around the scope whose bodies it belongs to, outermost first. */
function addNodes(
  scope: Scope,
  attempts: readonly Attempt[],
  points: Map<string, DataFlowNode>,
  hidden: ImplicitReads,
): void {
  for (const step of scope.steps) {
    points.set(step.id, {
      step,
      reads: readsOf(step, hidden),
      edges: [...successEdges(step, attempts), ...errorEdges(step, attempts)],
    });
    if (step.kind === "attempt") addNodes(step.body, [...attempts, step], points, hidden);
  }
}

function successEdges(step: Step, attempts: readonly Attempt[]): readonly DataFlowEdge[] {
  if (step.kind === "attempt") return [{ to: step.body.entry.name, sets: [] }];
  if (step.kind === "end") {
    const around = attempts.at(-1);
    const goesOn = around && step.outcome === "leave" && step.extent === "scope";
    return goesOn
      ? [
          {
            to: around.next.name,
            sets: around.bind === undefined ? [] : [around.bind],
            definedBy: { owner: around.id },
          },
        ]
      : [];
  }
  const sets =
    step.kind === "assign"
      ? step.values.map(({ variable }) => variable)
      : "bind" in step && step.bind !== undefined
        ? [step.bind]
        : [];
  return exits(step).map(({ name }) => ({ to: name, sets }));
}

/** Where an error of a step may lead: to its handlers, to those of the attempts around it, and to new attempts. */
function errorEdges(step: Step, attempts: readonly Attempt[]): readonly DataFlowEdge[] {
  const handled = (owner: Step): readonly DataFlowEdge[] =>
    handlersOf(owner).map(({ next, bind }, index) => ({
      to: next.name,
      sets: bind === undefined ? [] : [bind],
      definedBy: { owner: owner.id, handler: index },
    }));
  const again = ({ retries, body, restore }: Attempt): readonly DataFlowEdge[] =>
    retries.length === 0 ? [] : [{ to: body.entry.name, sets: [], restored: new Set(restore) }];
  return [...handled(step), ...attempts.flatMap((attempt) => [...handled(attempt), ...again(attempt)])];
}

function readsOf(step: Step, hidden: ImplicitReads): ReadonlySet<string> {
  const reads = new Set(ownExpressions(step).flatMap((expression) => [...freeVariables(expression)]));
  if (step.kind === "receive") reads.delete("event");
  if (step.kind === "call") for (const { bind } of step.secrets ?? []) reads.delete(bind);
  for (const name of hidden(step)) reads.add(name);
  for (const { when } of [...retriesOf(step), ...handlersOf(step)])
    for (const name of freeVariables(when)) if (name !== "error") reads.add(name);
  if (step.kind === "fork" || step.kind === "foreach") for (const name of innerReads(step, hidden)) reads.add(name);
  return reads;
}

/** What branches and iterations read of the variables around their step: an iteration has its element and its index itself. */
function innerReads(step: Fork | ForEach, hidden: ImplicitReads): ReadonlySet<string> {
  const reads = new Set(innerScopes(step).flatMap((scope) => [...outerReads(scope, hidden)]));
  if (step.kind === "foreach")
    for (const name of [step.element, step.index]) if (name !== undefined) reads.delete(name);
  return reads;
}

/**
 * The variables of a scope that only ever count: each value given to them is a number, or computed from numbers and from what they were, and
 * they are given one before they are read. `live`: what is read before it is given a value.
 */
export function counterVariables(steps: readonly Step[], live: LiveSet): ReadonlySet<string> {
  const values = new Map<string, Expression[]>();
  const others = new Set<string>();
  for (const step of steps) {
    if (step.kind !== "assign") for (const name of assignedVariables(step)) others.add(name);
    else for (const { variable, value } of step.values) addTo(values, variable, value);
  }
  const counting = [...values].filter(
    ([name, given]) =>
      !others.has(name) && !live.has(name) && given.every((value) => isNumeric(value, new Set([name]))),
  );
  return new Set(counting.map(([name]) => name));
}

/** The variables of a scope that hold errors only: handlers bind them, nothing else sets them, and before that they are not read. */
export function errorVariables(steps: readonly Step[], live: LiveSet): ReadonlySet<string> {
  const bound = new Set(
    steps.flatMap((step) => handlersOf(step).flatMap(({ bind }) => (bind === undefined ? [] : [bind]))),
  );
  for (const step of steps) {
    if (step.kind === "assign") for (const { variable } of step.values) bound.delete(variable);
    else if ("bind" in step && step.bind !== undefined) bound.delete(step.bind);
  }
  for (const name of live) bound.delete(name);
  return bound;
}

function addTo(values: Map<string, Expression[]>, name: string, value: Expression): void {
  const known = values.get(name);
  if (known) known.push(value);
  else values.set(name, [value]);
}

/** Whether an expression may fail where these variables hold numbers. */
export const mayFail = (expression: Expression, counters: ReadonlySet<string>): boolean =>
  canFail(simplify(expression)) && !isNumeric(expression, counters);

function isNumeric(expression: Expression, counters: ReadonlySet<string>): boolean {
  if (expression.kind === "literal") return typeof expression.value === "number";
  if (expression.kind === "variable") return counters.has(expression.name);
  if (expression.kind === "if") {
    return (
      !canFail(expression.condition) &&
      isNumeric(expression.then, counters) &&
      isNumeric(expression.otherwise, counters)
    );
  }
  if (expression.kind !== "binary" || !["+", "-", "*"].includes(expression.operator)) return false;
  return isNumeric(expression.left, counters) && isNumeric(expression.right, counters);
}
