import type { Statements } from "./statements.ts";
import { complete } from "./store.ts";

/** A group of suspects that were being tried when the last process died. */
export interface SuspectGroup {
  /** The numbers of the first and the last run. */
  readonly first: number;
  readonly last: number;
  /** How long the process lived at most, in milliseconds. */
  readonly after: number;
}

/** The group of suspects that began last before the process died; undefined if none was tried. */
export function blamedGroup({ mark }: Statements): SuspectGroup | undefined {
  const markOf = (name: string) => complete(mark.get(name))?.value;
  const [first, last, after] = [markOf("suspect_first"), markOf("suspect_last"), markOf("suspect_after")];
  return first === undefined || last === undefined || after === undefined ? undefined : { first, last, after };
}
