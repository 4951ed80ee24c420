/** The environment of a command, except for files. */
export interface Terminal {
  /** Standard input; read only for `-`. */
  readonly stdin: AsyncIterable<Uint8Array | string>;
  /** Writes results to standard output. */
  out(text: string): void;
  /** Writes messages to standard error. */
  err(text: string): void;
  /** Whether standard error supports colors. */
  readonly color: boolean;
  /** The current folder. */
  readonly cwd: string;
  /** The root of paths in annotations and code scanning, `GITHUB_WORKSPACE`; default: the current folder. */
  readonly workspace?: string | undefined;
  /** Whether internal errors print their stack. */
  readonly debug: boolean;
}

/** Whether to print in color, by `FORCE_COLOR`, `NO_COLOR` and `TERM`. */
export function supportsColor(
  { FORCE_COLOR, NO_COLOR, TERM }: { readonly [name: string]: string | undefined },
  isTerminal: boolean,
): boolean {
  if (FORCE_COLOR !== undefined) return FORCE_COLOR !== "0" && FORCE_COLOR !== "false";
  return isTerminal && (NO_COLOR === undefined || NO_COLOR === "") && TERM !== "dumb";
}

/** Exit statuses. `problems` covers definitions and files; `stopped` is an interrupt by the user. */
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

/** A failure outside of definitions, such as an unreadable file. */
export const commandFailure = (message: string): CommandError => new CommandError(message, exit.problems);
