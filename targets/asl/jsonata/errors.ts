import { stringText } from "./code.ts";

/**
 * What stands in the Cause of `States.QueryEvaluationError` when an expression failed on purpose: the mark, the name
 * and the message. Names and messages are written so that JSONata's own templates of messages leave them alone:
 * `decodeURIComponent` reads both. The quotation of the expression, which stands before it in a Cause, has nothing like
 * it: there the mark stands apart from what follows.
 */
export const errorMarker = "waybill:([^ :]*): ([\\s\\S]*)$";

/** JSONata that fails with a mark, and with what `text` gives: a name and a message, joined by `: `. */
export const errorCall = (text: string): string => `$error("waybill:" & ${text})`;

/** JSONata that fails with a fixed name and message. */
export const fixedError = (name: string, message: string): string =>
  errorCall(
    stringText(`${name.replace(/[%{: ]/g, encodeURIComponent)}: ${message.replace(/[%{]/g, encodeURIComponent)}`),
  );

/**
 * JSONata that fails because it cannot compute what the expression asks for: no handler of the expression catches that.
 */
export const limit = (message: string): string => fixedError("LimitError", message);

/**
 * The beginning of a helper's text that passes on what a value failed with where failures are values: `$x` →
 * `$type($x) = "function" ? $x :`.
 */
export const passingOn = (name: string): string => `$type(${name}) = "function" ? ${name} :`;

/** The name and message in the Cause of a failed expression, where it failed on purpose. */
export function parseErrorMarker(cause: string): { readonly name: string; readonly message: string } | undefined {
  const [, name, message] = new RegExp(errorMarker).exec(cause) ?? [];
  return name === undefined || message === undefined ? undefined : { name: decoded(name), message: decoded(message) };
}

/** A text may have been cut off in the midst of a code. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/**
 * The variable that holds what an expression failed with elsewhere, as it stands behind the mark: its name and its message. No variable of a workflow has a
 * quote in its name.
 */
export const failedElsewhere = "failure'";
