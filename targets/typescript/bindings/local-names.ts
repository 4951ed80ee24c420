import { camelCase, pascalCase } from "../emit/names.ts";

/** Gives names for what a module declares or imports: each another one. */
export interface LocalNames {
  value(wanted: string): string;
  type(wanted: string): string;
}

/** Names beside those that `functions.ts` always has. */
export function namesOf(taken: readonly string[]): LocalNames {
  const used = new Set([...reserved, ...taken]);
  const fresh = (base: string): string => {
    let name = base;
    for (let i = 2; used.has(name); i += 1) name = `${base}${i}`;
    used.add(name);
    return name;
  };
  return { value: (wanted) => fresh(camelCase(wanted)), type: (wanted) => fresh(pascalCase(wanted)) };
}

const reserved: readonly string[] = (
  "functions sinks http openapi grpc WorkflowError Json JsonObject Sink URL Promise undefined arguments await break case catch class const continue debugger default " +
  "delete do else enum eval export extends false finally for function if implements import in instanceof interface let new null package private " +
  "protected public return static super switch this throw true try typeof var void while with yield async of"
).split(" ");
