/**
 * An expression that fails on purpose says so with `$error` and this mark, its name and its message. The failure's text on Step Functions
 * quotes the expression too: that the mark stands apart from the name there tells the two from each other.
 */
export const errorCall = (text: string): string => `$error("waybill:" & ${text})`;

/** The name and message in the Cause of a failed expression, where it failed on purpose. */
export function parseErrorMarker(cause: string): { readonly name: string; readonly message: string } | undefined {
  const [, name, message] = /waybill:([A-Za-z]+): ([^]*)$/.exec(cause) ?? [];
  return name === undefined || message === undefined ? undefined : { name, message };
}
