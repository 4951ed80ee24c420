import { unknownStep, unreachableStep } from "../../diagnostics/flow.ts";
import type { Document } from "../../documents/index.ts";
import type { Composition, State } from "../../generated/composer-fsm-definition.ts";
import { own } from "../../json.ts";
import { limitSuggestions } from "../../text/messages.ts";
import type { Span } from "../../text/source.ts";
import { type ReadContext, spanOf } from "../shared/properties.ts";
import {
  conflictingTasks,
  differentStacks,
  exitWithNext,
  growingStack,
  missingNext,
  possiblyWrongStack,
  taskWithoutWork,
  unknownExit,
  unknownHandler,
  wrongStack,
} from "./diagnostics/kinds.ts";
import { describeFrameKind, describeStack, type StackViolation } from "./stack.ts";
import { edgesOf, type Visits } from "./visits.ts";

/** Checks reachable states by the conductor's rules. */
export function checkStates(composition: Composition, visits: Visits, reading: ReadContext): void {
  checkTargets(composition, visits, reading);
  for (const [name, [visit]] of visits.byState) checkState(name, visit!.state, composition, reading);
}

function checkTargets(composition: Composition, { byState }: Visits, { document, report }: ReadContext): void {
  const { Entry, Exit, States } = composition;
  const known = limitSuggestions(Object.keys(States));
  const astray = (name: string | undefined): name is string => name !== undefined && !own(States, name);
  const reached = [...byState.values()].map(([visit]) => visit!.state);
  const isOpen = astray(Entry) || reached.some((state) => targetsOf(state).some(({ name }) => astray(name)));
  if (astray(Entry))
    report(unknownStep(spanOf({ document }, composition, "Entry"), { noun: "state", name: Entry, known: known() }));
  if (astray(Exit)) report(unknownExit(spanOf({ document }, composition, "Exit"), { name: Exit, known: known() }));
  for (const state of isOpen ? Object.values(States) : reached)
    for (const { key, name } of targetsOf(state).filter((target) => astray(target.name))) {
      const span = spanOf({ document }, state, key);
      if (key === "Handler") report(unknownHandler(span, { name, known: known() }));
      else report(unknownStep(span, { noun: "state", name, known: known() }));
    }
}

function targetsOf(state: State): readonly { readonly key: string; readonly name: string }[] {
  if (state.Type === "Choice")
    return [
      { key: "Then", name: state.Then },
      { key: "Else", name: state.Else },
    ];
  const next = state.Next === undefined ? [] : [{ key: "Next", name: state.Next }];
  return state.Type === "Try" ? [...next, { key: "Handler", name: state.Handler }] : next;
}

function checkState(name: string, state: State, composition: Composition, { document, report }: ReadContext): void {
  const { Exit } = composition;
  const span = nameSpan(composition, name, document);
  if (state.Type === "Choice" || Object.hasOwn(state, "x-unread")) return;
  if (state.Next === undefined && name !== Exit) report(missingNext(span, { state: name, exit: Exit }));
  if (state.Next !== undefined && name === Exit)
    report(exitWithNext(document.spanOf(state, "Next", "key"), { state: name }));
  if (state.Type !== "Task") return;
  const [taken, ...ignored] = taskKeys.filter((key) => state[key] !== undefined);
  if (taken === undefined) report(taskWithoutWork(span, { state: name }));
  for (const key of ignored)
    report(conflictingTasks(document.spanOf(state, key, "key"), { taken: taken!, ignored: key }));
}

const taskKeys = ["Action", "Value", "Function"] as const;

/** The span of a state's name. */
export const nameSpan = ({ States }: Composition, name: string, document: Document): Span =>
  document.spanOf(States, name, "key");

/** Checks what states pop from the stack. */
export function checkStacks(composition: Composition, visits: Visits, reading: ReadContext): void {
  const { document, report } = reading;
  if (visits.growing !== undefined) {
    report(growingStack(nameSpan(composition, visits.growing, document), { state: visits.growing }));
    return;
  }
  let isDoubtful = false;
  for (const [name, all] of visits.byState) {
    const [violation, ...others] = all.flatMap(({ effect }) => (effect.kind === "violation" ? [effect] : []));
    if (!violation) continue;
    isDoubtful = true;
    const kind = others.length + 1 === all.length ? wrongStack : possiblyWrongStack;
    report(kind(nameSpan(composition, name, document), violationArguments(name, violation)));
  }
  if (!isDoubtful) checkMeetings(composition, visits, reading);
}

const violationArguments = (state: string, { wanted, found }: StackViolation) => ({
  state,
  wanted: describeFrameKind(wanted),
  found: found && describeFrameKind(found),
});

function checkMeetings(composition: Composition, { byState, all }: Visits, { document, report }: ReadContext): void {
  const isSeveral = (name: string): boolean => (byState.get(name)?.length ?? 0) > 1;
  const behind = new Set(
    all.filter(({ name }) => isSeveral(name)).flatMap((visit) => edgesOf(visit).map(({ to }) => to)),
  );
  for (const [name, [first, ...others]] of byState) {
    if (!first || others.length === 0 || behind.has(name)) continue;
    const stacks = [first, ...others].slice(0, maxStacksShown).map(({ stack }) => describeStack(stack));
    report(differentStacks(nameSpan(composition, name, document), { state: name, stacks }));
  }
}

const maxStacksShown = 4;

/** Reports unreachable states unless an unknown handler may be the reason. */
export function checkReached(composition: Composition, visits: Visits, { document, report }: ReadContext): void {
  const { States } = composition;
  const isAstray = visits.all.some(({ state }) => state.Type === "Try" && !own(States, state.Handler));
  for (const name of isAstray ? [] : Object.keys(States))
    if (!visits.byState.has(name))
      report(unreachableStep(nameSpan(composition, name, document), { noun: "state", name }));
}
