import type { OutlinedWorkflow } from "../outlining/outline.ts";
import type { LegalizationContext, LegalizedWorkflow } from "./index.ts";

/** A step whose error no state catches: work under a handler, or a choice's condition. */
export interface UncaughtError {
  readonly kind: "work" | "condition";
  readonly step: string;
}

/** Finds errors that no state catches, from the layout of states. */
export type FindUncaught = (workflow: LegalizedWorkflow, context: LegalizationContext) => readonly UncaughtError[];

/** Steps that are outlined because no state catches their errors. */
export interface OutlineTargets {
  readonly uncaught: ReadonlySet<string>;
  readonly open: ReadonlySet<string>;
}

/**
 * Outlines illegal expressions into calls of a Lambda function; undefined if all are legal. Outlining changes which
 * state catches errors, so it repeats until every error is caught or no step can be added.
 */
export function outlineIllegal({
  hasIllegal,
  outline,
  findUncaught,
}: {
  readonly hasIllegal: boolean;
  readonly outline: (targets: OutlineTargets) => OutlinedWorkflow;
  readonly findUncaught: (outlined: OutlinedWorkflow | undefined) => readonly UncaughtError[];
}): OutlinedWorkflow | undefined {
  const first = findUncaught(undefined);
  if (!hasIllegal && first.length === 0) return undefined;
  const uncaught = new Set(first.flatMap(({ kind, step }) => (kind === "work" ? [step] : [])));
  const open = new Set<string>();
  for (;;) {
    const outlined = outline({ uncaught, open });
    const before = uncaught.size + open.size;
    for (const { kind, step } of findUncaught(outlined))
      for (const id of originalIds(step, outlined)) (kind === "work" ? uncaught : open).add(id);
    if (uncaught.size + open.size === before) return outlined;
  }
}

/** The id of a step, and of the steps that it was derived from. */
export function originalIds(id: string, { derivedFrom }: OutlinedWorkflow): readonly string[] {
  const ids = [id];
  for (let each = derivedFrom.get(id); each !== undefined; each = derivedFrom.get(each)) ids.push(each);
  return ids;
}
