import { noForm } from "../../diagnostics/migration.ts";
import type { Jq } from "../../expressions/index.ts";
import { isObject, type Json, own } from "../../json.ts";
import { literalOf, memberPath, parse, replaceQueries, unwrapped } from "../jq-text.ts";
import type { Place } from "../model.ts";
import { objectAt, type ReaderContext, textAt } from "./context.ts";

/** Whether a string is a program. */
export const isProgram = (text: string): boolean => parse(text) !== undefined;

/** Whether 1.0 allows secrets where a program is. */
export type SecretUse = "allowed" | "refused";

/** Rewrites what a program reads besides the data: functions, constants, secrets and the run. */
export function translate(context: ReaderContext, program: string, place: Place, secrets: SecretUse): string {
  const [, name] = /^fn:\s*(.+)$/.exec(program) ?? [];
  const definition = name === undefined ? undefined : context.functions.get(name.trim());
  const operation = definition && textAt(definition, "operation");
  if (definition && operation !== undefined)
    return translate(context, unwrapped(operation) ?? operation, { owner: definition, key: "operation" }, secrets);
  return replaceQueries(program, (query) => replacementOf(context, query, place, secrets));
}

function replacementOf(context: ReaderContext, query: Jq, place: Place, secrets: SecretUse): string | undefined {
  const { root, names } = chainOf(query);
  if (root === undefined) return undefined;
  switch (root) {
    case "CONST":
      return constantAt(context, names);
    case "SECRET":
    case "SECRETS":
      if (secrets === "refused")
        context.tell(noForm, place, {
          construct: "a secret outside of the arguments of a call",
          hint: "Pass it to a function; the data of a run are stored.",
        });
      if (names[0] !== undefined) context.secrets.add(names[0]);
      return `$secrets${names.map(memberPath).join("")}`;
    case "WORKFLOW":
      return runMember(context, names, place);
    default:
      return undefined;
  }
}

/** The variable and the members of `$x.a.b`. */
function chainOf(query: Jq): { readonly root: string | undefined; readonly names: readonly string[] } {
  const names: string[] = [];
  for (let each = query; ; each = each.target) {
    if (each.kind === "variable") return { root: each.name, names: names.reverse() };
    if (each.kind !== "index" || each.key.kind !== "string") return { root: undefined, names };
    names.push(each.key.value);
  }
}

function constantAt({ definition }: ReaderContext, names: readonly string[]): string {
  let value: Json | undefined = objectAt(definition, "constants");
  for (const name of names) value = isObject(value) ? own(value, name) : undefined;
  return literalOf(value ?? null);
}

const runMembers: ReadonlyMap<string, string> = new Map([
  ["instanceId", "$workflow.id"],
  ["id", "$workflow.definition.document.name"],
  ["name", "$workflow.definition.document.name"],
  ["version", "$workflow.definition.document.version"],
]);

function runMember(context: ReaderContext, names: readonly string[], place: Place): string {
  const found = names.length === 1 ? runMembers.get(names[0]!) : undefined;
  if (found === undefined)
    context.tell(noForm, place, {
      construct: `\`$WORKFLOW${names.map(memberPath).join("")}\``,
      hint: "Keep the value in the data.",
    });
  return found ?? "null";
}
