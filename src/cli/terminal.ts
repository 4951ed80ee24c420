import type { Source } from "../text/source.ts";

/** The environment of a command, except for files. */
export interface Terminal {
  readonly stdin: AsyncIterable<Uint8Array | string>;
  out(text: string): void;
  err(text: string): void;
  /** Whether diagnostics are printed in color. */
  readonly color: boolean;
  /** Whether standard output is printed in color. Default: `color`. */
  readonly outputColor?: boolean | undefined;
  readonly cwd: string;
  /** The text of a file, by its absolute path, that an editor has not saved. */
  readonly unsaved?: ((file: string) => Source | undefined) | undefined;
  /** Whether the plug-ins of configurations are loaded. Default: true. */
  readonly loadsPlugins?: boolean | undefined;
  /** The root of paths in annotations; default: the current folder. */
  readonly workspace?: string | undefined;
  /** Prints stacks of internal errors. */
  readonly debug: boolean;
  /** Prompts the user for a line of text; undefined if standard input ends. Omitted unless a user is at a terminal. */
  readonly ask?: ((question: string) => Promise<string | undefined>) | undefined;
  /** The width of a terminal on which the progress of long work is shown; omitted for files, pipes and CI. */
  readonly progressColumns?: number | undefined;
}

/** A terminal without input and output, for work in the background. */
export const silentTerminal = (cwd: string): Terminal => ({
  stdin: (async function* () {})(),
  out: () => undefined,
  err: () => undefined,
  color: false,
  cwd,
  debug: false,
});

/** Whether to print in color to a stream: https://force-color.org, https://no-color.org, https://bixense.com/clicolors. */
export function supportsColor(
  { FORCE_COLOR, NO_COLOR, CLICOLOR_FORCE = "", CLICOLOR, TERM }: { readonly [name: string]: string | undefined },
  isTerminal: boolean,
): boolean {
  if (FORCE_COLOR !== undefined) return FORCE_COLOR !== "0" && FORCE_COLOR !== "false";
  if (NO_COLOR !== undefined && NO_COLOR !== "") return false;
  if (CLICOLOR_FORCE !== "" && CLICOLOR_FORCE !== "0") return true;
  return isTerminal && CLICOLOR !== "0" && TERM !== "dumb";
}

/** Whether a command prints its output in color. `given` is its flag. */
export const outputColor = (given: boolean | undefined, terminal: Terminal): boolean =>
  given ?? terminal.outputColor ?? terminal.color;

/** Exit statuses. */
export const exit = { success: 0, problems: 1, usage: 2, internal: 3, stopped: 130 } as const;

/** An exit status. */
export type ExitStatus = (typeof exit)[keyof typeof exit];

/** Ends the command with a message and an exit status. */
export class CommandError extends Error {
  readonly status: ExitStatus;

  constructor(message: string, status: ExitStatus) {
    super(message);
    this.status = status;
  }
}

/** Incorrect usage of the command. */
export const usageError = (message: string): CommandError => new CommandError(message, exit.usage);

/** A failure outside of definitions. */
export const commandFailure = (message: string): CommandError => new CommandError(message, exit.problems);
