import type { Json } from "../../json.ts";
import { excerpt } from "./json-text.ts";
import { hasKey, isRecord, typeOf } from "./types.ts";

/**
 * The error of a failing expression; evaluation throws no other, except for bugs. Has no stack trace, whose capture takes
 * most of the time of a `try`.
 */
export class EvaluationError extends Error {
  declare readonly value: Json;
  /** Whether a limit was exceeded; `try` does not catch that. */
  declare readonly isLimit: boolean;

  constructor(value: Json, isLimit: boolean = false) {
    const message = messageOf(value);
    const limit = Error.stackTraceLimit;
    Reflect.set(Error, "stackTraceLimit", 0);
    super(message);
    Reflect.set(Error, "stackTraceLimit", limit);
    this.name = "EvaluationError";
    this.value = value;
    this.isLimit = isLimit;
  }
}

/** The message of an error value: its string `message`, a string itself, otherwise JSON. */
export function messageOf(value: Json): string {
  if (typeof value === "string") return value;
  const message = isRecord(value) && hasKey(value, "message") ? value.message : undefined;
  if (typeof message === "string") return message;
  return stringifyBounded(message === undefined ? value : message);
}

/** Values with shared substructure may be exponentially large. */
function stringifyBounded(value: Json): string {
  let parts = 0;
  return JSON.stringify(value, (_, part: Json) => {
    parts++;
    if (parts > 10000000) throw new RangeError("A value is too large.");
    return part;
  });
}

/** `error`: fails with a value. */
export function raise(value: Json): never {
  throw new EvaluationError(value);
}

/** Fails with a message about one value: `number (1) has no keys`. */
export function raiseOne(value: Json, what: string): never {
  return raise(`${typeOf(value)} (${excerpt(value)}) ${what}`);
}

/** Fails with a message about two values: `number (1) and string ("a") cannot be added`. */
export function raiseTwo(left: Json, right: Json, what: string): never {
  return raise(`${typeOf(left)} (${excerpt(left)}) and ${typeOf(right)} (${excerpt(right)}) ${what}`);
}

/** Fails because a limit is exceeded; `try` does not catch it. */
export function raiseLimit(message: string): never {
  throw new EvaluationError({ name: "LimitError", message }, true);
}
