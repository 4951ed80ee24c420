import type { ScopeNode } from "../ir/walk.ts";
import type { Scope } from "../ir/workflow.ts";

/** `operation state` → `state`. */
export const generalNoun = (noun: string): string => noun.slice(noun.lastIndexOf(" ") + 1);

/** The constructs that transitions may name. */
export const constructsOf = (scope: Scope): readonly string[] =>
  scope.steps.filter(({ origin }) => origin.entry).map(({ origin }) => origin.name);

/** The scope that the user sees. */
export function enclosingConstruct(place: ScopeNode): ScopeNode {
  let home = place;
  while (home.parent && home.owner?.kind === "attempt" && !home.scope.steps.some(({ origin }) => origin.entry))
    home = home.parent;
  return home;
}

/** Describes a scope: "branch `Left` of parallel state `Both`". */
export function scopeName({ scope, owner }: ScopeNode): string {
  if (!owner) return "the workflow itself";
  const of = `${owner.origin.noun} \`${owner.origin.name}\``;
  const branch = owner.kind === "fork" ? owner.branches.find((candidate) => candidate.scope === scope) : undefined;
  return branch ? `branch \`${branch.name}\` of ${of}` : of;
}
