import type { ForEach, Fork, Scope } from "./workflow.ts";

/** The common prefix of step ids in an inner scope: that of the enclosing step or its construct, `P/` for `P/each`. */
export function commonPrefix({ id }: Fork | ForEach, { steps }: Scope, inner = ""): string {
  const parts = id.split("/");
  const prefixes = parts.map((_, i) => `${parts.slice(0, parts.length - i).join("/")}/${inner}`);
  return prefixes.find((prefix) => steps.every((step) => step.id.startsWith(prefix))) ?? prefixes[0]!;
}

/** The name of a step in its function of a program: without the prefix of all its steps, and escaped. */
export const stepNameIn = (prefix: string, id: string): string =>
  escapeStepName(id.startsWith(prefix) && id.length > prefix.length ? id.slice(prefix.length) : id);

/** The name of a step whose escaped form is in a program. */
export const unescapeStepName = (name: string): string =>
  name.replace(/%(25|23|5b)/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));

/** Escapes the characters with which the runtime numbers steps. */
export const escapeStepName = (name: string): string =>
  name.replace(/[%#[]/g, (mark) => `%${mark.charCodeAt(0).toString(16)}`);
