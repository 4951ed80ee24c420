import type { Edge } from "../environment/environment.ts";
import type { Step } from "../ir/workflow.ts";
import type { ExitLabel } from "./labels.ts";
import type { EdgeKind } from "./model.ts";
import { type Construct, type Exit, exitsOf, type FlatScope } from "./scope.ts";

/** A transition from a construct to another, or to an end of its scope. */
export interface Transition {
  readonly from: Construct;
  readonly to: Construct | "end" | "fail";
  readonly kind: EdgeKind;
  readonly label?: string | undefined;
  /** One of them is left if a run takes the transition. */
  readonly by: readonly Edge[];
}

/** The transitions of a scope between shown constructs, and the construct that it begins with. */
export function transitionsOf(
  flat: FlatScope,
  shown: ReadonlySet<Construct>,
): { readonly transitions: readonly Transition[]; readonly entry: Transition["to"] | undefined } {
  const walker = new Walker(flat, shown);
  const entry = walker.entry();
  const found = [...shown].flatMap((construct) => walker.from(construct));
  return { transitions: mergeParallel(found), entry };
}

/** Follows the exits of steps through steps that the picture does not show. */
class Walker {
  readonly #flat: FlatScope;
  readonly #shown: ReadonlySet<Construct>;
  /** The exits of each step. */
  readonly #exits = new Map<string, readonly Exit[]>();
  /** Steps with transitions from other constructs. */
  readonly #entered = new Set<string>();

  constructor(flat: FlatScope, shown: ReadonlySet<Construct>) {
    this.#flat = flat;
    this.#shown = shown;
    this.#entered.add(flat.entry);
    for (const step of flat.steps.values()) {
      const construct = flat.constructs.get(step.id)!;
      const exits = exitsOf(step, flat, construct);
      this.#exits.set(step.id, exits);
      for (const { target } of exits) if (flat.constructs.get(target) !== construct) this.#entered.add(target);
    }
  }

  /** The first shown construct, or else an end: a check of the input may come before it. */
  entry(): Transition["to"] | undefined {
    const { entry, steps } = this.#flat;
    const arrivals = this.#follow(entry, { kind: "next" }, undefined, steps.get(entry)!);
    const first = arrivals.find(({ to }) => typeof to !== "string") ?? arrivals[0];
    return first?.to === "inside" ? undefined : first?.to;
  }

  from(construct: Construct): readonly Transition[] {
    const conditions = new Map<string, ExitLabel | undefined>();
    const transitions: Transition[] = [];
    const begun = new Set<string>();
    const begin = (step: Step): void => {
      begun.add(step.id);
      for (const exit of this.#exits.get(step.id)!) {
        const condition = exit.label.kind === "next" ? (conditions.get(step.id) ?? exit.label) : exit.label;
        for (const { to, at, label, by } of this.#follow(exit.target, condition, construct, exit.by)) {
          if (to !== "inside") transitions.push(toTransition(construct, to, label, by));
          else if (conditions.has(at)) {
            if (!isEqual(conditions.get(at), label)) conditions.set(at, undefined);
          } else conditions.set(at, label.kind === "next" ? undefined : label);
        }
      }
    };
    for (const step of construct.steps) {
      if (step === construct.first || this.#entered.has(step.id)) conditions.set(step.id, undefined);
    }
    for (const step of inOrder(construct, this.#exits)) {
      const isOrigin = step === construct.first || this.#entered.has(step.id) || !isPlain(step, this.#exits);
      if (isOrigin && !begun.has(step.id)) begin(step);
    }
    return transitions;
  }

  /** Where an exit leads; `inside`: to another step of the construct that is followed on its own. */
  #follow(target: string, first: ExitLabel, own: Construct | undefined, exit: Edge): readonly Arrival[] {
    const arrivals: Arrival[] = [];
    const visited = new Set<string>();
    const pending: Omit<Arrival, "to">[] = [{ at: target, label: first, by: exit }];
    for (let next = pending.pop(); next; next = pending.pop()) {
      const { at, label, by } = next;
      const step = this.#flat.steps.get(at);
      if (!step || visited.has(at)) continue;
      visited.add(at);
      const construct = this.#flat.constructs.get(at)!;
      const isOwn = construct === own;
      const isFirst = step === construct.first;
      if (step.kind === "end" && !(isFirst && construct.isNamed && !isOwn)) {
        if (!this.#flat.inside.has(at) || step.extent === "run")
          arrivals.push({ ...next, to: step.outcome === "fail" ? "fail" : "end" });
      } else if (isOwn && !isFirst && !isPlain(step, this.#exits)) {
        arrivals.push({ ...next, to: "inside" });
      } else if (isOwn ? isFirst : this.#shown.has(construct)) {
        arrivals.push({ ...next, to: construct });
      } else {
        const exits = this.#exits.get(at)!;
        for (const exit of exits.toReversed()) {
          const isStated = exit.label.kind !== "next" && !exit.label.isImplicit;
          pending.push({
            at: exit.target,
            label: label.kind === "next" && isStated ? exit.label : label,
            by: exits.length > 1 ? exit.by : by,
          });
        }
      }
    }
    return arrivals;
  }
}

interface Arrival {
  readonly to: Transition["to"] | "inside";
  readonly at: string;
  readonly label: ExitLabel;
  /** The last decision before it. */
  readonly by: Edge;
}

/** A step that only leads to the next. */
const isPlain = (step: Step, exits: ReadonlyMap<string, readonly Exit[]>): boolean =>
  step.kind === "assign" && exits.get(step.id)!.length === 1;

/** The steps of a construct, each after those that lead to it, except in loops. */
function inOrder({ first, steps }: Construct, exits: ReadonlyMap<string, readonly Exit[]>): readonly Step[] {
  const own = new Map(steps.map((step) => [step.id, step]));
  const found = new Set<Step>([first]);
  for (const step of found)
    for (const { target } of exits.get(step.id)!) if (own.has(target)) found.add(own.get(target)!);
  return [...found, ...steps.filter((step) => !found.has(step))];
}

const isEqual = (a: ExitLabel | undefined, b: ExitLabel | undefined): boolean =>
  a?.kind === b?.kind && a?.text === b?.text;

const toTransition = (from: Construct, to: Transition["to"], label: ExitLabel, by: Edge): Transition & ExitLabel => ({
  from,
  to,
  kind: label.kind,
  label: label.text,
  isImplicit: label.isImplicit,
  by: [by],
});

/**
 * One transition for each pair of constructs and kind, with all conditions. Failures that the source does not state are
 * no transitions: an error that nothing handles ends every run.
 */
function mergeParallel(
  transitions: readonly (Transition & { readonly isImplicit?: true | undefined })[],
): readonly Transition[] {
  const merged = new Map<Construct, Map<string, MergedTransition>>();
  for (const each of transitions) {
    const { from, to, kind, label, by, isImplicit } = each;
    if (isImplicit && typeof to === "string") continue;
    if (to === "fail" && (kind === "error" || kind === "otherwise" || kind === "next")) continue;
    if (from === to && kind === "next") continue;
    const key = `${typeof to === "string" ? to : to.first.id}\0${typeof to === "string"}\0${kind}`;
    const others = merged.get(from) ?? new Map<string, MergedTransition>();
    merged.set(from, others);
    const known = others.get(key) ?? { from, to, kind, labels: new Set<string>(), by: [] };
    others.set(key, known);
    if (label !== undefined) known.labels.add(label.replace(/\s*\n\s*/g, " "));
    known.by.push(...by);
  }
  return [...merged.values()].flatMap((others) =>
    [...others.values()].map(({ labels, ...rest }) => ({
      ...rest,
      label: labels.size === 0 ? undefined : [...labels].join("\n"),
    })),
  );
}

/** A transition whose conditions are being collected. */
interface MergedTransition extends Pick<Transition, "from" | "to" | "kind"> {
  readonly labels: Set<string>;
  readonly by: Edge[];
}
