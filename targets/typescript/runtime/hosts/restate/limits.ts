import { failureFrom, failureText, WorkflowError } from "../../internal.ts";

// Restate accepts messages of 32 MiB, and journals of that size.

/** The maximum number of characters of one value; a character needs up to three bytes. */
export const longest = 10 * 1024 * 1024;

/** The maximum number of bytes of all results of a run. */
const maxJournalSize = 24 * 1024 * 1024;

/** Why a value cannot be recorded; undefined if it can. */
export function excessOf(value: unknown): string | undefined {
  const { length } = JSON.stringify(value) ?? "";
  return length > longest ? `it has ${length} characters, and Restate takes ${longest}` : undefined;
}

/** The size of a recorded value in bytes. */
export const sizeOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value) ?? "");

/** Throws if a value cannot be recorded. */
export function requireShort(what: string, value: unknown): void {
  const excess = excessOf(value);
  if (excess !== undefined)
    throw new WorkflowError("DataError", `${what} cannot be recorded: ${excess}.`, { origin: "function" });
}

/** Throws an error that no handler catches if the results of a run are too large for Restate to replay it. */
export function requireRoom(size: number): void {
  if (size > maxJournalSize)
    throw new WorkflowError(
      "LimitError",
      `The steps and events of the run have more than ${maxJournalSize} bytes in all: Restate could not continue it.`,
      { origin: "limit", fatal: true },
    );
}

/** The recorded form of a failure. If it is too long, it has a short message and no data. */
export function failureOf(thrown: unknown): string {
  const failure = failureFrom(thrown);
  const text = failureText(failure);
  if (text.length <= longest) return text;
  const { name, origin } = failure;
  return failureText(
    new WorkflowError("DataError", `What the failure ${name.slice(0, 100)} says cannot be recorded: it is too long.`, {
      origin,
    }),
  );
}
