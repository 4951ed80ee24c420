import { changedName, similarForm } from "../../diagnostics/migration.ts";
import type { Document } from "../../documents/index.ts";
import type { JsonObject, MutableJsonObject } from "../../json.ts";
import type { Report } from "../../text/diagnostics.ts";
import type { Span } from "../../text/source.ts";
import type { Place, StateMachine } from "../model.ts";
import { listOf, type WriterContext } from "./context.ts";
import { reportArrayMerges } from "./data.ts";
import { durationOf } from "./durations.ts";
import { startEvents } from "./event-states.ts";
import { documentName, semanticVersion } from "./names.ts";
import { stateEntries } from "./states.ts";

/** A definition and the places in the source that its objects come from. */
export interface WrittenDefinition {
  readonly value: MutableJsonObject;
  readonly places: ReadonlyMap<object, Place>;
}

/** Options of the definition. */
export interface WriteOptions {
  readonly namespace: string;
}

/** Writes a state machine as Serverless Workflow 1.0. */
export function writeDefinition(
  machine: StateMachine,
  document: Document,
  { namespace }: WriteOptions,
  report: Report,
): WrittenDefinition {
  const places = new Map<object, Place>();
  const spanOf = ({ owner, key }: Place): Span => document.spanOf(owner, key, key === undefined ? undefined : "key");
  const told = new Set<string>();
  const context: WriterContext = {
    machine,
    namespace,
    names: new Set(machine.states.map(({ name }) => name)),
    end: "end",
    retries: {},
    arrayMerges: [],
    place: (created, place) => {
      if (!places.has(created)) places.set(created, place);
      return created;
    },
    tell: (kind, place, args, others = []) => {
      const notes = others.map((other) => ({ message: "The same applies here.", span: spanOf(other) }));
      const found = kind(spanOf(place), args, notes);
      // Each call of a function reports what its definition lacks.
      const key = `${found.span.start} ${found.message}`;
      if (!told.has(key)) report(found);
      told.add(key);
    },
  };
  const tasks = listOf(context, stateEntries(context, machine.states, true));
  reportArrayMerges(context);
  const use = usesOf(context);
  return {
    value: {
      document: context.place(documentOf(context), machine.place),
      ...inputOf(context),
      ...(Object.keys(use).length === 0 ? {} : { use }),
      ...(machine.timeout === undefined ? {} : { timeout: { after: durationOf(machine.timeout) } }),
      ...scheduleOf(context),
      do: tasks,
      ...(machine.outputSchema === undefined ? {} : { output: { schema: schemaOf(machine.outputSchema) } }),
    },
    places,
  };
}

function documentOf(context: WriterContext): MutableJsonObject {
  const { id, name, version, description, metadata, place } = context.machine;
  const created = documentName(id);
  if (created !== id) context.tell(changedName, at(place, "id"), { what: "The name", name: id, created });
  const semantic = semanticVersion(version ?? "");
  if (version !== undefined && semantic !== version)
    context.tell(changedName, at(place, "version"), { what: "The version", name: version, created: semantic });
  return {
    dsl: "1.0.3",
    namespace: context.namespace,
    name: created,
    version: semantic,
    ...(name === undefined || name === created ? {} : { title: name }),
    ...(description === undefined ? {} : { summary: description }),
    ...(Object.keys(metadata).length === 0 ? {} : { metadata }),
  };
}

/** A property that exists, or its owner. */
const at = ({ owner }: Place, key: string): Place => (Object.hasOwn(owner, key) ? { owner, key } : { owner });

function inputOf({ machine, tell }: WriterContext): MutableJsonObject {
  const { inputSchema, states, place } = machine;
  if (inputSchema === undefined) return {};
  if (states[0]?.kind === "event") {
    tell(similarForm, at(place, "dataInputSchema"), {
      construct: "The input schema of a workflow that events start",
      form: "nothing",
      difference: "1.0 would apply it to the events, too",
    });
    return {};
  }
  return { input: { schema: schemaOf(inputSchema) } };
}

const schemaOf = (schema: JsonObject | string): JsonObject => ({
  format: "json",
  ...(typeof schema === "string" ? { resource: { endpoint: schema } } : { document: schema }),
});

function usesOf({ machine, retries }: WriterContext): MutableJsonObject {
  return {
    ...(Object.keys(retries).length === 0 ? {} : { retries }),
    ...(machine.secrets.length === 0 ? {} : { secrets: machine.secrets }),
  };
}

function scheduleOf(context: WriterContext): MutableJsonObject {
  const { schedule, states } = context.machine;
  const [first] = states;
  const timer: MutableJsonObject = !schedule
    ? {}
    : schedule.kind === "cron"
      ? { cron: schedule.expression }
      : { every: durationOf(schedule.duration) };
  const events = first?.kind === "event" ? startEvents(context, first) : {};
  const all = { ...timer, ...events } as MutableJsonObject;
  return Object.keys(all).length === 0 ? {} : { schedule: all };
}
