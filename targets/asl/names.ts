import { places } from "../../src/ir/walk.ts";
import type { Origin, Workflow } from "../../src/ir/workflow.ts";
import { mark } from "../../src/output/hash.ts";
import type { Machine, State } from "./machine.ts";

/** The longest name that Step Functions takes. */
const longest = 80;

/** Where a state comes from: the construct of the definition, and the branch or iteration that this is in. */
export interface Provenance {
  readonly origin: Origin;
  readonly within: string;
  readonly line: number;
}

/** A name for every state, unique in the whole machine: its construct's, and what it does there when the construct has several states. */
export function stateNames(machine: Machine, provenance: (state: State) => Provenance): ReadonlyMap<State, string> {
  const states = [...allStates(machine)];
  const constructs = new Map<string, State[]>();
  for (const state of states) {
    const { origin, within } = provenance(state);
    const key = JSON.stringify([within, origin.name]);
    constructs.set(key, [...(constructs.get(key) ?? []), state]);
  }
  const names = new Map<State, string>();
  const taken = new Set<string>();
  for (const state of states) {
    const { origin, within } = provenance(state);
    const siblings = constructs.get(JSON.stringify([within, origin.name]))!;
    const name = siblings[0] === state ? origin.name : `${origin.name}: ${purpose(state)}`;
    names.set(state, unique(name, within, state.key, taken));
  }
  return names;
}

/** All states of a machine, a state before those of its branches. */
export function* allStates({ states }: Machine): Generator<State> {
  for (const state of states) {
    yield state;
    for (const branch of state.branches ?? []) yield* allStates(branch);
    if (state.processor) yield* allStates(state.processor);
  }
}

/** The provenance of a state by the id of its step. */
export function provenances(workflow: Workflow): ReadonlyMap<string, Omit<Provenance, "line">> {
  return new Map(
    places(workflow).flatMap((place) => {
      const within = withinOf(place);
      return place.scope.steps.map((step) => [step.id, { origin: step.origin, within }] as const);
    }),
  );
}

/** The branches and iterations around a scope, outermost first; the body of an attempt is where the attempt is. */
function withinOf(place: ReturnType<typeof places>[number]): string {
  const { owner, outer, scope } = place;
  if (!owner || !outer) return "";
  const around = withinOf(outer);
  if (owner.kind === "attempt") return around;
  const branch = owner.kind === "fork" ? owner.branches.find((candidate) => candidate.scope === scope)?.name : undefined;
  return [around, branch ?? owner.origin.name].filter(Boolean).join("/");
}

/** What a state does, from the id of its step: what stands behind the construct's own name. */
function purpose({ key, type }: State): string {
  const last = key.slice(key.lastIndexOf("/") + 1);
  return last === "" ? type.toLowerCase() : last;
}

function unique(name: string, within: string, key: string, taken: Set<string>): string {
  const candidates = [name, ...(within === "" ? [] : [`${within.slice(within.lastIndexOf("/") + 1)}: ${name}`, `${within}: ${name}`])].map(
    withoutControls,
  );
  const found = candidates.find((candidate) => candidate.length <= longest && !taken.has(candidate)) ?? marked(candidates[0]!, key, taken);
  taken.add(found);
  return found;
}

function marked(name: string, key: string, taken: ReadonlySet<string>): string {
  const base = `${name.slice(0, longest - 12)} ${mark(key)}`;
  let result = base;
  for (let n = 2; taken.has(result); n++) result = `${base}${n}`;
  return result;
}

/** Line breaks and the like have no place in a name. */
const withoutControls = (text: string): string => text.replace(/\p{C}+/gu, " ").trim() || "State";
