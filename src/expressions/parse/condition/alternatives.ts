import { foldBalanced } from "../../core/build.ts";
import { type Fault, FaultSignal, type Parsed, parsing } from "../fault.ts";
import type { EventExpression, EventName } from "./events.ts";

/** One way to satisfy an event expression: all of some events have come, and none of others. Each event is there once. */
export interface EventAlternative {
  /** At least one. */
  readonly all: readonly EventName[];
  readonly none: readonly EventName[];
}

/** More alternatives than this are a fault. */
export const mostAlternatives = 1_000;

/**
 * An event expression in disjunctive normal form: any of the alternatives suffices, and where several are satisfied at once the first counts. They come
 * in the order of the text, without contradictions and without those that can only be satisfied when an earlier one is.
 *
 * Faults, at their places in the text: an alternative that waits for no event, as in `not A`; no alternative that can be satisfied, as in `A and not A`;
 * too many of them.
 */
export function alternativesOf(expression: EventExpression): Parsed<readonly EventAlternative[]> {
  return parsing(() => {
    const work: Work = { left: mostWork, from: expression.from, to: expression.to };
    const terms = termsOf(expression, false, work);
    if (terms.length === 0) refuse("syntax", "This can never become true, whatever events come.", work);
    return terms.map(alternativeOf);
  });
}

/** Events with their sign, by name. */
type Term = ReadonlyMap<string, Literal>;

interface Literal {
  readonly event: EventName;
  readonly negated: boolean;
}

/** How much may still be combined and compared, and the text that it is for. */
interface Work {
  left: number;
  readonly from: number;
  readonly to: number;
}

/** Some milliseconds' worth of events looked at. */
const mostWork = 5_000_000;

function alternativeOf(term: Term): EventAlternative {
  const literals = [...term.values()];
  const [all, none] = [false, true].map((sign) =>
    literals.filter(({ negated }) => negated === sign).map(({ event }) => event),
  ) as [EventName[], EventName[]];
  const [first] = none;
  if (all.length === 0 && first) {
    const hint = `Join it by \`and\` to an event that has to come: \`… and not ${first.name}\`.`;
    refuse("unsupported", `\`not ${first.name}\` waits for no event.`, first, hint);
  }
  return { all, none };
}

function termsOf(expression: EventExpression, negated: boolean, work: Work): readonly Term[] {
  switch (expression.kind) {
    case "event":
      return [new Map([[expression.name, { event: expression, negated }]])];
    case "not":
      return termsOf(expression.item, !negated, work);
    default: {
      const parts = expression.items.map((item) => termsOf(item, negated, work));
      const isUnion = (expression.kind === "or") !== negated;
      return (
        foldBalanced(parts, (left, right) =>
          needed(isUnion ? [...left, ...right] : conjunction(left, right, work), work),
        ) ?? []
      );
    }
  }
}

function conjunction(left: readonly Term[], right: readonly Term[], work: Work): readonly Term[] {
  const joined: Term[] = [];
  for (const a of left) {
    for (const b of right) {
      spend(work, a.size + b.size);
      const contradicts = [...b].some(([name, { negated }]) => a.has(name) && a.get(name)!.negated !== negated);
      if (!contradicts) joined.push(new Map([...a, ...[...b].filter(([name]) => !a.has(name))]));
    }
  }
  return joined;
}

/** Leaves out each alternative that contains all events of an earlier one. */
function needed(terms: readonly Term[], work: Work): readonly Term[] {
  const kept: Term[] = [];
  for (const term of terms) {
    if (!kept.some((earlier) => contains(term, earlier, work))) kept.push(term);
    if (kept.length > mostAlternatives) refuseSize(work);
  }
  return kept;
}

function contains(term: Term, other: Term, work: Work): boolean {
  spend(work, 1);
  if (other.size > term.size) return false;
  for (const [name, { negated }] of other) {
    spend(work, 1);
    if (term.get(name)?.negated !== negated) return false;
  }
  return true;
}

function spend(work: Work, effort: number): void {
  work.left -= effort;
  if (work.left < 0) refuseSize(work);
}

function refuseSize(work: Work): never {
  const message = `This stands for more than ${mostAlternatives} combinations of events, or takes too long to find out.`;
  return refuse("limit", message, work);
}

function refuse(fault: Fault["fault"], message: string, { from, to }: Omit<Work, "left">, hint?: string): never {
  throw new FaultSignal({ fault, from, to, message, hint });
}
