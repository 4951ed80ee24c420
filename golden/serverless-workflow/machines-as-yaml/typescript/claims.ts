// Claims 1.0, from serverless-workflow. Change the definition, not this file.
import {
  type Answer,
  type Flow,
  type Json,
  type Step,
  assign,
  assignResult,
  comparesNodes,
  defineWorkflow,
  difference,
  errorData,
  failure,
  itemsOf,
  listIn,
  place,
  present,
} from "./runtime.js";

/** The functions that the workflow calls. */
export interface Functions {
  assess(
    argument: { readonly claim: Json; readonly note: Json; readonly "odd \u0024{key}": Json },
    step: Step,
  ): Answer<Json>;
  pay(argument: { readonly line: Json; readonly of: Json }, step: Step): Answer<Json>;
}

/** The members of the workflow data that the workflow uses. */
export type Data = {
  readonly claim?: { readonly id?: Json; readonly [member: string]: Json | undefined };
  readonly line?: Json;
  readonly lines?: Json;
  readonly paid?: Json;
  readonly [member: string]: Json | undefined;
};

/** Claims */
export const claims = defineWorkflow({
  id: "claims",
  version: "611be647d9a18d80",
  name: "Claims",
  run: async (flow: Flow, fn: Functions, data: Data): Promise<Json> => {
    later: {
      // Assess (operation state)
      try {
        await flow.attempt("Assess", async (flow) => {
          const assess = await flow.step("Assess/assess", (step) =>
            fn.assess(
              {
                claim: data.claim ?? null,
                note: "a \u0024{ClaimArn} is text",
                "odd \u0024{key}": "{% so is this %}",
              },
              step,
            ),
          );
          data = assignResult(data, assess, "assess");
        });
      } catch (caught) {
        const error = failure(caught);
        if (error.name === "Busy") {
          data = place(data, ["problem"], errorData(error));
          break later;
        }
        if (error.name === null) throw caught;
        data = place(data, ["error"], errorData(error));
        break later;
      }
      // Each (foreach state)
      const items = data.lines === undefined ? [] : data.lines;
      const eachResults = await flow.forEach(
        "Each",
        listIn(items, {
          name: "DataError",
          message: "The collection $.lines of foreach state Each is not an array.",
        }),
        (flow, element) => each(flow, fn, element, data),
      );
      data = place(data, ["paid"], eachResults);
      data = (
        itemsOf(data.paid).filter((item) => comparesNodes(present(item.sum), ">", [0])).length > 0
          ? itemsOf(data.paid).filter((item) => comparesNodes(present(item.sum), ">", [0]))
          : data
      ) as Data;
      return data;
    }
    // Later (inject state)
    data = assign(data, { late: true });
    return data;
  },
});

/** Each, for each element */
async function each(flow: Flow, fn: Functions, element: Json, data: Data): Promise<Json> {
  data = place(data, ["line"], element);
  const input: Json = data;
  // Pay (operation state)
  const pay = await flow.step("Pay", (step) =>
    fn.pay({ line: data.line ?? null, of: data.claim?.id ?? null }, step),
  );
  data = assignResult(data, pay, "pay");
  return difference(data, input);
}
