import { indent, stepLines } from "../ir/print-steps.ts";
import { redirectStep } from "../ir/walk.ts";
import type { Step } from "../ir/workflow.ts";
import type { Pair } from "./match.ts";
import type { Detail } from "./model.ts";
import type { Construct, Outline } from "./outline.ts";

/** Names for steps that are equal in both versions, by the ids of steps. */
export type StepNames = (id: string) => string;

/** Names steps by the pair of their constructs. */
export function stepNames({ constructs }: Outline, pairs: readonly Pair[], side: "old" | "new"): StepNames {
  const names = new Map<string, string>();
  const numbers = new Map(pairs.map((pair, i) => [pair[side], i] as const));
  for (const construct of constructs) {
    const name = numbers.has(construct) ? `${numbers.get(construct)}` : construct.label;
    const first = construct.steps[0]?.id ?? "";
    for (const { id } of construct.steps)
      names.set(id, `${name}${id.startsWith(first) ? id.slice(first.length) : `/${id.split("/").at(-1)}`}`);
  }
  return (id) => names.get(id) ?? id.split("/").at(-1) ?? id;
}

/**
 * The first difference between the generated steps of a construct and its counterpart, as in `--emit ir`: for what has
 * no words of its own.
 */
export function stepChanges(
  old: Construct,
  created: Construct,
  names: { readonly old: StepNames; readonly new: StepNames },
): readonly Detail[] {
  const before = old.steps.flatMap((step) => linesOf(step, names.old));
  const after = created.steps.flatMap((step) => linesOf(step, names.new));
  const removed = before.find((line) => !after.includes(line));
  const added = after.find((line) => !before.includes(line));
  if (removed === undefined && added === undefined) return [];
  return [
    {
      aspect: "steps",
      kind: "changed",
      text: "steps",
      ...(removed !== undefined && { old: { text: removed.trim() } }),
      ...(added !== undefined && { new: { text: added.trim() } }),
    },
  ];
}

function linesOf(step: Step, names: StepNames): readonly string[] {
  const redirected = redirectStep(step, (next) => ({ ...next, name: names(next.name) }));
  const named = { ...redirected, id: names(step.id), origin: { ...step.origin, entry: false } };
  return stepLines(named, undefined, (scope) => [
    ...indent([`begin at ${names(scope.entry.name)}`]),
    ...(scope.window ? indent([`active ${JSON.stringify(scope.window)}`]) : []),
  ]);
}
