import { crossScopeTransition, unknownStep } from "../../diagnostics/flow.ts";
import type { Machine, State } from "../../generated/asl-definition.ts";
import { own } from "../../json.ts";
import { limitSuggestions } from "../../text/messages.ts";
import { type ReadContext, spanOf } from "../shared/properties.ts";
import type { StatesOwner } from "./context.ts";
import {
  badStateName,
  endlessScope,
  jsonPathInJsonata,
  misplacedQueryLanguage,
  unknownVersion,
  unreachableState,
  wrongSuccessor,
} from "./diagnostics/kinds.ts";
import { usesJsonata } from "./dialects.ts";
import { checkFields } from "./field-checks.ts";
import { edgesOf, innerOwners, reachedStates } from "./graph.ts";
import { checkVariables } from "./variable-checks.ts";

/** What the checks know of the machine. */
interface Checks extends ReadContext {
  readonly machine: Machine;
  /** The scope of each state, by name. */
  readonly homes: Map<string, StatesOwner>;
  /** What the scope is, such as `the machine`. */
  readonly nouns: Map<StatesOwner, string>;
}

/** Reports what Step Functions refuses when a machine is created. */
export function checkMachine(machine: Machine, reading: ReadContext): void {
  const { report } = reading;
  if (machine.Version !== undefined && machine.Version !== "1.0")
    report(unknownVersion(spanOf(reading, machine, "Version"), { version: machine.Version }));
  const checks: Checks = { ...reading, machine, homes: new Map(), nouns: new Map() };
  collectHomes(machine, "the machine", checks);
  checkScope(machine, checks);
  checkVariables(machine, new Set(), reading);
}

function collectHomes(owner: StatesOwner, noun: string, checks: Checks): void {
  checks.nouns.set(owner, noun);
  for (const [name, state] of Object.entries(owner.States)) {
    const span = spanOf(checks, owner.States, name, "key");
    if (name.length > 80) checks.report(badStateName(span, { name, isLong: true }));
    if (checks.homes.has(name)) checks.report(badStateName(span, { name, isLong: false }));
    else checks.homes.set(name, owner);
    const inner = state.Type === "Map" ? "an iteration" : "a branch";
    for (const each of innerOwners(state)) collectHomes(each, `${inner} of ${name}`, checks);
  }
}

function checkScope(owner: StatesOwner, checks: Checks): void {
  const isKnown = checkTarget(owner, { owner, key: "StartAt", to: owner.StartAt }, checks);
  const states = Object.entries(owner.States);
  let isWhole = isKnown;
  for (const [name, state] of states) {
    const { report } = checks;
    if (state.QueryLanguage === "JSONPath" && checks.machine.QueryLanguage === "JSONata")
      report(jsonPathInJsonata(spanOf(checks, state, "QueryLanguage"), {}));
    checkFields(state, usesJsonata(checks, state), checks);
    checkSuccessor(owner, name, checks);
    for (const edge of edgesOf(state)) isWhole = checkTarget(owner, edge, checks) && isWhole;
    for (const inner of innerOwners(state)) {
      const language = (inner as { readonly QueryLanguage?: string }).QueryLanguage;
      if (language !== undefined) report(misplacedQueryLanguage(spanOf(checks, inner, "QueryLanguage", "key"), {}));
      checkScope(inner, checks);
    }
  }
  if (isWhole) checkReached(owner, checks);
}

/** Whether a transition leads to a state of its scope. */
function checkTarget(
  scope: StatesOwner,
  { owner, key, to }: { readonly owner: object; readonly key: string; readonly to: string },
  checks: Checks,
): boolean {
  if (own(scope.States, to)) return true;
  const span = spanOf(checks, owner, key);
  const home = checks.homes.get(to);
  if (home) {
    const noun = (each: StatesOwner): string => checks.nouns.get(each)!;
    checks.report(crossScopeTransition(span, { noun: "state", name: to, from: noun(scope), to: noun(home) }));
  } else {
    const known = limitSuggestions(Object.keys(scope.States))();
    checks.report(unknownStep(span, { noun: "state", name: to, known }));
  }
  return false;
}

function checkSuccessor(owner: StatesOwner, name: string, checks: Checks): void {
  const state: State = owner.States[name]!;
  if (state.Type === "Choice" || state.Type === "Succeed" || state.Type === "Fail") return;
  const ends = state.End === true;
  if (ends !== (state.Next === undefined)) {
    const span = ends ? spanOf(checks, state, "End", "key") : spanOf(checks, owner.States, name, "key");
    checks.report(wrongSuccessor(span, { name, has: ends ? "both" : "neither" }));
  }
}

function checkReached(owner: StatesOwner, checks: Checks): void {
  const reached = reachedStates(owner);
  for (const name of Object.keys(owner.States).filter((each) => !reached.has(each)))
    checks.report(unreachableState(spanOf(checks, owner.States, name, "key"), { name }));
  const ends = [...reached].some((name) => isEnd(owner.States[name]!));
  if (!ends) checks.report(endlessScope(spanOf(checks, owner, "StartAt"), {}));
}

const isEnd = (state: State): boolean =>
  state.Type === "Succeed" || state.Type === "Fail" || ("End" in state && state.End === true);
