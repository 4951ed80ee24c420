import { type JsonObject, own } from "../../../src/json.ts";
import type { OutputFile } from "../../../src/target/contract.ts";
import { type DeploymentFiles, readDeployment } from "./deploy.ts";

/** An emitted program: its deployment and its map. */
export interface EmittedProgram {
  readonly deployment: DeploymentFiles;
  readonly workflows: { readonly [id: string]: EmittedWorkflow };
  /** The functions that actions replace, by action name or URL. */
  readonly functions: { readonly [action: string]: BoundFunction };
  readonly events: readonly EventTrigger[];
  readonly secrets: readonly { readonly id: string; readonly key: string; readonly version?: string }[];
}

/** A workflow: its action, and the triggers of its timers. */
export interface EmittedWorkflow {
  readonly action: string;
  readonly raw?: boolean;
  readonly timers?: readonly string[];
}

/** A function of the definition. `raw`: its values are never wrapped. */
export interface BoundFunction {
  readonly function: string;
  /** If other functions are bound to the action too: the function by conductor and by the state that calls it. */
  readonly states?: { readonly [conductor: string]: { readonly [state: string]: string } };
  readonly raw?: boolean;
  /** The member with the idempotency key. Default: `$waybill`. */
  readonly key?: string;
  /** The time limit of the action, in seconds. */
  readonly timeout?: number;
}

interface EventTrigger {
  readonly trigger: string;
  readonly type?: string;
  readonly source?: string;
  readonly subject?: string;
  readonly foldCase?: boolean;
}

/** Reads the files of a program. */
export function readProgram(files: readonly OutputFile[]): EmittedProgram {
  const text = files.find(({ path }) => path === "waybill.map.json")?.text ?? "{}";
  const map = JSON.parse(text) as Partial<Omit<EmittedProgram, "deployment">>;
  return {
    deployment: readDeployment(files),
    workflows: map.workflows ?? {},
    functions: map.functions ?? {},
    events: map.events ?? [],
    secrets: map.secrets ?? [],
  };
}

/** The distinct triggers that an event fires. */
export function triggersOf({ events }: EmittedProgram, event: JsonObject): readonly string[] {
  const matching = events.filter((entry) =>
    (["type", "source", "subject"] as const).every((attribute) => {
      const expected = entry[attribute];
      const actual = own(event, attribute);
      if (expected === undefined) return true;
      return entry.foldCase ? String(actual).toLowerCase() === expected.toLowerCase() : actual === expected;
    }),
  );
  return [...new Set(matching.map(({ trigger }) => trigger))];
}
