import { arrive, type Collected } from "../../../src/matching/starting.ts";
import { matcherOf, tokenFrom } from "./matching.ts";
import type { Arrival, Definition, Mark, Run, Space, Start, Starting } from "./model.ts";
import { told, waited } from "./space.ts";
import { executionOf, inputOf } from "./tasks.ts";

/** The ARNs of the machines of which events start executions. */
export interface Machines {
  readonly [name: string]: string | undefined;
}

/** What events start that nobody waits for, each of which is asked once: when it comes, or when who was to be told of it is gone. */
export function startedIn(space: Space, machines: Machines, definition: Definition): Space {
  let result = space;
  for (const each of space.events) {
    if (each.mayStart === undefined) continue;
    const { mayStart: name, ...arrival } = each;
    const events = result.events.map((other) => (other === each ? arrival : other));
    result = startedBy({ ...result, events }, arrival, name, machines, definition);
  }
  return result;
}

/**
 * What an event starts: a run of each workflow that it starts, whose events are then its own; or nothing, and where it takes several
 * events to start a run, it is kept for the others.
 */
function startedBy(space: Space, arrival: Arrival, name: string, machines: Machines, definition: Definition): Space {
  const { starts = [] } = definition;
  const matcher = matcherOf<Arrival>(definition);
  const marks = new Map<Arrival, Mark[]>();
  const owners = new Map<Arrival, Owner[]>();
  const runs = new Map<Start, Begun>();
  for (const start of starts) {
    const machine = machines[start.machine];
    const before = collectedFor(space, start);
    const isOpen = machine !== undefined && isWithin(start, arrival);
    const { collected, taken } = isOpen ? arrive(start, before, arrival, arrival.at, matcher) : { collected: before };
    for (const { event, name, token } of collected)
      added(marks, event, { name, ...(token === undefined ? {} : { token }) });
    if (!taken) continue;
    const run = executionOf(machine!, name);
    for (const { event } of taken) added(owners, event, { run, workflow: start.workflow });
    const token = tokenFrom(taken, definition);
    runs.set(start, { run, known: { after: arrival.order, ...(token === undefined ? {} : { token }) } });
  }
  let result: Space = {
    ...space,
    events: space.events.flatMap((each) => shared(each, marks.get(each) ?? [], owners.get(each) ?? [])),
    runs: new Map([...space.runs, ...[...runs.values()].map(({ run, known }) => [run, known] as const)]),
  };
  for (const [start, begun] of runs) result = starting(result, start, name, begun, arrival.at, definition);
  return result;
}

/** A run that events start, and what is known of it. */
interface Begun {
  readonly run: string;
  readonly known: Run;
}

/** A run is to be started: behind its first wait where the machine can begin there, and what that is told is not too large for an input. */
function starting(
  space: Space,
  { workflow, behind: step }: Start,
  name: string,
  { run, known }: Begun,
  at: number,
  definition: Definition,
): Space {
  const start: Starting = { name, ...(workflow !== undefined && { workflow }) };
  const plain = { ...space, starts: [...space.starts, start] };
  if (step === undefined) return plain;
  const waiting = { ...known, key: run, step, run, started: at, position: [], variables: {}, at, task: "" };
  const over = waited(space, waiting, definition);
  const answer = over.waits.find(({ key }) => key === run)?.ended?.answer;
  if (answer === undefined || inputOf(answer, run).length * mostBytes > longestInput) return plain;
  return { ...told(over, run), starts: [...space.starts, { ...start, answer }] };
}

/** How many bytes a character has at most, and an input of an execution. */
const [mostBytes, longestInput] = [3, 262_144];

/** A run that an event is for, and its workflow, where events start several. */
type Owner = Required<Pick<Arrival, "run">> & Pick<Arrival, "workflow">;

function added<Key, Each>(lists: Map<Key, Each[]>, key: Key, each: Each): void {
  lists.set(key, [...(lists.get(key) ?? []), each]);
}

/** Whether runs may begin when an event comes. */
const isWithin = (
  { from = Number.NEGATIVE_INFINITY, until = Number.POSITIVE_INFINITY }: Start,
  { at }: Arrival,
): boolean => from <= at && at < until;

/** The events that wait for others to start runs of a workflow with. */
function collectedFor({ events }: Space, { on }: Start): readonly Collected<Arrival>[] {
  const names = new Set(on.flatMap(({ all }) => all.flat()).map(({ event }) => event));
  return events.flatMap((event) => {
    const mark = [event.collected ?? []].flat().find(({ name }) => names.has(name));
    return mark ? [{ ...mark, event, at: event.at }] : [];
  });
}

/** An event as it is kept: one for each run that it has begun, and one for all others where it waits to start one with others, or has begun none. */
function shared(arrival: Arrival, marks: readonly Mark[], owners: readonly Owner[]): readonly Arrival[] {
  const { collected, ...plain } = arrival;
  const own = owners.map(({ run, workflow }) => ({ ...plain, run, ...(workflow !== undefined && { workflow }) }));
  if (marks.length > 0) return [{ ...plain, collected: marks }, ...own];
  if (own.length > 0) return own;
  return [collected ? plain : arrival];
}
