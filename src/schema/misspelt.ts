import type { Json } from "../json.ts";
import { nearest } from "../text/suggest.ts";
import type { Fault } from "./faults.ts";

type Missing = Extract<Fault, { kind: "missing" }>;
type Unknown = Extract<Fault, { kind: "unknown" }>;

/** The faults with a property that is missing and one beside it that has nearly its name taken as one: the property is misspelt. */
export function joinMisspelt(faults: readonly Fault[]): readonly Fault[] {
  const missing = new Map<Json, Missing[]>();
  for (const fault of faults) {
    if (fault.kind !== "missing") continue;
    const { value } = fault.site;
    missing.set(value, [...(missing.get(value) ?? []), fault]);
  }
  const misspelt = new Map<Missing, Unknown>();
  for (const fault of faults) {
    const meant = fault.kind === "unknown" ? meantBy(fault, missing.get(fault.site.value) ?? []) : undefined;
    if (meant && fault.kind === "unknown" && !misspelt.has(meant)) misspelt.set(meant, fault);
  }
  const joined = new Set<Fault>(misspelt.values());
  return faults.flatMap((fault) => {
    if (joined.has(fault)) return [];
    const found = fault.kind === "missing" ? misspelt.get(fault) : undefined;
    return fault.kind === "missing" && found ? [{ ...fault, misspelt: found.name }] : [fault];
  });
}

function meantBy({ name, known }: Unknown, missing: readonly Missing[]): Missing | undefined {
  if (missing.length === 0) return undefined;
  const meant = nearest(name, known);
  return meant === undefined ? undefined : missing.find(({ names }) => names.includes(meant));
}
