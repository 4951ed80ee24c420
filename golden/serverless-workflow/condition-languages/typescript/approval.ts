// Approve orders 1.0, from serverless-workflow. Change the definition, not this file.
import { checkTransition } from "./approval.expressions.ts";
import {
  type Answer,
  type Flow,
  type Json,
  type Step,
  assign,
  assignResult,
  comparesNodes,
  defineWorkflow,
  endsWith,
  errorData,
  errorOf,
  failure,
  isAbove,
  itemsOf,
  lengthOfNode,
  matches,
  place,
  present,
  schemaViolation,
} from "./runtime.js";

/** The functions that the workflow calls. */
export interface Functions {
  check(argument: { readonly lines: Json; readonly dear: Json }, step: Step): Answer<Json>;
}

/** The input of a run, according to its schema. */
export type Order = {
  readonly order: {
    readonly total: number;
    readonly status: string;
    readonly channel: string;
    readonly note?: string;
    readonly [member: string]: Json | undefined;
  };
  readonly lines: readonly {
    readonly sku: string;
    readonly price: number;
    readonly [member: string]: Json | undefined;
  }[];
  readonly [member: string]: Json | undefined;
};

/** The members of the workflow data that the workflow uses. */
export type Data = {
  readonly order: {
    readonly total?: Json;
    readonly status?: Json;
    readonly channel?: Json;
    readonly note?: Json;
    readonly [member: string]: Json | undefined;
  };
  readonly lines: Json;
  readonly [member: string]: Json | undefined;
};

/** Approve orders */
export const approval = defineWorkflow({
  id: "approval",
  version: "e4da0ac2a2c201cb",
  name: "Approve orders",
  inputViolation: (input: Json) =>
    schemaViolation(input, [
      {
        type: ["object"],
        required: ["order", "lines"],
        properties: {
          order: {
            type: ["object"],
            required: ["total", "status", "channel"],
            properties: {
              total: { type: ["number"] },
              status: { type: ["string"] },
              channel: { type: ["string"] },
              note: { type: ["string"] },
            },
          },
          lines: {
            type: ["array"],
            items: {
              type: ["object"],
              required: ["sku", "price"],
              properties: { sku: { type: ["string"] }, price: { type: ["number"] } },
            },
          },
        },
      },
    ]),
  run: async (flow: Flow, fn: Functions, order: Order): Promise<Json> => {
    let data: Data = order;
    // Route (switch state)
    if (isAbove(data.order.total, "100")) {
      // Large (delay state)
      await flow.sleep("Large", 1);
      if (
        isAbove(data.order.total, 100) &&
        data.order.status !== "paid" &&
        (data.order.channel === "web" || data.order.channel === "shop")
      ) {
        // Check (operation state)
        try {
          await flow.attempt("Check", async (flow) => {
            const check = await flow.step("Check/check", (step) =>
              fn.check(
                {
                  lines: lengthOfNode(data.lines) ?? null,
                  dear: itemsOf(data.lines)
                    .filter((item) => comparesNodes(present(item.price), ">", [50]))
                    .map((item) => item.sku),
                },
                step,
              ),
            );
            data = assignResult(data, check, "check");
          });
        } catch (caught) {
          const error = failure(caught);
          if (!(
            matches(error.name, "^(?:Time.*)$") ||
            (typeof error.message === "string" ? endsWith(error.message, "late") : false)
          )) {
            throw caught;
          }
          data = place(data, ["error"], errorData(error));
          // Late (inject state)
          data = assign(data, { late: true });
          return data;
        }
        if (checkTransition(data) === true) {
          // Done (inject state)
          data = assign(data, { done: true });
          return data;
        }
        throw errorOf({
          origin: "denied",
          name: "TransitionDenied",
          message:
            "The transition from Check to Done was denied: lines.exists(line, line.price > 50) && !lines.all(line, line.price > 50) && has(order.note) does not hold.",
        });
      }
      throw errorOf({
        origin: "denied",
        name: "TransitionDenied",
        message:
          "The transition from Large to Check was denied: order.total > 100 and order.status != 'paid' and {'web', 'shop'}.contains(order.channel) does not hold.",
      });
    }
    // Small (inject state)
    data = assign(data, { small: true });
    return data;
  },
});
