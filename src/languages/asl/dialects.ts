import type { Machine, State } from "../../generated/asl-definition.ts";
import type { Json } from "../../json.ts";

/** Whether a state is in JSONata. States of branches and iterations inherit the language of the machine. */
export const usesJsonata = (
  { machine }: { readonly machine: Pick<Machine, "QueryLanguage"> },
  state: Pick<State, "QueryLanguage">,
): boolean => (state.QueryLanguage ?? machine.QueryLanguage) === "JSONata";

/** Whether a value is an expression of JSONata. */
export const isProgram = (value: Json | undefined): value is string =>
  typeof value === "string" && value.length >= 4 && value.startsWith("{%") && value.endsWith("%}");
