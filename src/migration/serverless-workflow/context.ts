import type { Document } from "../../documents/index.ts";
import type { EventDefinition, FunctionDefinition, Workflow } from "../../generated/serverless-workflow-definition.ts";
import type { DiagnosticKind, Report } from "../../text/diagnostics.ts";
import type { Place } from "../model.ts";

/** How the draft's definitions are read. */
export interface ReaderOptions {
  readonly merge: "shallow" | "deep";
  /** Whether paths inside of text are evaluated. */
  readonly interpolate: boolean;
  /** Whether a run proceeds after the timeout of an action, without handlers. */
  readonly timeout: "proceed" | "fail";
}

/** What the readers of a definition share. */
export interface ReaderContext {
  readonly definition: Workflow;
  readonly options: ReaderOptions;
  readonly functions: ReadonlyMap<string, FunctionDefinition>;
  readonly events: ReadonlyMap<string, EventDefinition>;
  /** Whether the states are those of a branch or iteration. */
  readonly isNested: boolean;
  tell<Args>(kind: DiagnosticKind<Args>, place: Place, args: Args): void;
}

/** Creates a context. */
export function contextOf(document: Document, options: ReaderOptions, report: Report): ReaderContext {
  const definition = document.value as unknown as Workflow;
  return {
    definition,
    options,
    functions: new Map(definition.functions?.map((each) => [each.name, each])),
    events: new Map(definition.events?.map((each) => [each.name, each])),
    isNested: false,
    tell: (kind, { owner, key }, args) =>
      report(kind(document.spanOf(owner, key, key === undefined ? undefined : "key"), args)),
  };
}
