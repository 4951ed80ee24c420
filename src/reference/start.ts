import { equalValues } from "../expressions/index.ts";
import type { Start, Workflow } from "../ir/workflow.ts";
import type { Json, JsonObject } from "../json.ts";
import type { World } from "../world.ts";
import { definitionOf, fulfilled, inOrder, type Matcher, matches, tokenOf, type Used } from "./matching.ts";
import { isActive } from "./scope.ts";

/** Waits for the events that start a run, and gives them. Never resolves when they do not come. */
export function startingEvents(workflow: Workflow, world: World): Promise<readonly Used[]> {
  const { start } = workflow;
  const collected: Arrival[] = [];
  return new Promise((resolve) => {
    const stop = world.listen((event) => {
      if (!isActive(start.window, world.now())) return;
      const events =
        start.create === "complete" ? collect(workflow, collected, event, world.now()) : single(workflow, event);
      if (!events) return;
      stop();
      resolve(events);
    });
  });
}

/** An event that may help to start a run, with its correlation value. */
interface Arrival extends Used {
  readonly at: number;
  readonly token: Json | undefined;
}

const matcher = (workflow: Workflow): Matcher => ({ workflow, token: undefined, holds: () => true });

function named(workflow: Workflow, event: JsonObject): string | undefined {
  const patterns = (workflow.start.on ?? []).flatMap(({ all }) => all.flat());
  return patterns.find((pattern) => matches(pattern, event, matcher(workflow)))?.event.name;
}

function single(workflow: Workflow, event: JsonObject): readonly Used[] | undefined {
  const name = named(workflow, event);
  return name === undefined ? undefined : [{ name, event }];
}

/** Adds an event to those that came before; gives the events of the first alternative that is now complete. */
function collect(workflow: Workflow, collected: Arrival[], event: JsonObject, at: number): readonly Used[] | undefined {
  const name = named(workflow, event);
  if (name === undefined) return undefined;
  const definition = definitionOf({ event: { name, span: workflow.span } }, workflow);
  const arrival = { name, event, at, token: tokenOf(definition, event) };
  const partners = collected.filter((other) => together(other, arrival));
  if (isLate(workflow.start, partners, at)) for (const late of partners) collected.splice(collected.indexOf(late), 1);
  collected.push(arrival);
  const events = collected.filter((other) => together(other, arrival)).map((other) => other.event);
  for (const alternative of workflow.start.on ?? []) {
    const groups = fulfilled(alternative, events, matcher(workflow));
    if (groups) return inOrder(groups, events);
  }
  return undefined;
}

const together = (a: Arrival, b: Arrival): boolean =>
  a.token === undefined || b.token === undefined || equalValues(a.token, b.token);

function isLate({ gap }: Start, partners: readonly Arrival[], at: number): boolean {
  const last = partners.at(-1);
  return gap !== undefined && last !== undefined && at - last.at > gap * 1000;
}
