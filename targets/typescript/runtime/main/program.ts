import type { Engine, EngineOptions } from "../engine.ts";
import type { AnyWorkflow } from "../workflow.ts";
import type { Sink } from "./sinks.ts";

/** What a generated program is made of. */
export interface Program {
  readonly workflows: readonly AnyWorkflow[];
  readonly functions: unknown;
  /** Opens a store. */
  readonly open: (options: EngineOptions) => Engine | Promise<Engine>;
  /** Where the program lies (`import.meta.url`): earlier versions of workflows are looked for in the folder `previous` beside it. */
  readonly location?: string | undefined;
  /** Where emitted events go, by their types. */
  readonly sinks?: { readonly [type: string]: Sink } | undefined;
}
