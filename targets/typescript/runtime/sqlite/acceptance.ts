import type { CloudEvent } from "../events.ts";

// What every host rejects before it stores anything. A lone surrogate is not a character: some stores would replace it,
// and two ids would become one.

/** Throws if a value is not an event that hosts accept. */
export function requireEvent(event: CloudEvent): void {
  const fault = faultIn(event);
  if (fault !== undefined) throw new TypeError(`The event cannot be taken in: ${fault}.`);
}

function faultIn(event: CloudEvent): string | undefined {
  if (typeof event !== "object" || event === null || Array.isArray(event)) return "it is not an object";
  for (const name of ["specversion", "id", "source", "type"]) {
    const text = event[name];
    if (typeof text !== "string" || text === "") return `\`${name}\` has to be text that is not empty`;
    if (!text.isWellFormed()) return `\`${name}\` has half of a pair of surrogates`;
  }
  return undefined;
}

/** Throws where a run cannot have an id. */
export function requireId(id: string): void {
  const fault =
    typeof id !== "string"
      ? "it is not a string"
      : id.isWellFormed()
        ? undefined
        : "it has half of a pair of surrogates";
  if (fault !== undefined) throw new TypeError(`A run cannot have the id ${JSON.stringify(id)}: ${fault}.`);
}
