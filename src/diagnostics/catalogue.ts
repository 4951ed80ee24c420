import type { DiagnosticKind } from "../text/diagnostics.ts";
import * as messages from "./index.ts";

/** What all kinds of diagnostics have. */
export type Kind = Pick<DiagnosticKind<never>, "code" | "severity" | "summary">;

/** Every kind of diagnostic that there is, by its code, in the order of the codes. */
export const catalogue: ReadonlyMap<string, Kind> = new Map(
  Object.values<unknown>(messages)
    .filter(isKind)
    .sort((a, b) => (a.code < b.code ? -1 : 1))
    .map((kind) => [kind.code, kind]),
);

function isKind(value: unknown): value is Kind {
  return typeof value === "function" && "code" in value && "severity" in value && "summary" in value;
}
