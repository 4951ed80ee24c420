import { reasonOf } from "./system-errors.ts";

/** Files could not be written or compared. The message continues a sentence that begins with the path: "is no folder". */
export class OutputFailure extends Error {
  /** Relative to the output folder; empty for the folder itself. */
  readonly path: string;

  constructor(path: string, message: string) {
    super(message);
    this.path = path;
  }
}

/** Does something with a file. What the system refuses becomes an `OutputFailure` that names the file. */
export function attempt<T>(path: string, verb: "read" | "written" | "removed", act: () => T): T {
  try {
    return act();
  } catch (error) {
    const reason = reasonOf(error);
    throw reason === undefined ? error : new OutputFailure(path, `cannot be ${verb}: ${reason}`);
  }
}
