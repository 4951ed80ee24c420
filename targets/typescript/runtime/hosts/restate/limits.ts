import { WorkflowError } from "../../face.ts";
import { parts } from "../parts.ts";

// Restate takes messages of 32 MiB, and reads as much of a run that it executes again.

/** The most characters of one thing: each may need three bytes. */
export const longest = 10 * 1024 * 1024;

/** The most bytes of all that a run is told. */
const mostTold = 24 * 1024 * 1024;

/** Why something cannot be recorded, said of what it is; undefined where it can. */
export function excessOf(value: unknown): string | undefined {
  const { length } = JSON.stringify(value) ?? "";
  return length > longest ? `it has ${length} characters, and Restate takes ${longest}` : undefined;
}

/** How many bytes something has as it is recorded. */
export const sizeOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value) ?? "");

/** A failure where something cannot be recorded. */
export function requireShort(what: string, value: unknown): void {
  const excess = excessOf(value);
  if (excess !== undefined)
    throw new WorkflowError("DataError", `${what} cannot be recorded: ${excess}.`, { origin: "function" });
}

/** A failure that no handler takes, where a run would have been told so many bytes: Restate could not execute it again. */
export function requireRoom(told: number): void {
  if (told > mostTold)
    throw new WorkflowError(
      "LimitError",
      `The steps and events of the run have more than ${mostTold} bytes in all: Restate could not go on with it.`,
      { origin: "limit", fatal: true },
    );
}

/** The text of a failure as it is recorded: of one that is too long without its data. */
export function failureOf(thrown: unknown): string {
  const failure = parts.failureFrom(thrown);
  const text = parts.failureText(failure);
  if (text.length <= longest) return text;
  const { name, origin } = failure;
  return parts.failureText(
    new WorkflowError("DataError", `What the failure ${name.slice(0, 100)} says cannot be recorded: it is too long.`, {
      origin,
    }),
  );
}
