import type { Json, JsonObject, MutableJsonObject } from "../../json.ts";
import type { DiagnosticKind } from "../../text/diagnostics.ts";
import type { Place, StateMachine } from "../model.ts";

/** What the writers of a definition share. */
export interface WriterContext {
  readonly machine: StateMachine;
  readonly namespace: string;
  /** The names of the tasks that states of the list become. */
  readonly names: Set<string>;
  /** The directive of an end: that of the run, or of the list of a branch or iteration. */
  readonly end: "end" | "exit";
  /** Policies of `use.retries`. */
  readonly retries: MutableJsonObject;
  /** Programs that merge into data in which SonataFlow would append to an array. */
  readonly arrayMerges: { readonly program: string; readonly place: Place }[];
  /** Remembers where the source of an object is, for comments. */
  place<T extends object>(created: T, place: Place): T;
  /** Reports a diagnostic; `others` are further places that it applies to. */
  tell<Args>(kind: DiagnosticKind<Args>, place: Place, args: Args, others?: readonly Place[]): void;
}

/** An entry of a task list. */
export interface TaskEntry {
  readonly name: string;
  readonly task: Task;
  readonly place: Place;
}

/** A task. */
export type Task = JsonObject;

/** A task list. */
export const listOf = (context: WriterContext, entries: readonly TaskEntry[]): readonly Json[] =>
  entries.map(({ name, task, place }) => context.place({ [name]: ordered(task) }, place));

const first = ["if", "input"];
const last = ["output", "export", "timeout", "then", "metadata"];

function ordered(task: Task): MutableJsonObject {
  const middle = Object.keys(task).filter((key) => !first.includes(key) && !last.includes(key));
  const keys = [...first, ...middle, ...last].filter((key) => task[key] !== undefined);
  return Object.fromEntries(keys.map((key) => [key, task[key]!]));
}

/** A name that a list does not have yet. */
export function uniqueName(names: Set<string>, wanted: string): string {
  let name = wanted;
  for (let i = 2; names.has(name); i++) name = `${wanted} ${i}`;
  names.add(name);
  return name;
}

/** The property `then` of a task or case. */
export const goTo = (target: string | undefined): Task => (target === undefined ? {} : { [directive]: target });

const directive = "then";
