import { assumption } from "../../diagnostics/migration.ts";
import { isObject, type Json, type JsonObject, own } from "../../json.ts";
import { keyOf, literalOf, memberPath, objectAt, operand, unwrapped, yieldsObject } from "../jq-text.ts";
import type { Path, Place } from "../model.ts";
import type { WriterContext } from "./context.ts";

/** A result and where in the data it is merged. */
export interface Merge {
  /** A program whose input is the raw output of the task. */
  readonly result: string;
  readonly to: Path | undefined;
  /** The member of a result that is not an object. */
  readonly name: string;
  readonly place: Place;
}

/** A program that merges a result into the data: the input of the task, or its value in `data`. */
export function mergeInto(context: WriterContext, merge: Merge, data = "$input"): string {
  const { result, to, name, place } = merge;
  const isNested = context.machine.merging === "members" && (to?.names?.length ?? 0) > 1;
  if (to && (!to.names || isNested)) return `${operand(result)} as $result | ${data} | ${to.jq} = $result`;
  const { merging } = context.machine;
  const isObject = to !== undefined || yieldsObject(result);
  const created = objectAt(to?.names ?? [], result);
  const operator = merging === "members" ? "+" : "*";
  const program = `${data} ${operator} ${isObject ? operand(created) : `(${created} // {})`}`;
  const outer = (to?.names ?? []).slice(0, -1);
  const assumed = [
    ...(outer.length === 0 ? [] : [`\`${outer.map(memberPath).join("")}\` is an object or null`]),
    ...(isObject ? [] : ["the result is an object or null"]),
    ...(merging !== "objects and arrays" ? [] : ["the data and the result have no array of the same name"]),
  ];
  if (assumed.length > 0)
    context.tell(assumption, place, {
      expression: program,
      assumed: assumed.join(", and that "),
      otherwise: isObject
        ? outer.length === 0
          ? unionHint
          : failureHint
        : `For another result, write \`${data} + { ${keyOf(name)}: ${result} }\`.`,
    });
  return program;
}

/** A program that merges constant data. */
export function mergeLiteral({ machine, tell }: WriterContext, data: JsonObject, place: Place): string {
  const program = `. ${machine.merging === "members" ? "+" : "*"} ${literalOf(data)}`;
  if (machine.merging === "objects and arrays")
    tell(assumption, place, {
      expression: program,
      assumed: "the data have no array where these have a value",
      otherwise: unionHint,
    });
  return program;
}

const failureHint = "Otherwise, Serverless Workflow 0.8 fails here; `*` replaces the value.";

const unionHint = "Serverless Workflow 0.8 unites such arrays; `*` keeps the array of the result.";

/** A program for the members that a result adds to the data, or changes. */
export function changesOf({ tell }: WriterContext, { result, to, name, place }: Merge): string | undefined {
  if (to && to.names?.length !== 1) return undefined;
  if (to || yieldsObject(result)) return objectAt(to?.names ?? [], result);
  const program = `${result} // {}`;
  tell(assumption, place, {
    expression: program,
    assumed: "the result is an object or null",
    otherwise: `For another result, write \`{ ${keyOf(name)}: ${result} }\`.`,
  });
  return program;
}

/** The program of an `output` that has one. */
export function asOf(output: Json | undefined): string | undefined {
  const as = isObject(output) ? own(output, "as") : undefined;
  return typeof as === "string" ? unwrapped(as) : undefined;
}
