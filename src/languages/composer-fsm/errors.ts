import { assertNever } from "../../json.ts";
import type { Stack } from "./stack.ts";
import { endingsOf, errorWay, type Visit, type Visits, type Way } from "./visits.ts";

/** Before which visits the parameters may have a member `error` that nothing has looked at: the input of a run and what was made of it without a task. */
export function uncheckedVisits(visits: Visits): ReadonlySet<Visit> {
  const known = new Map<Visit, Unchecked>();
  const pending: Visit[] = [];
  const meet = ({ to, stack }: Way, given: Unchecked): void => {
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
    for (const { way, after } of passed(visit, known.get(visit)!)) meet(way, after);
  return new Set(visits.all.filter((visit) => known.get(visit)?.params));
}

/** Of the parameters and of each thing on the stack, from the bottom, whether it may have such a member. */
interface Unchecked {
  readonly params: boolean;
  readonly frames: readonly boolean[];
}

const join = (a: Unchecked, b: Unchecked): Unchecked => ({
  params: a.params || b.params,
  frames: a.frames.map((each, i) => each || b.frames[i]!),
});

const equal = (a: Unchecked, b: Unchecked): boolean =>
  a.params === b.params && a.frames.every((each, i) => each === b.frames[i]);

interface Passed {
  readonly way: Way;
  readonly after: Unchecked;
}

function passed(visit: Visit, { params, frames }: Unchecked): readonly Passed[] {
  const { state, effect } = visit;
  if (effect.kind === "violation") return [];
  const leads = (to: string | undefined, after: Unchecked): readonly Passed[] =>
    to === undefined ? [] : [{ way: { to, stack: effect.stack }, after }];
  switch (state.Type) {
    case "Task":
      return [
        ...(endingsOf(state).succeeds ? leads(state.Next, { params: false, frames }) : []),
        ...failed(visit.stack, frames),
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

/** A handler is called with an error. */
function failed(stack: Stack | undefined, frames: readonly boolean[]): readonly Passed[] {
  const way = errorWay(stack);
  return way ? [{ way, after: { params: true, frames: frames.slice(0, way.stack?.depth ?? 0) } }] : [];
}
