import { assumption } from "../../diagnostics/migration.ts";
import type { Action, Body, Place, State } from "../model.ts";
import type { WriterContext } from "./context.ts";

/** The members of the data that a branch may change; undefined if any. */
export type ChangedMembers = ReadonlySet<string> | undefined;

/** What a branch returns. */
export interface BranchChanges {
  readonly members: ChangedMembers;
  /** Whether it returns a whole object if it changed a part, rather than that part. */
  readonly returnsWhole: boolean;
}

/** The program that merges the changes of branches. */
export const mergedBranches = "reduce .[] as $branch ($input; . * $branch)";

/**
 * Reports branches that change the same object or array, where the last one undoes the changes of the others. Arrays are
 * united in 0.8, so that branches must not share them even if they return only their changes.
 */
export function reportSharedMembers(context: WriterContext, place: Place, branches: readonly BranchChanges[]): void {
  const changing = branches.filter(({ members }) => members?.size !== 0);
  const mayShareArrays =
    context.machine.merging === "objects and arrays" &&
    mayShareObjects(changing.map(({ members }) => ({ members, returnsWhole: true })));
  if (!mayShareArrays && !mayShareObjects(changing)) return;
  const shared = mayShareArrays ? "object or array" : "object";
  context.tell(assumption, place, {
    expression: mergedBranches,
    assumed: `no two branches change the same ${shared} of the data`,
    otherwise: `Earlier versions merge both changes; \`*\` keeps the ${shared} of the last branch.`,
  });
}

function mayShareObjects(changing: readonly BranchChanges[]): boolean {
  if (changing.some(({ members }) => members === undefined))
    return changing.length > 1 && changing.some(({ returnsWhole }) => returnsWhole);
  const found = new Set<string>();
  return changing
    .toSorted((a, b) => Number(a.returnsWhole) - Number(b.returnsWhole))
    .some(({ members, returnsWhole }) => {
      const isShared = returnsWhole && [...members!].some((name) => found.has(name));
      for (const name of members!) found.add(name);
      return isShared;
    });
}

/** What the actions or states of a branch may change. */
export const membersOfBody = (body: Body): ChangedMembers =>
  union(body.kind === "actions" ? body.actions.map(membersOfAction) : body.states.map(membersOfState));

/** What the result of an action may change. */
export function membersOfAction({ isResultUsed, to, work }: Action): ChangedMembers {
  if (!isResultUsed || (work.kind === "event" && !work.result)) return new Set();
  const name = to?.names?.[0];
  return name === undefined ? undefined : new Set([name]);
}

function membersOfState(state: State): ChangedMembers {
  if (state.input || state.output || state.handlers.length > 0) return undefined;
  switch (state.kind) {
    case "sleep":
    case "switch":
      return new Set();
    case "inject":
      return new Set(Object.keys(state.data));
    case "operation":
      return union(state.actions.map(membersOfAction));
    case "parallel":
      return union(state.branches.map(({ body, mayYieldOther }) => (mayYieldOther ? undefined : membersOfBody(body))));
    case "foreach":
    case "event":
    case "event switch":
    case "callback":
      return undefined;
  }
}

function union(parts: readonly ChangedMembers[]): ChangedMembers {
  const known = parts.flatMap((part) => (part === undefined ? [] : [part]));
  return known.length < parts.length ? undefined : new Set(known.flatMap((part) => [...part]));
}
