/** What the command has to do with its surroundings, besides files. */
export interface Terminal {
  /** Standard input; read only when `-` is given. */
  readonly stdin: AsyncIterable<Uint8Array | string>;
  /** Writes to standard output: results. */
  out(text: string): void;
  /** Writes to standard error: what is said about results. */
  err(text: string): void;
  /** Whether standard error understands colours. */
  readonly color: boolean;
  /** The folder that relative paths start from. */
  readonly cwd: string;
  /** The folder from which annotations and code scanning read paths, as GitHub has it in `GITHUB_WORKSPACE`; absent: the current one. */
  readonly workspace?: string | undefined;
  /** Whether an internal error shows where in Waybill it happened. */
  readonly debug: boolean;
}

/** Whether to write in colours: what `FORCE_COLOR` says, else not with `NO_COLOR` and not to a terminal that has none; else to any terminal. */
export function colorsIn(
  { FORCE_COLOR, NO_COLOR, TERM }: { readonly [name: string]: string | undefined },
  isTerminal: boolean,
): boolean {
  if (FORCE_COLOR !== undefined) return FORCE_COLOR !== "0" && FORCE_COLOR !== "false";
  return isTerminal && (NO_COLOR === undefined || NO_COLOR === "") && TERM !== "dumb";
}

/** Exit statuses. `problems`: the definitions, or what stands around them. `usage`: the command was called wrongly. `internal`: a bug of ours. `stopped`: by the user. */
export const exit = { fine: 0, problems: 1, usage: 2, internal: 3, stopped: 130 } as const;

/** One of the exit statuses. */
export type ExitStatus = (typeof exit)[keyof typeof exit];

/** Ends the command with a line for the user and an exit status. */
export class Stop extends Error {
  readonly status: ExitStatus;

  constructor(message: string, status: ExitStatus) {
    super(message);
    this.status = status;
  }
}

/** The command was called wrongly. */
export const usage = (message: string): Stop => new Stop(message, exit.usage);

/** Something outside of the definitions is in the way, such as a file that cannot be read. */
export const failure = (message: string): Stop => new Stop(message, exit.problems);
