import type { Codec, Engine, EngineOptions } from "../engine.ts";
import type { AnyWorkflow } from "../workflow.ts";
import type { OptionTable } from "./arguments.ts";
import type { Sink } from "./sinks.ts";
import type { Terminal } from "./terminal.ts";

/** The parts of a generated program. */
export interface Program {
  readonly workflows: readonly AnyWorkflow[];
  readonly functions: unknown;
  /** Opens a store. */
  readonly open: (options: EngineOptions) => Engine | Promise<Engine>;
  /**
   * The URL of the program's module (`import.meta.url`); its folder `previous` contains earlier versions of workflows.
   */
  readonly location?: string | undefined;
  /** Encodes the stored data of runs; `--codec` and `WAYBILL_CODEC` replace it. */
  readonly codec?: Codec | undefined;
  /** The sinks of emitted events, by type. */
  readonly sinks?: { readonly [type: string]: Sink } | undefined;
}

/** A command of a generated program. */
export interface Command {
  readonly name: string;
  /** The operands after the name, for the help. */
  readonly operands: string;
  readonly summary: string;
  /** The command's own options, for the help. */
  readonly help: string;
  readonly options: OptionTable;
  /** Executes the command; resolves to the exit status. */
  run(call: {
    readonly program: Program;
    readonly args: readonly string[];
    readonly terminal: Terminal;
  }): Promise<number>;
}
