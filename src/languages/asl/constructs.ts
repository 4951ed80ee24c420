import type { Machine } from "../../generated/asl-definition.ts";
import { isObject, type Json, type JsonObject } from "../../json.ts";
import type { StatesOwner } from "./context.ts";
import { innerOwners } from "./graph.ts";

/** The fields of all states of a machine, by name, without comments and without the states inside of them. */
export function fieldsByState(machine: Machine): ReadonlyMap<string, JsonObject> {
  const found = new Map<string, JsonObject>();
  const collect = ({ States }: StatesOwner): void => {
    for (const [name, state] of Object.entries(States)) {
      found.set(name, fieldsOf(state as unknown as JsonObject));
      for (const inner of innerOwners(state)) collect(inner);
    }
  };
  collect(machine);
  return found;
}

/** The fields of a machine itself. */
export const fieldsOfMachine = (machine: Machine): JsonObject => {
  const { States: _, Comment: __, ...fields } = machine as unknown as JsonObject;
  return fields;
};

function fieldsOf(state: JsonObject): JsonObject {
  const { Comment: _, ...fields } = state;
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]): [string, Json] => {
      if (name === "Branches" && Array.isArray(value)) return [name, (value as readonly Json[]).map(withoutStates)];
      if (name === "ItemProcessor" || name === "Iterator") return [name, withoutStates(value)];
      return [name, partsWithComments.has(name) ? withoutComments(value) : value];
    }),
  );
}

function withoutStates(value: Json): Json {
  if (!isObject(value)) return value;
  const { States: _, Comment: __, ...fields } = value;
  return fields;
}

/** Fields whose objects, at any depth, are of the language, not data. */
const partsWithComments: ReadonlySet<string> = new Set(["Retry", "Catch", "Choices"]);

/** Data of catchers and rules, in which a `Comment` is a member like others. */
const data: ReadonlySet<string> = new Set(["Assign", "Output"]);

function withoutComments(value: Json): Json {
  if (Array.isArray(value)) return (value as readonly Json[]).map(withoutComments);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, part]) =>
      name === "Comment" ? [] : [[name, data.has(name) ? part : withoutComments(part)]],
    ),
  );
}
