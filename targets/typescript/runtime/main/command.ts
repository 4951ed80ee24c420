import type { OptionTable } from "./arguments.ts";
import type { Program } from "./program.ts";
import type { Terminal } from "./terminal.ts";

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
