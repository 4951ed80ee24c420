import type { Document } from "../../document/index.ts";
import type { Reference } from "../../ir/workflow.ts";
import type { Report } from "../../text/diagnostics.ts";
import type { Span } from "../../text/source.ts";
import type { Definition, EventDefinition } from "./definition.ts";
import type { UsedIds } from "./plan.ts";
import type { Settings } from "./settings.ts";

/** What all parts of the lowering of one definition know. */
export interface Context {
  readonly document: Document;
  readonly definition: Definition;
  readonly report: Report;
  readonly settings: Settings;
  /** The workflow's id. */
  readonly id: string;
  readonly events: ReadonlyMap<string, EventDefinition>;
  readonly used: UsedIds;
  /** The step that stands for a name or an id that some scope has. */
  readonly everywhere: ReadonlyMap<string, string>;
  /** The names of events that some state waits for; filled while states are lowered. */
  readonly consumed: Set<string>;
  /** The results paths of more than one name; filled while actions are lowered. */
  readonly resultPaths: ResultPath[];
  /** Where transitions name no state of any scope; filled while states are lowered. */
  readonly astray: Reference[];
}

/** A path at which the result of an action may be placed. */
export interface ResultPath {
  readonly owner: object;
  readonly path: string;
  readonly chain: readonly string[];
}

/** Where a property's value stands, or its key; the nearest known place where there is none. */
export const spanOf = (
  { document }: Pick<Context, "document">,
  owner: object,
  property?: string | number,
  part?: "key" | "value",
): Span => document.spanOf(owner, property, part);
