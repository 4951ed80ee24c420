import type { LogEntry, Telemetry } from "../engine.ts";
import { WorkflowError } from "../errors.ts";

/** Logs the stacks of failed calls at level debug: of each attempt, with the causes and parts of its error. */
export const failureLog = (log: (entry: LogEntry) => void): Telemetry => ({
  started: ignore,
  resumed: ignore,
  suspended: ignore,
  ended: ignore,
  call({ id, workflow }, { step, key, attempt }, work) {
    const fail = (reason: unknown): never => {
      const stack = describeFailure(causeOf(reason));
      log({ level: "debug", message: "A call has failed.", run: id, workflow, step, key, attempt, stack });
      throw reason;
    };
    try {
      const result = work();
      return result instanceof Promise ? result.catch(fail) : result;
    } catch (reason) {
      return fail(reason);
    }
  },
});

const ignore = (): void => undefined;

/** What a function has thrown, if a failure was made from it. */
export const causeOf = (reason: unknown): unknown =>
  reason instanceof WorkflowError && reason.origin === "function" ? (reason.cause ?? reason) : reason;

/** The stack of an error, and those of its causes and of the errors that it collects; of at most 10,000 characters. */
export function describeFailure(reason: unknown): string {
  const seen = new Set<unknown>();
  const texts: string[] = [];
  const visit = (each: unknown, role: string): void => {
    if (seen.has(each) || seen.size >= maxErrors) return;
    seen.add(each);
    texts.push(role + stackOf(each));
    if (!(each instanceof Error)) return;
    if (each.cause !== undefined) visit(each.cause, "caused by: ");
    if (each instanceof AggregateError) for (const part of each.errors) visit(part, "with: ");
  };
  visit(reason, "");
  return texts.join("\n").slice(0, maxLength);
}

/** Values that functions throw may have getters that throw. */
function stackOf(thrown: unknown): string {
  try {
    return thrown instanceof Error ? String(thrown.stack ?? thrown) : String(thrown);
  } catch {
    return "(an error without a text)";
  }
}

const maxErrors = 20;
const maxLength = 10_000;
