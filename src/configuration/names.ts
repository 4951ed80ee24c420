import {
  bindingsForOtherTargets,
  bindingsOfOtherDefinitions,
  unknownBoundName,
  unusedBinding,
} from "../diagnostics/configuration.ts";
import type { Program } from "../ir/program.ts";
import { isExternal } from "../ir/protocols.ts";
import { stepsOf } from "../ir/walk.ts";
import type { FunctionDefinition, Reference, Step } from "../ir/workflow.ts";
import type { Report } from "../text/diagnostics.ts";
import { limitSuggestions, nearestName } from "../text/messages.ts";
import type { BindingEntry, Bindings } from "./bindings.ts";

/**
 * What the configuration binds, the definitions have elsewhere, and some workflow calls or emits: what else it says means nothing, or is for other definitions. Nothing is said of
 * names that stand in one of the `broken` texts, which may define or use them.
 */
export function checkBoundNames(
  { functions, events }: Bindings,
  { workflows }: Pick<Program, "workflows">,
  broken: readonly string[],
  report: Report,
): void {
  const steps = workflows.flatMap(stepsOf);
  const elsewhere = workflows.flatMap((workflow) => workflow.functions.filter(mayBeBound));
  const produced = workflows.flatMap((workflow) => workflow.events);
  const certain = (bound: ReadonlyMap<string, BindingEntry>): readonly Reference[] =>
    [...bound.values()].map(({ name }) => name).filter(({ name }) => !broken.some((text) => text.includes(name)));
  const trusted = new Map([...functions].filter(([, { byTarget, result }]) => result && byTarget.size === 0));
  const placed = new Map([...functions].filter(([name]) => !trusted.has(name)));
  const defined = workflows.flatMap((workflow) => workflow.functions);
  checkNames("function", certain(placed), namesOf(elsewhere), usedNames(steps, "function"), report);
  checkNames("function", certain(trusted), namesOf(defined), usedNames(steps, "function"), report);
  const received = receivedEvents(workflows);
  const boundReceivers = [...events.values()].flatMap((bound) => (bound.bindsReceivedEvents ? [bound.name.name] : []));
  const usedEvents = new Set([...usedNames(steps, "event"), ...boundReceivers.filter((name) => received.has(name))]);
  checkNames("event", certain(events), namesOf(produced), usedEvents, report);
}

/** Whether a function is elsewhere, or may be: what reads secrets is built in where nothing is bound. */
const mayBeBound = ({ protocol }: FunctionDefinition): boolean => isExternal(protocol) || protocol?.kind === "secret";

const namesOf = (defined: readonly { readonly name: string }[]): ReadonlySet<string> =>
  new Set(defined.map(({ name }) => name));

function checkNames(
  noun: "function" | "event",
  bound: readonly Reference[],
  defined: ReadonlySet<string>,
  isUsed: ReadonlySet<string>,
  report: Report,
): void {
  const isBound = new Set(bound.map(({ name }) => name));
  const suggestions = limitSuggestions([...defined].filter((name) => !isBound.has(name)));
  const others: Reference[] = [];
  for (const { name, span } of bound) {
    if (defined.has(name)) {
      if (!isUsed.has(name)) report(unusedBinding(span, { noun, name }));
      continue;
    }
    const known = suggestions();
    if (nearestName(name, known) === undefined) others.push({ name, span });
    else report(unknownBoundName(span, { noun, name, known }));
  }
  if (others[0]) report(bindingsOfOtherDefinitions(others[0].span, { names: others.map(({ name }) => name) }));
}

/** The events that workflows wait for, or are started by. */
function receivedEvents(workflows: Program["workflows"]): ReadonlySet<string> {
  const waits = workflows.flatMap(stepsOf).flatMap((step) => (step.kind === "receive" ? step.alternatives : []));
  const starts = workflows.flatMap(({ start }) => start.on ?? []);
  return new Set(
    [...waits, ...starts].flatMap(({ all, none }) => [...all.flat(), ...none].map(({ event }) => event.name)),
  );
}

/** The functions that are called or read secrets, or the events that are emitted. */
const usedNames = (steps: readonly Step[], noun: "function" | "event"): ReadonlySet<string> =>
  new Set(
    steps.flatMap((step) => {
      if (noun === "function")
        return step.kind === "call"
          ? [step.function.name, ...(step.secrets ?? []).map(({ reader }) => reader.name)]
          : [];
      return step.kind === "emit" ? [step.event.name] : [];
    }),
  );

/** A function or an event that is bound, but not for the target that is compiled to, is told of, once for all. */
export function checkChosenTarget({ functions, events }: Bindings, target: string, report: Report): void {
  const others = [...functions.values(), ...events.values()].filter(
    ({ byTarget }) => byTarget.size > 0 && !byTarget.has(target),
  );
  const [first] = others;
  if (!first) return;
  const targets = [...new Set(others.flatMap(({ byTarget }) => [...byTarget.keys()]))];
  report(bindingsForOtherTargets(first.name.span, { target, targets, names: others.map(({ name }) => name.name) }));
}
