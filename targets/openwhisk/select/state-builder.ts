import { createNames, type NameScope } from "../../../src/ir/names.ts";
import type { Block, JsExpression as Code } from "../../../src/js-ast/index.ts";

/** A state before it has its name: where it leads are labels. */
export interface Draft {
  readonly label: string;
  /** What it is to be called. */
  readonly name: string;
  readonly does: Doing;
  /** Absent where the state says itself where it leads, or nothing comes after it. */
  readonly next?: string | undefined;
}

/** What a state does. */
export type Doing =
  | { readonly kind: "pass" | "push" | "catch" }
  | { readonly kind: "action"; readonly action: string }
  | { readonly kind: "value"; readonly value: unknown }
  | { readonly kind: "function"; readonly program: Program }
  | { readonly kind: "choice"; readonly whenTrue: string; readonly otherwise: string }
  | { readonly kind: "try"; readonly handler: string; readonly isOutermost?: boolean | undefined }
  | { readonly kind: "let"; readonly symbol: string; readonly value: unknown }
  | { readonly kind: "end"; readonly symbol: string };

/** A function of the params: statements, and what it gives. */
export interface Program {
  readonly lines: Block;
  readonly result?: Code | undefined;
  /** The functions that it calls, of the expressions' runtime and of our own. */
  readonly helpers: ReadonlySet<string>;
  readonly canFail: boolean;
}

/** States that are being made. */
export interface Drawing {
  readonly drafts: Draft[];
  /** Labels that are the names of their states, since functions mention them. */
  readonly fixed: Set<string>;
  /** Labels that stand for others. */
  readonly aliases: Map<string, string>;
  readonly labels: NameScope;
}

/** No states yet; labels of these names are those of steps. */
export const noDrafts = (steps: Iterable<string>): Drawing => ({
  drafts: [],
  fixed: new Set(),
  aliases: new Map(),
  labels: createNames(steps),
});

/** One state of several in a row. */
export interface Part {
  /** What leads to it from elsewhere, too. */
  readonly label?: string;
  readonly name: string;
  readonly does: Doing;
}

/** Adds states in a row: the first has a label, the last leads to another. Of none, the one label stands for the other. */
export function addRow(drawing: Drawing, first: string, parts: readonly Part[], last: string | undefined): void {
  if (parts.length === 0 && last !== undefined) drawing.aliases.set(first, last);
  let label = first;
  for (const [i, part] of parts.entries()) {
    const next = i === parts.length - 1 ? last : (parts[i + 1]!.label ?? drawing.labels.fresh(`${first} ${i + 2}`));
    drawing.drafts.push({ ...part, label, next });
    label = next ?? label;
  }
}

/** A label that is the name of its state. */
export function fixedLabel({ fixed, labels }: Drawing, wanted: string): string {
  const label = labels.fresh(wanted);
  fixed.add(label);
  return label;
}

/** The label that a label stands for; a row of nothing that leads to itself stands for itself. */
export function resolved(label: string, { aliases }: Drawing): string {
  const seen = new Set<string>();
  let current = label;
  for (let next = aliases.get(current); next !== undefined && !seen.has(next); next = aliases.get(current)) {
    seen.add(next);
    current = next;
  }
  return current;
}

/** The labels that a state leads to. */
export function leadsTo({ does, next }: Draft): readonly string[] {
  const after = next === undefined ? [] : [next];
  switch (does.kind) {
    case "choice":
      return [does.whenTrue, does.otherwise];
    case "try":
      return [...after, does.handler];
    default:
      return after;
  }
}
