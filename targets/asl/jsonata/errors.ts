import { stringText } from "./code.ts";

/**
 * Matches a deliberate failure's name and message in a Cause. Both are percent-encoded to protect them from JSONata's
 * message templates. The Cause also quotes the expression, but a quote follows the marker there.
 */
export const errorMarker = "waybill:([^ :]*): ([\\s\\S]*)$";

/** JSONata that fails with the name and message `text`, joined by `: `. */
export const errorCall = (text: string): string => `$error("waybill:" & ${text})`;

/** JSONata that fails with a constant name and message. */
export const fixedError = (name: string, message: string): string =>
  errorCall(
    stringText(`${name.replace(/[%{: ]/g, encodeURIComponent)}: ${message.replace(/[%{]/g, encodeURIComponent)}`),
  );

/** JSONata that fails because of its own limits, which the expression does not catch. */
export const limitError = (message: string): string => fixedError("LimitError", message);

/** The beginning of a helper that returns a failed argument unchanged. */
export const propagateFailure = (name: string): string => `$type(${name}) = "function" ? ${name} :`;

/** The name and message of a deliberate failure in a Cause. */
export function parseErrorMarker(cause: string): { readonly name: string; readonly message: string } | undefined {
  const [, name, message] = new RegExp(errorMarker).exec(cause) ?? [];
  return name === undefined || message === undefined ? undefined : { name: decode(name), message: decode(message) };
}

/** AWS may cut off a Cause within an escape. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The variable with the encoded error of an outer failure. Workflow variables have no quotes in their names. */
export const outerFailure = "failure'";
