import type { StandardErrors } from "../../src/ir/problems.ts";
import { intrinsics } from "./intrinsics.ts";

// The parts of the problem details of a caught error, as `problemOf` has them, in JSONata. `$d` is the data of a
// function's error, and `$k` the standard error that it is.

/** Parts of a caught error, each with its own code: of its problem details, or the status in its own data. */
export const errorParts = ["kind", "type", "status", "title", "detail", "given"] as const;

/** A part of a caught error. */
export type ErrorPart = (typeof errorParts)[number];

/** The variables of the parts of the error that a state catches. */
export const caughtParts: { readonly [Part in ErrorPart]: string } = {
  kind: intrinsics.errorKind,
  type: intrinsics.errorType,
  status: intrinsics.errorStatus,
  title: intrinsics.errorTitle,
  detail: intrinsics.errorDetail,
  given: intrinsics.errorGiven,
};

/** A value that may be missing. */
export const orNull = (code: string): string => `($exists(${code}) ? ${code} : null)`;

/** The parts of the problem details of an error that is a standard one by its origin. */
export function standardParts(origin: "timeout" | "expression", standard: StandardErrors | undefined) {
  const kind = standard?.origins[origin] ?? "";
  const { status = null, title = "" } = standard?.errors[kind] ?? {};
  return {
    kind: JSON.stringify(kind),
    type: JSON.stringify(`${standard?.prefix}${kind}`),
    status: JSON.stringify(status),
    title: JSON.stringify(title),
    detail: "null",
    given: "null",
  };
}

/** The standard error that a function's error is. */
export const kindOf = (error: string, { errors, origins }: StandardErrors): string =>
  `${error}.Error in ${JSON.stringify(Object.keys(errors))} ? ${error}.Error : ${JSON.stringify(origins.function)}`;

const isUri = (name: string): string => `$contains(${name}, /^[A-Za-z][A-Za-z0-9+.-]*:\\/\\//)`;

/** The parts of the problem details of a function's error, as `problemOf` has them. */
export function thrownParts(name: string, message: string, { prefix, errors }: StandardErrors) {
  const table = (member: "status" | "title"): string =>
    JSON.stringify(Object.fromEntries(Object.entries(errors).map(([each, error]) => [each, error[member]])));
  const isNamed = `($k = ${name} or ${isUri(name)})`;
  const standardType = `${JSON.stringify(prefix)} & $k`;
  const own = "$exists($d.instance)";
  const titled = `${isNamed} ? (${message} = "" ? $lookup(${table("title")}, $k) : ${message}) : ${name}`;
  const kind = `$type($d.type) = "string" ? ($d.type = ${standardType} ? $k : $d.type)`;
  const known = `$lookup(${table("status")}, $k)`;
  return {
    kind: `(${own} ? ${name} : ${kind} : ${isUri(name)} ? ${name} : $k)`,
    type: `(${own} or $type($d.type) = "string" ? ${orNull("$d.type")} : ${isUri(name)} ? ${name} : ${standardType})`,
    status: `(${own} or $type($d.status) = "number" ? ${orNull("$d.status")} : ${known})`,
    title: `(${own} ? ${orNull("$d.title")} : ${titled})`,
    detail: `(${own} ? ${orNull("$d.detail")} : ($s := $type($d.detail) = "string" ? $d.detail : ${isNamed} ? "" : ${message}; $s = "" ? null : $s))`,
  };
}
