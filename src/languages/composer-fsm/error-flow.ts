import { assertNever } from "../../json.ts";
import type { Stack } from "./stack.ts";
import { errorEdge, outcomesOf, type Visit, type VisitEdge, type Visits } from "./visits.ts";

/** Finds visits before which the parameters may have an `error` member that no state has checked. */
export function uncheckedVisits(visits: Visits): ReadonlySet<Visit> {
  const known = new Map<Visit, UncheckedErrors>();
  const pending: Visit[] = [];
  const meet = ({ to, stack }: VisitEdge, given: UncheckedErrors): void => {
    const visit = visits.at(to, stack);
    if (!visit) return;
    const before = known.get(visit);
    const joined = before ? join(before, given) : given;
    if (before && equal(before, joined)) return;
    known.set(visit, joined);
    pending.push(visit);
  };
  const [first] = visits.all;
  if (first) meet({ to: first.name, stack: undefined }, { params: true, frames: [] });
  for (let visit = pending.pop(); visit; visit = pending.pop())
    for (const { edge, after } of transfer(visit, known.get(visit)!)) meet(edge, after);
  return new Set(visits.all.filter((visit) => known.get(visit)?.params));
}

interface UncheckedErrors {
  readonly params: boolean;
  readonly frames: readonly boolean[];
}

const join = (a: UncheckedErrors, b: UncheckedErrors): UncheckedErrors => ({
  params: a.params || b.params,
  frames: a.frames.map((each, i) => each || b.frames[i]!),
});

const equal = (a: UncheckedErrors, b: UncheckedErrors): boolean =>
  a.params === b.params && a.frames.every((each, i) => each === b.frames[i]);

interface EdgeState {
  readonly edge: VisitEdge;
  readonly after: UncheckedErrors;
}

function transfer(visit: Visit, { params, frames }: UncheckedErrors): readonly EdgeState[] {
  const { state, effect } = visit;
  if (effect.kind === "violation") return [];
  const leads = (to: string | undefined, after: UncheckedErrors): readonly EdgeState[] =>
    to === undefined ? [] : [{ edge: { to, stack: effect.stack }, after }];
  switch (state.Type) {
    case "Task":
      return [
        ...(outcomesOf(state).succeeds ? leads(state.Next, { params: false, frames }) : []),
        ...errorTransfer(visit.stack, frames),
      ];
    case "Choice": {
      const after = { params: frames.at(-1)!, frames: frames.slice(0, -1) };
      return [...leads(state.Then, after), ...leads(state.Else, after)];
    }
    case "Pop":
      return leads(state.Next, { params: false, frames: frames.slice(0, -1) });
    case "Push":
      return leads(state.Next, { params, frames: [...frames, params] });
    case "Try":
    case "Let":
      return leads(state.Next, { params, frames: [...frames, false] });
    case "Catch":
    case "End":
      return leads(state.Next, { params, frames: frames.slice(0, -1) });
    case "Pass":
      return leads(state.Next, { params, frames });
    default:
      return assertNever(state);
  }
}

function errorTransfer(stack: Stack | undefined, frames: readonly boolean[]): readonly EdgeState[] {
  const edge = errorEdge(stack);
  return edge ? [{ edge, after: { params: true, frames: frames.slice(0, edge.stack?.depth ?? 0) } }] : [];
}
