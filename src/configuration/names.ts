import {
  bindingsForOtherTargets,
  bindingsOfOtherDefinitions,
  unknownBoundName,
  unusedBinding,
} from "../diagnostics/configuration.ts";
import { isExternal } from "../ir/protocols.ts";
import { stepsOf } from "../ir/walk.ts";
import type { FunctionDefinition, Program, Reference, Step, Workflow } from "../ir/workflow.ts";
import type { Report } from "../text/diagnostics.ts";
import { limitSuggestions, nearestName } from "../text/messages.ts";
import type { Source } from "../text/source.ts";
import type { BindingEntry, Bindings, ConfigurableTarget } from "./bindings.ts";
import { isTrusted, type Trusting } from "./trust.ts";

/**
 * Reports unknown and unused bindings, except for names that occur in `broken` files. A configuration that others extend
 * may have names that these definitions lack.
 */
export function checkBoundNames(
  { functions, events, source }: Bindings & { readonly source?: Source | undefined },
  { workflows }: Pick<Program, "workflows">,
  broken: readonly string[],
  report: Report,
): void {
  const steps = workflows.flatMap(stepsOf);
  const external = workflows.flatMap((workflow) => workflow.functions.filter(mayBeBound));
  const emitted = workflows.flatMap((workflow) => workflow.events);
  const checkable = (bound: ReadonlyMap<string, BindingEntry>): readonly Reference[] =>
    [...bound.values()]
      .map(({ name }) => name)
      .filter(
        ({ name, span }) =>
          (source === undefined || span.source === source) && !broken.some((text) => text.includes(name)),
      );
  const boundFunctions = partition(functions);
  const defined = workflows.flatMap((workflow) => workflow.functions);
  const used = usedNames(steps, "function");
  const usedOrKinds = new Set([...used, ...stepKindsOf(defined.filter(({ name }) => used.has(name)))]);
  checkNames(
    { noun: "function", verb: "calls" },
    checkable(boundFunctions.bound),
    new Set([...namesOf(external), ...stepKindsOf(external)]),
    usedOrKinds,
    report,
  );
  checkNames(
    { noun: "function", verb: "calls" },
    checkable(boundFunctions.typed),
    new Set([...namesOf(defined), ...stepKindsOf(defined)]),
    usedOrKinds,
    report,
  );
  const received = receivedEvents(workflows);
  const isReceived = ({ name, data, bindsReceivedEvents }: BindingEntry): boolean =>
    (data !== undefined || bindsReceivedEvents) && received.has(name.name);
  const usedEvents = new Set([
    ...usedNames(steps, "event"),
    ...[...events.values()].filter(isReceived).map(({ name }) => name.name),
  ]);
  const boundEvents = partition(events);
  const names = namesOf(emitted);
  checkNames({ noun: "event", verb: "emits" }, checkable(boundEvents.bound), names, usedEvents, report);
  checkNames({ noun: "event", verb: "receives" }, checkable(boundEvents.typed), names, received, report);
}

/** Separates names that are bound for a target from those that only have a type. */
function partition(entries: ReadonlyMap<string, BindingEntry>): {
  readonly bound: ReadonlyMap<string, BindingEntry>;
  readonly typed: ReadonlyMap<string, BindingEntry>;
} {
  const isTyped = ({ byTarget, result, data }: BindingEntry): boolean =>
    byTarget.size === 0 && (result !== undefined || data !== undefined);
  const [typed, bound] = [true, false].map((wanted) => [...entries].filter(([, entry]) => isTyped(entry) === wanted));
  return { bound: new Map(bound), typed: new Map(typed) };
}

/** Readers of secrets are built in unless they are bound. */
const mayBeBound = ({ protocol }: FunctionDefinition): boolean => isExternal(protocol) || protocol?.kind === "secret";

/** The kinds of the steps that call the functions, under which they can be bound too. */
const stepKindsOf = (functions: readonly FunctionDefinition[]): readonly string[] =>
  functions.flatMap(({ stepKind }) => stepKind ?? []);

const namesOf = (defined: readonly { readonly name: string }[]): ReadonlySet<string> =>
  new Set(defined.map(({ name }) => name));

interface Usage {
  readonly noun: "function" | "event";
  readonly verb: "calls" | "emits" | "receives";
}

function checkNames(
  { noun, verb }: Usage,
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
      if (!isUsed.has(name)) report(unusedBinding(span, { noun, verb, name }));
      continue;
    }
    const known = suggestions();
    if (nearestName(name, known) === undefined) others.push({ name, span });
    else report(unknownBoundName(span, { noun, name, known }));
  }
  if (others[0]) report(bindingsOfOtherDefinitions(others[0].span, { names: others.map(({ name }) => name) }));
}

function receivedEvents(workflows: Program["workflows"]): ReadonlySet<string> {
  const waits = workflows.flatMap(stepsOf).flatMap((step) => (step.kind === "receive" ? step.alternatives : []));
  const starts = workflows.flatMap(({ start }) => start.on ?? []);
  return new Set(
    [...waits, ...starts].flatMap(({ all, none }) => [...all.flat(), ...none].map(({ event }) => event.name)),
  );
}

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

/**
 * Reports names that are bound only for other targets, if the workflows need a binding: functions that only a binding or
 * `resource` locates, emitted events, and received events on targets that bind them.
 */
export function checkChosenTarget(
  { functions, events, trust }: Trusting,
  workflows: readonly Workflow[],
  { name: target, bindsReceivedEvents }: Pick<ConfigurableTarget, "name" | "bindsReceivedEvents">,
  report: Report,
): void {
  const isElsewhere = ({ byTarget }: BindingEntry): boolean => byTarget.size > 0 && !byTarget.has(target);
  const needed = new Set<BindingEntry>();
  for (const workflow of workflows) {
    const called = usedNames(stepsOf(workflow), "function");
    for (const { name, stepKind, protocol } of workflow.functions) {
      if (protocol !== undefined || !called.has(name)) continue;
      const entries = [name, ...(stepKind === undefined ? [] : [stepKind])].flatMap((key) => functions.get(key) ?? []);
      const isServed = entries.some((entry) => entry.byTarget.has(target) || isTrusted(entry, trust));
      if (!isServed) for (const entry of entries.filter(isElsewhere)) needed.add(entry);
    }
  }
  const received = bindsReceivedEvents ? receivedEvents(workflows) : [];
  for (const name of [...usedNames(workflows.flatMap(stepsOf), "event"), ...received]) {
    const entry = events.get(name);
    if (entry && isElsewhere(entry)) needed.add(entry);
  }
  const others = [...functions.values(), ...events.values()].filter((entry) => needed.has(entry));
  const [first] = others;
  if (!first) return;
  const targets = [...new Set(others.flatMap(({ byTarget }) => [...byTarget.keys()]))];
  report(bindingsForOtherTargets(first.name.span, { target, targets, names: others.map(({ name }) => name.name) }));
}
