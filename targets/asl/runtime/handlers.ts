import type { StoredWait } from "../../../src/events/partition.ts";
import { partitionOf, partitionsOf } from "../../../src/events/routing.ts";
import { eventKey } from "../../../src/events/rules.ts";
import { isObject, type Json, type JsonObject } from "../../../src/json.ts";
import { dataOf, type WaitingTask } from "./decision.ts";
import {
  type Definition,
  isDecidedBySingleEvents,
  partsOf,
  routingOf,
  rulesOf,
  type StartDefinition,
} from "./definition.ts";
import { digest } from "./digest.ts";
import { Group, type GroupProgram, type Host, keptMilliseconds } from "./group.ts";
import { openTable } from "./table.ts";
import { executionOf } from "./tasks.ts";
import { distribute } from "./upgrade.ts";

export type { Host } from "./group.ts";

/** A state that waits. */
export interface WaitRequest {
  readonly step: string;
  /** The ARN of the first execution of the run. */
  readonly run: string;
  /** When it began (ISO 8601). */
  readonly started: string;
  /** The ARN of the execution that waits; default: the first one. */
  readonly execution?: string;
  /** The branches and iterations around the state; absent: none. */
  readonly position?: readonly number[];
  /** The variables that conditions read; absent: none. */
  readonly variables?: JsonObject;
  /** The run's correlation value at its start; null or absent: none. */
  readonly correlation?: Json;
  /** The wait's own correlation values, by key. */
  readonly values?: { readonly [key: string]: Json };
  /** The task token. Absent: the wait has timed out, and discards the events that it has not used. */
  readonly task?: string;
}

/** A state that reads the correlation value which events have given its run. */
export interface ValueRequest {
  readonly run: string;
  readonly step?: undefined;
}

/** An event as EventBridge delivers it. */
export interface DeliveredEvent {
  readonly id: string;
  readonly source: string;
  readonly "detail-type": string;
  readonly time: string;
  readonly detail: Json;
}

/** The scheduled call that does what functions have left undone. */
export interface SweepRequest {
  readonly sweep: true;
}

/**
 * The functions of a workflow that receives events: states that wait call `wait`, and EventBridge calls `ingest` with
 * each event and, on a schedule, to sweep. Both change a partition in one transaction, and then end the Tasks of waits
 * that are over and start executions. If a function crashes in between, a later call does the rest.
 */
export function createHandlers(definition: Definition, host: Host) {
  const machineOf = ({ machine }: StartDefinition): string | undefined =>
    host.starts ? host.machines[machine] : undefined;
  const executionBy = (start: StartDefinition | undefined, name: string): string | undefined => {
    const arn = start && machineOf(start);
    return arn === undefined ? undefined : executionOf(arn, name);
  };
  const { group, workflows } = definition;
  const routing = routingOf(definition);
  const rules = rulesOf(definition, (start, key) => executionBy(start, digest(key)));
  const startedWorkflow = (name: string | undefined) =>
    workflows.find(({ id, start }) => start && (name === undefined || id === name));
  const program: GroupProgram = {
    ...{ group, rules, routing, partOf: partsOf(definition) },
    isDecidedBySingleEvents: isDecidedBySingleEvents(definition),
    executionOf: (workflow, name) => {
      return executionBy(startedWorkflow(workflow)?.start, name);
    },
    behindWait: (workflow) => {
      const { prefix = "", start } = startedWorkflow(workflow) ?? {};
      return start?.behind && { ...start.behind, step: prefix + start.behind.step };
    },
  };
  const context: Context = { definition, host, routing };
  const table = openTable(host.dynamodb, host.table, group, { rules, kept: keptMilliseconds(host) }, host.maxItems);
  let distributed: Promise<void> | undefined;
  const open = async (): Promise<Group> => {
    if (routing.key !== undefined) {
      distributed ??= distribute(table, routing, group, host.now);
      await distributed.catch((error: unknown) => {
        distributed = undefined;
        throw error;
      });
    }
    return new Group(table, program, host);
  };
  return {
    async wait(request: WaitRequest | ValueRequest): Promise<Json> {
      const group = await open();
      if (request.step === undefined) return (await group.table.readRun(request.run))?.value ?? null;
      await (request.task === undefined ? giveUp(request, context, group) : wait(request, context, group));
      return null;
    },
    async ingest(request: DeliveredEvent | SweepRequest): Promise<Json> {
      const group = await open();
      if ("sweep" in request) await group.sweep();
      else await ingest(request, context, group);
      return null;
    },
  };
}

interface Context {
  readonly definition: Definition;
  readonly host: Host;
  readonly routing: ReturnType<typeof routingOf>;
}

/** The id of a wait: the same each time that a run comes to a step. */
const waitId = ({ run, step, position = [] }: StoredWait | (WaitRequest & { readonly step: string })): string =>
  digest(JSON.stringify([run, step, position]));

async function wait(request: WaitRequest, context: Context, group: Group): Promise<void> {
  const { definition, host } = context;
  const { run, position = [], variables = {}, values, task, started, execution } = request;
  const step = `${definition.prefix ?? ""}${request.step}`;
  const id = waitId({ ...request, step });
  const name = await partitionOfWait(request, context, group);
  const data: WaitingTask = { task: task!, ...(execution !== undefined && { execution }) };
  /** The Task of the last wait with this id, whose answer it has not received. */
  let lost: string | undefined;
  for (;;) {
    let last: StoredWait | undefined;
    await group.update(name, async (decision) => {
      last = decision.partition.waits.find((each) => each.id === id && each.end && !each.isConfirmed);
      const known = last && dataOf(last);
      if (known && "task" in known && known.task !== task && known.task !== lost) return;
      last = undefined;
      await group.join(name, decision, run, scalarOf(request.correlation));
      const since = Date.parse(started);
      const at = host.now();
      const begun = {
        id,
        run,
        step,
        age: ageOf(run, since),
        position,
        since,
        at,
        variables,
        values,
        data: { ...data },
      };
      decision.apply({ kind: "wait", wait: begun });
      decision.apply({ kind: "expire", id, at });
    });
    if (!last) break;
    lost = (dataOf(last) as WaitingTask).task;
    await group.endAgain(name, last);
  }
  await group.finish();
}

/** The age of a run: that of its root run, which machines put into the names of subflows, and then its own. */
function ageOf(run: string, started: number): readonly number[] {
  const root = /:since-(\d+)-[^:]+$/.exec(run)?.[1];
  return root === undefined ? [started] : [Number(root), started];
}

/** A wait that discards events has timed out. */
async function giveUp(request: WaitRequest, context: Context, group: Group): Promise<void> {
  const id = waitId({ ...request, step: `${context.definition.prefix ?? ""}${request.step}` });
  const name = await partitionOfWait(request, context, group);
  const at = context.host.now();
  await group.update(name, (decision) => decision.apply({ kind: "cancelWait", id, at, discards: true }));
  await group.finish();
}

/** In a group with several partitions, that of the wait's own value, or else of the run's. */
async function partitionOfWait(
  { run, values, correlation }: WaitRequest,
  { routing }: Context,
  group: Group,
): Promise<string> {
  const known = routing.key === undefined ? undefined : await group.table.readRun(run);
  return partitionOf(values, scalarOf(known?.value ?? correlation), routing);
}

/** A correlation value; null, objects and arrays count as absent. */
const scalarOf = (value: Json | undefined): Json | undefined =>
  value === null || typeof value === "object" ? undefined : value;

async function ingest(delivered: DeliveredEvent, { host, routing }: Context, group: Group): Promise<void> {
  const event = cloudEventOf(delivered);
  const key = eventKey(event) ?? JSON.stringify([event["source"] ?? null, delivered.id]);
  const at = host.now();
  for (const name of partitionsOf(event, routing)) {
    const result = await group.update(name, (decision) => decision.apply({ kind: "arrive", at, event, key }), key);
    await group.repeatEffects(name, result === "repeated" ? 0 : undefined);
  }
  await group.finish();
}

/** The event in structured mode if it was sent so. Any other is made into a CloudEvent. */
function cloudEventOf({ id, source, time, detail, ...rest }: DeliveredEvent): JsonObject {
  if (isObject(detail) && typeof detail["specversion"] === "string") return detail;
  return { specversion: "1.0", id, source, type: rest["detail-type"], time, data: detail };
}
