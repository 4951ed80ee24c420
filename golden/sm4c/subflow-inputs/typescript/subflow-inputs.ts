// subflow-inputs 1.0, from sm4c. Change the definition, not this file.
import { member } from "./member.ts";
import {
  type Flow,
  type Json,
  defineWorkflow,
  elementsOf,
  errorOf,
  failure,
  get,
  length,
  listIn,
  plus,
  raise,
  slice,
  typeOf,
  valueOf,
  withMember,
} from "./runtime.js";
import { eachChanges, eachJudge, eachRaise } from "./subflow-inputs.expressions.ts";

/** The members of the workflow data that the workflow uses. */
export type Data = { readonly items?: Json; readonly [member: string]: Json | undefined };

/** subflow-inputs */
export const subflowInputs = defineWorkflow({
  id: "subflow-inputs",
  version: "ad029f51e171b10e",
  name: "subflow-inputs",
  run: async (flow: Flow, _fn: object, data: Data): Promise<Json> => {
    let rest!: Json;
    // Each (state)
    {
      const items = data.items ?? null;
      rest = listIn(items, {
        name: "SM4C.NotAnArray",
        message: "The input of a foreach action has to give an array.",
      });
    }
    let results: Json = [];
    let gathered: Json = [];
    while (true) {
      ({ rest, gathered, results } = await flow.round("Each/test", { rest, gathered, results }));
      if (length(rest) > 0) {
        const eachOutcomes = await flow.forEach(
          "Each/each",
          slice(rest, null, 1) as readonly Json[],
          (flow, element) => eachEach(flow, element),
          { width: 1 },
        );
        gathered = plus(
          gathered,
          elementsOf(eachOutcomes).flatMap((item) => elementsOf(get(item, "changes"))),
        );
        results = plus(
          results,
          elementsOf(eachOutcomes).map((item) => get(item, "result")),
        );
        rest = slice(rest, 1, null);
        if (eachJudge(eachOutcomes) === true) {
          eachChanges(data, gathered);
          throw errorOf(eachRaise(eachOutcomes));
        }
      } else {
        break;
      }
    }
    data = eachChanges(data, gathered) as Data;
    data = withMember(data, "members", results);
    // Apart (state)
    let view: Json = valueOf(data.items ?? null, 0);
    if (typeOf(view) === "object") await flow.launch("Apart/first", member, view);
    if (typeOf(view) === "object") await flow.launch("Apart/second", member, view);
    // Last (state)
    view = valueOf(data.items ?? null, 0);
    const lastResult = await flow.invoke(
      "Last/member",
      member,
      typeOf(view) === "object"
        ? view
        : raise({ name: "InvalidInput", message: "The input of a run has to be an object." }),
    );
    data = withMember(data, "last", lastResult);
    return data;
  },
});

/** Each, for each element */
async function eachEach(flow: Flow, element: Json): Promise<Json> {
  let changes: Json = [];
  let result2!: Json;
  let result!: Json;
  try {
    await flow.attempt("attempt", async (flow) => {
      eachResult: {
        try {
          result2 = await flow.invoke(
            "member",
            member,
            typeOf(element) === "object"
              ? element
              : raise({ name: "InvalidInput", message: "The input of a run has to be an object." }),
          );
        } catch (caught) {
          const error = failure(caught);
          if (error.name !== "InvalidInput") throw caught;
          changes = plus(changes, [{ handler: 0, error }]);
          result2 = null;
          break eachResult;
        }
      }
      result = result2;
    });
  } catch (caught) {
    const error = failure(caught);
    return { failure: error, changes };
  }
  return { result, changes };
}
