import type { Codec, Engine, EngineOptions } from "../engine.ts";
import type { AnyWorkflow } from "../workflow.ts";
import type { OptionTable } from "./arguments.ts";
import type { Sink } from "./sinks.ts";
import type { Terminal } from "./terminal.ts";

/** What a generated program is made of. */
export interface Program {
  readonly workflows: readonly AnyWorkflow[];
  readonly functions: unknown;
  /** Opens a store. */
  readonly open: (options: EngineOptions) => Engine | Promise<Engine>;
  /** Where the program lies (`import.meta.url`): earlier versions of workflows are looked for in the folder `previous` beside it. */
  readonly location?: string | undefined;
  /** Encodes the stored data of runs; `--codec` and `WAYBILL_CODEC` replace it. */
  readonly codec?: Codec | undefined;
  /** Where emitted events go, by their types. */
  readonly sinks?: { readonly [type: string]: Sink } | undefined;
}

/** A command of a generated program. */
export interface Command {
  readonly name: string;
  /** What stands after the name, for the help. */
  readonly operands: string;
  readonly summary: string;
  /** Its own options, for the help. */
  readonly help: string;
  readonly options: OptionTable;
  /** Does it; gives the exit status. */
  run(call: {
    readonly program: Program;
    readonly args: readonly string[];
    readonly terminal: Terminal;
  }): Promise<number>;
}
