import { type JsonObject, own } from "../../../src/json.ts";
import type { OutputFile } from "../../../src/target.ts";
import { type Deployment, deploymentOf } from "./deploy.ts";

/** An emitted program: what is deployed, and what the map beside it says of how it meets the world. */
export interface Emitted {
  readonly deployment: Deployment;
  /** The actions that run workflows, by the workflows' ids. */
  readonly workflows: { readonly [id: string]: { readonly action: string; readonly raw?: boolean } };
  /** The functions that actions stand for, or web actions, by their names or addresses. */
  readonly functions: { readonly [action: string]: BoundFunction };
  /** Where events go. */
  readonly events: readonly EventTrigger[];
  /** The secrets that calls read. */
  readonly secrets: readonly { readonly id: string; readonly key: string; readonly version?: string }[];
}

/** A function of the definition; `raw`: what it is given and gives goes as it is. */
export interface BoundFunction {
  readonly function: string;
  readonly raw?: boolean;
}

/** A trigger, and what an event has to be that fires it. */
interface EventTrigger {
  readonly trigger: string;
  readonly type?: string;
  readonly source?: string;
  readonly subject?: string;
  readonly foldCase?: boolean;
}

/** Reads the files of a program. */
export function emittedIn(files: readonly OutputFile[]): Emitted {
  const text = files.find(({ path }) => path === "waybill.map.json")?.text ?? "{}";
  const map = JSON.parse(text) as Partial<Omit<Emitted, "deployment">>;
  return {
    deployment: deploymentOf(files),
    workflows: map.workflows ?? {},
    functions: map.functions ?? {},
    events: map.events ?? [],
    secrets: map.secrets ?? [],
  };
}

/** The triggers that an event fires: each once. */
export function triggersOf({ events }: Emitted, event: JsonObject): readonly string[] {
  const fitting = events.filter((entry) =>
    (["type", "source", "subject"] as const).every((attribute) => {
      const wanted = entry[attribute];
      const found = own(event, attribute);
      if (wanted === undefined) return true;
      return entry.foldCase ? String(found).toLowerCase() === wanted.toLowerCase() : found === wanted;
    }),
  );
  return [...new Set(fitting.map(({ trigger }) => trigger))];
}
