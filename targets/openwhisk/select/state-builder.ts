import { createNames, type NameSpace } from "../../../src/ir/names.ts";
import type { Step } from "../../../src/ir/workflow.ts";
import type { Block, JsExpression as Code, ParameterDeclaration } from "../../../src/js-ast/index.ts";

/** A state without its final name. It refers to other states by label. */
export interface DraftState {
  readonly label: string;
  readonly name: string;
  readonly operation: StateOperation;
  /** Undefined if the operation determines the next state, or for the last state. */
  readonly next?: string | undefined;
  /** Whether it is what the first step needs: a function that is joined with it has the name of the step. */
  readonly isOpening?: boolean | undefined;
}

/**
 * The name of a state that implements a part of a step: that of the source construct, then what the state is for.
 *
 *   Check, Check: try, Check: argument, Check: checkCustomer result
 */
export function stateName({ origin: { name, part } }: Pick<Step, "origin">, purpose?: string): string {
  const whole = part === undefined || part === "try" || part === purpose ? name : `${name}: ${part}`;
  return purpose === undefined ? whole : partName(whole, purpose);
}

/** The name of a state that belongs to another: `Decide: push`, `Decide: case 2 push`. */
export const partName = (name: string, part: string): string =>
  name.includes(": ") ? `${name} ${part}` : `${name}: ${part}`;

/** The operation of a state. */
export type StateOperation =
  | { readonly kind: "pass" | "push" | "catch" }
  /**
   * `function`: the function that it calls, directly or by the helper action. `isRetried`: the call is repeated if it
   * fails. `starts`: the branches that it starts.
   */
  | {
      readonly kind: "action";
      readonly action: string;
      readonly function?: string | undefined;
      readonly isRetried?: boolean;
      readonly starts?: readonly string[];
    }
  | { readonly kind: "value"; readonly value: unknown }
  | { readonly kind: "function"; readonly body: StateFunction }
  | { readonly kind: "choice"; readonly whenTrue: string; readonly otherwise: string }
  | { readonly kind: "try"; readonly handler: string }
  | { readonly kind: "let"; readonly symbol: string; readonly value: unknown }
  | { readonly kind: "end"; readonly symbol: string };

/** A function of the params: statements and a result. */
export interface StateFunction {
  readonly lines: Block;
  readonly result?: Code | undefined;
  /** Default: `params`, if it is read. */
  readonly parameter?: ParameterDeclaration | undefined;
  readonly helpers: ReadonlySet<string>;
  /** Whether an expression in it may fail with values of any type. */
  readonly canFail: boolean;
  /** Whether an expression in it may fail with the types that are proven. */
  readonly mayThrow: boolean;
}

/** States under construction. */
export interface StateBuilder {
  readonly drafts: DraftState[];
  /** Labels that functions contain, so they are also the names of their states. */
  readonly fixedLabels: Set<string>;
  readonly aliases: Map<string, string>;
  readonly labels: NameSpace;
}

/** Creates a builder. The ids of steps are labels. */
export const createStateBuilder = (steps: Iterable<string>): StateBuilder => ({
  drafts: [],
  fixedLabels: new Set(),
  aliases: new Map(),
  labels: createNames(steps),
});

/** A state of a sequence, before it is linked to the next. */
export interface UnlinkedState {
  readonly label?: string;
  readonly name: string;
  readonly operation: StateOperation;
  readonly isOpening?: boolean | undefined;
}

/** Adds states in sequence, between two labels. Without states, `first` becomes an alias of `last`. */
export function addSequence(
  builder: StateBuilder,
  first: string,
  states: readonly UnlinkedState[],
  last: string | undefined,
): void {
  if (states.length === 0 && last !== undefined) builder.aliases.set(first, last);
  let label = first;
  for (const [i, part] of states.entries()) {
    const next = i === states.length - 1 ? last : (states[i + 1]!.label ?? builder.labels.fresh(`${first} ${i + 2}`));
    builder.drafts.push({ ...part, label, next });
    label = next ?? label;
  }
}

/** Reserves a label that is also the name of its state. */
export function addFixedLabel({ fixedLabels, labels }: StateBuilder, wanted: string): string {
  const label = labels.fresh(wanted);
  fixedLabels.add(label);
  return label;
}

/** Follows aliases. A cycle of aliases ends at one of its members. */
export function resolveLabel(label: string, { aliases }: StateBuilder): string {
  const seen = new Set<string>();
  let current = label;
  for (let next = aliases.get(current); next !== undefined && !seen.has(next); next = aliases.get(current)) {
    seen.add(next);
    current = next;
  }
  return current;
}

/** The labels that a state leads to. */
export function successorsOf({ operation, next }: DraftState): readonly string[] {
  const after = next === undefined ? [] : [next];
  switch (operation.kind) {
    case "choice":
      return [operation.whenTrue, operation.otherwise];
    case "try":
      return [...after, operation.handler];
    default:
      return after;
  }
}
