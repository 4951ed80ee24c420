import type { CloudEvent } from "../events.ts";

// What every host refuses before it keeps anything of it. Half of a pair of surrogates is no character: some stores would keep it as another one, and take two
// ids for one.

/** Throws where something is no event that a host can take in. */
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
    typeof id !== "string" ? "it is no text" : id.isWellFormed() ? undefined : "it has half of a pair of surrogates";
  if (fault !== undefined) throw new TypeError(`A run cannot have the id ${JSON.stringify(id)}: ${fault}.`);
}
