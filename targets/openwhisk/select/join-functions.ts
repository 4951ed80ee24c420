import { createNames, identifierStyle } from "../../../src/ir/names.ts";
import { allNames, declaredNames, type JsNode, js, mapNodes, referencesName } from "../../../src/js-ast/index.ts";
import type { Json } from "../../../src/json.ts";
import type { DraftState, StateFunction, StateOperation } from "./state-builder.ts";
import { mayReturn, namesOf, statementsOf } from "./state-functions.ts";
import { byLabelOf, countReferences, draftAt } from "./state-graph.ts";
import { computeStateLiveness, type StateLiveness } from "./state-liveness.ts";

/**
 * Joins consecutive functions, also over the `Push` and `Catch` between them:
 *
 *   (params) => { result = unwrap(params); }, () => { data = result; }, Push → Push, (params) => { …; data = result; }
 *
 * `isPlain`: the params that a `Push` saves are never an error, because Composer would raise it.
 */
export function joinFunctions(
  drafts: readonly DraftState[],
  entries: ReadonlySet<string>,
  symbols: ReadonlySet<string>,
  isPlain: boolean,
): readonly DraftState[] {
  const liveness = computeStateLiveness(drafts, entries, symbols);
  const byLabel = byLabelOf(drafts);
  const counts = countReferences(drafts, entries);
  const only = (label: string | undefined): DraftState | undefined =>
    label !== undefined && counts.get(label) === 1 ? byLabel.get(label) : undefined;
  const errors = isPlain ? statesWithErrors(byLabel, entries) : new Set<string>();
  const joiner: Joiner = { byLabel, only, liveness, errors };
  for (const { label } of drafts) {
    let at: string | undefined = label;
    while (at !== undefined) at = joinOnce(at, joiner);
  }
  return drafts.flatMap(({ label }) => byLabel.get(label) ?? []);
}

interface Joiner {
  readonly byLabel: Map<string, DraftState>;
  readonly liveness: StateLiveness;
  /** The states that may not save their params. */
  readonly errors: ReadonlySet<string>;
  /** A state with one reference to it. */
  only(label: string | undefined): DraftState | undefined;
}

/** The states whose params may have a member `error`: they are the input of the run, or that of a handler. */
function statesWithErrors(drafts: ReadonlyMap<string, DraftState>, entries: Iterable<string>): ReadonlySet<string> {
  const found = new Set(entries);
  for (const { operation } of drafts.values()) if (operation.kind === "try") found.add(operation.handler);
  for (const label of found) {
    const { operation, next } = draftAt(drafts, label);
    if (next !== undefined && ["let", "try", "pass"].includes(operation.kind)) found.add(next);
  }
  return found;
}

/** Joins a function with what follows it. Returns the label of a function that may be joined further. */
function joinOnce(label: string, joiner: Joiner): string | undefined {
  const { byLabel, only } = joiner;
  const current = byLabel.get(label);
  const next = current && only(current.next);
  if (!next || current.operation.kind !== "function") return undefined;
  const { body } = current.operation;
  if (next.operation.kind === "push" || next.operation.kind === "catch") {
    const successor = only(next.next);
    return (
      successor &&
      (next.operation.kind === "push"
        ? joinOverPush(current, body, next, successor, joiner)
        : joinOverCatch(current, body, next, successor, joiner))
    );
  }
  const joint = joinOperations(body, next, joiner);
  if (!joint) return undefined;
  byLabel.delete(next.label);
  byLabel.set(label, { ...current, ...namesOfJoint(current, next), operation: joint, next: next.next });
  return label;
}

/** The input of a run is read by the function of its first step. */
const namesOfJoint = (first: DraftState, second: DraftState): Pick<DraftState, "name" | "isOpening"> =>
  first.isOpening === true ? { name: second.name, isOpening: second.isOpening } : { name: first.name };

/** The `Push` comes first: the params that it saves are not read, because the function has no result. */
function joinOverPush(
  { label }: DraftState,
  body: StateFunction,
  push: DraftState,
  successor: DraftState,
  joiner: Joiner,
): string | undefined {
  if (joiner.errors.has(label)) return undefined;
  const joint = joinOperations(body, successor, joiner);
  if (!joint) return undefined;
  joiner.byLabel.delete(push.label);
  joiner.byLabel.set(label, { ...push, label });
  joiner.byLabel.set(successor.label, { ...successor, operation: joint });
  return undefined;
}

/** A function that cannot fail may be evaluated before or after the `Catch`. */
function joinOverCatch(
  current: DraftState,
  body: StateFunction,
  end: DraftState,
  successor: DraftState,
  joiner: Joiner,
): string | undefined {
  const { byLabel, only } = joiner;
  const joint = isTotal(successor.operation) ? joinOperations(body, successor, joiner) : undefined;
  if (joint) {
    byLabel.delete(successor.label);
    byLabel.set(current.label, { ...current, operation: joint, next: end.label });
    byLabel.set(end.label, { ...end, next: successor.next });
    return current.label;
  }
  const target = successor.operation.kind === "push" ? only(successor.next) : successor;
  if (!isTotal(current.operation) || !target || !joinOperations(body, target, joiner)) return undefined;
  byLabel.set(current.label, { ...end, label: current.label, next: end.label });
  byLabel.set(end.label, { ...current, label: end.label, next: end.next });
  return end.label;
}

/** Whether a function never raises an error. */
function isTotal(operation: StateOperation): boolean {
  if (operation.kind !== "function") return false;
  const { lines, result, helpers, mayThrow } = operation.body;
  if (mayThrow || lines.some(mayReturn) || ![...helpers].every((name) => totalHelpers.has(name))) return false;
  if (result === undefined) return true;
  if (result.kind === "object")
    return result.members.every(
      (member) => member.kind === "property" && typeof member.key === "string" && member.key !== "error",
    );
  return result.kind === "call" && result.callee.kind === "identifier" && result.callee.name === "wrap";
}

/** Renames what a function declares and another one also does. */
function renameDeclared(body: StateFunction, other: StateFunction): StateFunction {
  const declared = new Set(other.lines.flatMap(declaredNames));
  const conflicts = body.lines.flatMap(declaredNames).filter((name) => declared.has(name));
  if (conflicts.length === 0) return body;
  const names = createNames([...allNames(statementsOf(body)), ...allNames(statementsOf(other))], identifierStyle);
  const renamed = new Map(conflicts.map((name) => [name, names.fresh(name)]));
  const rename = (node: JsNode): JsNode => {
    if (node.kind !== "identifier" && node.kind !== "functionDeclaration") return node;
    const name = renamed.get(node.name) ?? node.name;
    return node.kind === "identifier" ? { ...node, name } : { ...node, name };
  };
  return { ...body, lines: mapNodes(body.lines, rename), result: mapNodes(body.result, rename) };
}

const totalHelpers: ReadonlySet<string> = new Set(["wrap", "unwrap"]);

/**
 * Evaluates both operations in one state. If the second one fails, the assignments of the first are lost: no handler may
 * read them.
 */
function joinOperations(
  first: StateFunction,
  { label, operation: second }: DraftState,
  { liveness }: Joiner,
): StateOperation | undefined {
  if (first.result) return undefined;
  if (second.kind === "value") return { kind: "function", body: { ...first, result: js.value(second.value as Json) } };
  if (second.kind !== "function") return undefined;
  const { lines, result, helpers, canFail, mayThrow } = renameDeclared(second.body, first);
  const isRead = liveness.inHandler(label);
  if (canFail && [...namesOf(first).writes].some((name) => isRead.has(name))) return undefined;
  if (referencesName(statementsOf(second.body), "params")) return undefined;
  return {
    kind: "function",
    body: {
      lines: [...first.lines, ...lines],
      result,
      helpers: new Set([...first.helpers, ...helpers]),
      canFail: first.canFail || canFail,
      mayThrow: first.mayThrow || mayThrow,
    },
  };
}
