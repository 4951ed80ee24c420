import { minJsonBytes, spanOfLargePart } from "../../src/expressions/index.ts";
import { exits, handlersOf, innerScopes, ownExpressions, scopesOf } from "../../src/ir/walk.ts";
import type { ForEach, Fork, Scope, Step, Workflow } from "../../src/ir/workflow.ts";
import type { Report } from "../../src/text/diagnostics.ts";
import { groupDigits, truncate } from "../../src/text/messages.ts";
import { byteLength } from "../../src/text/source.ts";
import * as messages from "./diagnostics/kinds.ts";
import { constantLength } from "./legalize/distribute-loops.ts";

/** The maximum size of a state's input and output, in bytes. */
const maxDataBytes = 262_144;

/** Reports values, and collected results of branches and iterations, that exceed that size in every run. */
export function checkSizes(workflow: Workflow, report: Report): void {
  for (const step of scopesOf(workflow).flatMap(({ scope }) => scope.steps)) checkExpressions(step, report);
  if (mayCollectMuch(workflow)) checkCollections(workflow.body, new Map(), report);
}

function checkExpressions(step: Step, report: Report): void {
  for (const each of ownExpressions(step)) {
    const bytes = minJsonBytes(each);
    if (bytes <= maxDataBytes) continue;
    const construct = `a value of at least ${groupDigits(bytes)} bytes`;
    report(messages.aslInexact(spanOfLargePart(each, maxDataBytes) ?? step.span, { construct, hint }));
  }
}

const hint = `What a state takes and gives has at most ${groupDigits(maxDataBytes)}.`;

/** Whether constants, as often as loops over constant lists repeat them, can exceed the size at all. */
function mayCollectMuch(workflow: Workflow): boolean {
  const steps = scopesOf(workflow).flatMap(({ scope }) => scope.steps);
  const loops = steps.filter((step) => step.kind === "foreach");
  if (loops.length === 0 && steps.every(({ kind }) => kind !== "fork")) return false;
  const times = loops.reduce((product, { items }) => product * Math.max(1, constantLength(items) ?? 1), 1);
  return workflow.span.source.text.length * times > maxDataBytes;
}

/** Lower bounds of the sizes of variables. Variables that are not listed are unknown. */
type VariableSizes = ReadonlyMap<string, number>;

/** Reports steps of a scope that collect too much. */
function checkCollections(scope: Scope, outer: VariableSizes, report: Report): void {
  const { before } = sizesWithin(scope, outer);
  for (const step of scope.steps) {
    const known = before.get(step.id);
    if (!known) continue;
    const bytes = step.kind === "fork" || step.kind === "foreach" ? collectedBytes(step, known) : undefined;
    if (bytes !== undefined && Number.isFinite(bytes) && bytes > maxDataBytes) {
      const what = step.kind === "fork" ? "branches" : "iterations";
      const construct = `results of the ${what} of \`${truncate(step.origin.name)}\`, which have at least ${groupDigits(bytes)} bytes`;
      report(messages.aslInexact(step.span, { construct, hint }));
    }
    for (const inner of innerScopes(step)) checkCollections(inner, sizesInside(step, known), report);
  }
}

/** The size of the value that a step binds; undefined if it is unknown or nothing is bound. */
function collectedBytes(step: Fork | ForEach, known: VariableSizes): number | undefined {
  if (step.bind === undefined) return undefined;
  const inside = sizesInside(step, known);
  if (step.kind === "foreach") {
    const length = constantLength(step.items);
    const { result } = sizesWithin(step.scope, inside);
    return length === undefined || length === 0 ? undefined : 2 + length * (result + 1) - 1;
  }
  if (step.join.kind !== "all" || step.failure === "spare") return undefined;
  const members = step.branches.map(
    ({ name, scope }) => byteLength(JSON.stringify(name)) + 1 + sizesWithin(scope, inside).result,
  );
  return members.reduce((sum, size) => sum + size, 2 + members.length - 1);
}

/** An iteration reads its element, and the steps of an attempt begin again when it is retried. */
function sizesInside(step: Step, known: VariableSizes): VariableSizes {
  if (step.kind === "foreach") return without(known, [step.element, step.index]);
  return step.kind === "attempt" ? without(known, assignedIn(step.body)) : known;
}

interface ScopeSizes {
  /** The sizes before each step that may be reached. */
  readonly before: ReadonlyMap<string, VariableSizes>;
  /** A lower bound of the value with which the scope ends; infinite if it never does, unknown outside its window. */
  readonly result: number;
}

/** How often the sizes before a step may change until they count as unknown. */
const maxChanges = 5;

function sizesWithin(scope: Scope, outer: VariableSizes): ScopeSizes {
  const steps = new Map(scope.steps.map((step) => [step.id, step]));
  const initial = scope.variables.flatMap(({ name, initial: value }) =>
    value ? [[name, minJsonBytes(value, (variable) => outer.get(variable))] as const] : [],
  );
  const others = without(
    outer,
    scope.variables.map(({ name }) => name),
  );
  const before = new Map<string, VariableSizes>([[scope.entry.name, new Map([...others, ...initial])]]);
  const changes = new Map<string, number>();
  const pending = [scope.entry.name];
  const join = (name: string, sizes: VariableSizes): void => {
    const known = before.get(name);
    const joined = known ? smallest(known, sizes) : sizes;
    if (known && isSame(known, joined)) return;
    const count = (changes.get(name) ?? 0) + 1;
    changes.set(name, count);
    before.set(name, count > maxChanges ? new Map() : joined);
    pending.push(name);
  };
  for (let id = pending.pop(); id !== undefined; id = pending.pop()) {
    const step = steps.get(id)!;
    const known = before.get(id)!;
    const after = sizesAfter(step, known);
    for (const { name } of exits(step)) join(name, after);
    for (const { next, bind } of handlersOf(step)) join(next.name, without(sizesInside(step, known), [bind]));
  }
  const results = scope.steps.flatMap((step) => {
    const known = before.get(step.id);
    if (!known || step.kind !== "end" || step.outcome === "fail" || step.extent === "run") return [];
    return minJsonBytes(step.value, (name) => known.get(name));
  });
  return { before, result: scope.window ? 1 : Math.min(...results) };
}

function sizesAfter(step: Step, known: VariableSizes): VariableSizes {
  if (step.kind === "assign") {
    const sizes = step.values.map(
      ({ variable, value }) => [variable, minJsonBytes(value, (name) => known.get(name))] as const,
    );
    return new Map([...known, ...sizes]);
  }
  const kept = step.kind === "attempt" ? sizesInside(step, known) : known;
  if (!("bind" in step) || step.bind === undefined) return kept;
  const collected = step.kind === "fork" || step.kind === "foreach" ? collectedBytes(step, known) : undefined;
  const others = without(kept, [step.bind]);
  return collected === undefined ? others : new Map([...others, [step.bind, collected]]);
}

/** The variables that the steps of a scope assign, and those of the attempts within it. */
const assignedIn = ({ steps }: Scope): readonly (string | undefined)[] =>
  steps.flatMap((step) => [
    ...(step.kind === "assign" ? step.values.map(({ variable }) => variable) : []),
    ...("bind" in step ? [step.bind] : []),
    ...handlersOf(step).map(({ bind }) => bind),
    ...(step.kind === "attempt" ? assignedIn(step.body) : []),
  ]);

const without = (sizes: VariableSizes, names: readonly (string | undefined)[]): VariableSizes => {
  const removed = new Set(names);
  return new Map([...sizes].filter(([name]) => !removed.has(name)));
};

const smallest = (a: VariableSizes, b: VariableSizes): VariableSizes =>
  new Map([...a].flatMap(([name, size]) => (b.has(name) ? [[name, Math.min(size, b.get(name)!)] as const] : [])));

const isSame = (a: VariableSizes, b: VariableSizes): boolean =>
  a.size === b.size && [...a].every(([name, size]) => b.get(name) === size);
