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
  /** The member of a result that is not an object; for SonataFlow, it is always `response`. */
  readonly name: string;
  readonly place: Place;
}

/** A program that merges a result into the data: the input of the task, or its value in `data`. */
export function mergeInto(context: WriterContext, merge: Merge, data = "$input"): string {
  const { result, to, name, place } = merge;
  const { merging } = context.machine;
  if (to && (!to.names || (merging === "members" && to.names.length > 1))) {
    const program = `${operand(result)} as $result | ${data} | ${to.jq} ${merging === "members" ? "= $result" : atPath}`;
    if (merging !== "members") tellArrays(context, program, place);
    return program;
  }
  const isObject = to !== undefined || yieldsObject(result);
  const created = objectAt(to?.names ?? [], result);
  const operator = merging === "members" ? "+" : "*";
  const program = `${data} ${operator} ${isObject ? operand(created) : `(${created} // {})`}`;
  const outer = (to?.names ?? []).slice(0, -1);
  const assumed = [
    ...(outer.length === 0 ? [] : [`\`${outer.map(memberPath).join("")}\` is an object or null`]),
    ...(isObject ? [] : ["the result is an object or null"]),
    ...(merging !== "objects and arrays" ? [] : [noArrays]),
  ];
  if (assumed.length > 0)
    context.tell(assumption, place, {
      expression: program,
      assumed: assumed.join(", and that "),
      otherwise: isObject
        ? outer.length === 0
          ? unionHint
          : failureHint
        : `For another result, write \`${data} + { ${memberFor(context, name)}: ${result} }\`.`,
    });
  if (merging === "objects") tellArrays(context, program, place);
  return program;
}

const memberFor = ({ machine }: WriterContext, name: string): string =>
  keyOf(machine.merging === "objects" ? "response" : name);

/** Replaces the value at a path, or merges objects. */
const atPath = '|= if [type, ($result | type)] == ["object", "object"] then . * $result else $result end';

const noArrays = "the data have no array where the result has a value";

/** Reports that arrays are not merged as in 0.8; SonataFlow appends only other values to arrays, which is rare. */
function tellArrays({ machine, tell, arrayMerges }: WriterContext, program: string, place: Place): void {
  if (machine.merging === "objects") arrayMerges.push({ program, place });
  else tell(assumption, place, { expression: program, assumed: noArrays, otherwise: unionHint });
}

/** Reports once where a definition for SonataFlow would append to an array. */
export function reportArrayMerges({ tell, arrayMerges }: WriterContext): void {
  const [first, ...others] = arrayMerges;
  if (!first) return;
  tell(
    assumption,
    first.place,
    {
      expression: first.program,
      assumed: "the data have no array where the result has another value",
      otherwise: "SonataFlow appends such a value to the array; `*` replaces the array.",
    },
    others.map(({ place }) => place),
  );
}

/** A program that merges constant data. */
export function mergeLiteral(context: WriterContext, data: JsonObject, place: Place): string {
  const { machine, tell } = context;
  if (Object.keys(data).length === 0) return ".";
  const program = `. ${machine.merging === "members" ? "+" : "*"} ${literalOf(data)}`;
  if (machine.merging === "objects and arrays")
    tell(assumption, place, {
      expression: program,
      assumed: "the data have no array where these have a value",
      otherwise: unionHint,
    });
  if (machine.merging === "objects") tellArrays(context, program, place);
  return program;
}

const failureHint = "Otherwise, Serverless Workflow 0.8 fails here; `*` replaces the value.";

const unionHint = "Serverless Workflow 0.8 unites such arrays; `*` keeps the array of the result.";

/** A program for the members that a result adds to the data, or changes. */
export function changesOf(context: WriterContext, { result, to, name, place }: Merge): string | undefined {
  if (to && to.names?.length !== 1) return undefined;
  const isObject = to !== undefined || yieldsObject(result);
  const program = isObject ? objectAt(to?.names ?? [], result) : `${result} // {}`;
  if (!isObject)
    context.tell(assumption, place, {
      expression: program,
      assumed: "the result is an object or null",
      otherwise: `For another result, write \`{ ${memberFor(context, name)}: ${result} }\`.`,
    });
  if (context.machine.merging !== "members") tellArrays(context, program, place);
  return program;
}

/** The program of an `output` that has one. */
export function asOf(output: Json | undefined): string | undefined {
  const as = isObject(output) ? own(output, "as") : undefined;
  return typeof as === "string" ? unwrapped(as) : undefined;
}
