import type { Json } from "../../json.ts";
import { excerpt } from "./json-text.ts";
import { hasKey, isRecord, typeOf } from "./types.ts";

/** What a failing expression throws. Anything else that evaluation throws is a bug of ours, or a limit of the machine. */
export class EvaluationError extends Error {
  /** What the expression failed with. */
  declare readonly value: Json;
  /** Whether it went on for too long or became too large: then nothing in the expression catches it. */
  declare readonly isLimit: boolean;

  constructor(value: Json, isLimit: boolean = false) {
    super(messageOf(value));
    this.name = "EvaluationError";
    this.value = value;
    this.isLimit = isLimit;
  }
}

/** The message of what an expression failed with: its own where it is an object with a text as `message`, a string as it is, else JSON. */
export function messageOf(value: Json): string {
  if (typeof value === "string") return value;
  const message = isRecord(value) && hasKey(value, "message") ? value.message : undefined;
  if (typeof message === "string") return message;
  return writtenOut(message === undefined ? value : message);
}

/** Values that have parts many times may have them without an end: after so many it is a limit. */
function writtenOut(value: Json): string {
  let parts = 0;
  return JSON.stringify(value, (_, part: Json) => {
    parts++;
    if (parts > 10000000) throw new RangeError("A value is too large.");
    return part;
  });
}

/** `error`: fails with a value, which `try … catch .` gives. */
export function raise(value: Json): never {
  throw new EvaluationError(value);
}

/** Fails because of one value: `number (1) has no keys`. */
export function raiseOne(value: Json, what: string): never {
  return raise(`${typeOf(value)} (${excerpt(value)}) ${what}`);
}

/** Fails because of two values: `number (1) and string ("a") cannot be added`. */
export function raiseTwo(left: Json, right: Json, what: string): never {
  return raise(`${typeOf(left)} (${excerpt(left)}) and ${typeOf(right)} (${excerpt(right)}) ${what}`);
}

/** Fails because something would need too much time or memory, and no `try` catches that; jq itself has no such limit. */
export function raiseLimit(message: string): never {
  throw new EvaluationError({ name: "LimitError", message }, true);
}
