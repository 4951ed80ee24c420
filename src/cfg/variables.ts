import { canFail, type Expression, freeVariables, isBinary, simplify } from "../expressions/index.ts";
import { argumentVariables } from "../ir/callbacks.ts";
import { assignedVariables, exits, handlersOf, innerScopes, ownExpressions, retriesOf } from "../ir/walk.ts";
import type { Attempt, ForEach, Fork, Scope, Step } from "../ir/workflow.ts";

/** A step in the data flow graph. */
export interface DataFlowNode {
  readonly step: Step;
  readonly reads: ReadonlySet<string>;
  readonly edges: readonly DataFlowEdge[];
}

/** An edge between two steps. */
export interface DataFlowEdge {
  readonly to: string;
  readonly sets: readonly string[];
  /** A handler or an attempt, rather than the step. */
  readonly definedBy?: { readonly owner: string; readonly handler?: number | undefined } | undefined;
  readonly restored?: ReadonlySet<string> | undefined;
}

/** Variables that a platform reads in a step. */
export type ImplicitReads = (step: Step) => readonly string[];

const noImplicitReads: ImplicitReads = () => [];

/** Creates the data flow graph of a scope and its attempts. */
export function createDataFlowGraph(
  scope: Scope,
  implicitReads: ImplicitReads = noImplicitReads,
): ReadonlyMap<string, DataFlowNode> {
  const graph = new Map<string, DataFlowNode>();
  addNodes(scope, [], graph, implicitReads);
  return graph;
}

/** The outer variables that a scope reads, also in initial values. */
export function outerReads(scope: Scope, implicitReads: ImplicitReads = noImplicitReads): ReadonlySet<string> {
  const reads = new Set(stepReads(scope, implicitReads));
  for (const { initial } of scope.variables) if (initial) for (const name of freeVariables(initial)) reads.add(name);
  return reads;
}

/** The outer variables that the steps of a scope read. */
export function stepReads(scope: Scope, implicitReads: ImplicitReads = noImplicitReads): ReadonlySet<string> {
  const reads = new Set(
    scope.steps.flatMap((step) => [
      ...readsOf(step, implicitReads),
      ...(step.kind === "attempt" ? stepReads(step.body, implicitReads) : []),
    ]),
  );
  for (const { name } of scope.variables) reads.delete(name);
  return reads;
}

/** The live variables on entry to each step. */
export type Liveness = ReadonlyMap<string, LiveSet>;

/** A set of live variables. */
export interface LiveSet extends Iterable<string> {
  has(variable: string): boolean;
}

/** Computes liveness with a worklist and bit sets. */
export function computeLiveness(graph: ReadonlyMap<string, DataFlowNode>): Liveness {
  const bits = numberVariables(graph);
  const live = new Map([...graph].map(([id, { reads }]) => [id, bitsOf(reads, bits)]));
  const before = new Map<string, [Uint32Array, Uint32Array][]>();
  const idOf = new Map([...live].map(([id, words]) => [words, id]));
  for (const [id, { edges }] of graph) {
    for (const { to, sets } of edges) {
      const edge: [Uint32Array, Uint32Array] = [live.get(id)!, bitsOf(sets, bits)];
      if (before.get(to)?.push(edge) === undefined) before.set(to, [edge]);
    }
  }
  const pending = new Set([...graph.keys()].reverse());
  for (const id of pending) {
    pending.delete(id);
    for (const [there, sets] of before.get(id) ?? [])
      if (addDifference(there, live.get(id)!, sets)) pending.add(idOf.get(there)!);
  }
  const names = [...bits.keys()];
  return new Map(Array.from(live, ([id, words]) => [id, liveSetOf(words, bits, names)]));
}

function numberVariables(graph: ReadonlyMap<string, DataFlowNode>): ReadonlyMap<string, number> {
  const bits = new Map<string, number>();
  for (const { reads } of graph.values()) for (const name of reads) if (!bits.has(name)) bits.set(name, bits.size);
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

/** Returns whether the set changed. */
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

function addNodes(
  scope: Scope,
  attempts: readonly Attempt[],
  graph: Map<string, DataFlowNode>,
  implicitReads: ImplicitReads,
): void {
  for (const step of scope.steps) {
    graph.set(step.id, {
      step,
      reads: readsOf(step, implicitReads),
      edges: [...successEdges(step, attempts), ...errorEdges(step, attempts)],
    });
    if (step.kind === "attempt") addNodes(step.body, [...attempts, step], graph, implicitReads);
  }
}

function successEdges(step: Step, attempts: readonly Attempt[]): readonly DataFlowEdge[] {
  if (step.kind === "attempt") return [{ to: step.body.entry.name, sets: [] }];
  if (step.kind === "end") {
    const around = attempts.at(-1);
    const continues = around && step.outcome === "leave" && step.extent === "scope";
    return continues
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

function readsOf(step: Step, implicitReads: ImplicitReads): ReadonlySet<string> {
  const reads = new Set(ownExpressions(step).flatMap((expression) => [...freeVariables(expression)]));
  if (step.kind === "receive") reads.delete("event");
  if (step.kind === "call") for (const name of argumentVariables(step)) reads.delete(name);
  for (const name of implicitReads(step)) reads.add(name);
  for (const { when } of [...retriesOf(step), ...handlersOf(step)])
    for (const name of freeVariables(when)) if (name !== "error") reads.add(name);
  if (step.kind === "fork" || step.kind === "foreach")
    for (const name of innerReads(step, implicitReads)) reads.add(name);
  return reads;
}

function innerReads(step: Fork | ForEach, implicitReads: ImplicitReads): ReadonlySet<string> {
  const reads = new Set(innerScopes(step).flatMap((scope) => [...outerReads(scope, implicitReads)]));
  if (step.kind === "foreach")
    for (const name of [step.element, step.index]) if (name !== undefined) reads.delete(name);
  return reads;
}

/** Variables that always hold numbers. */
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

/** Variables that only handlers bind and that are not read before. */
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

/** Whether an expression may fail; `counters` hold numbers. */
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
  if (!isBinary(expression) || !["+", "-", "*"].includes(expression.name)) return false;
  return expression.args.every((operand) => isNumeric(operand, counters));
}
