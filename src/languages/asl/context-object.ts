import { concatenate, type Expression, literal, object, variable } from "../../expressions/index.ts";
import { runFacts } from "./context.ts";
import type { PathRoots } from "./paths.ts";

const account = "arn:aws:states:local:000000000000";

/** The context object (`$$`) of a state. */
export function contextObject({ writer, item }: PathRoots): Expression {
  const { context, name, preparation } = writer;
  const { id } = context;
  const run = variable(runFacts.name);
  const execution = object([
    ["Id", concatenate([literal(`${account}:execution:${id}:`), run])],
    ["Input", variable(runFacts.input)],
    ["Name", run],
    ["RoleArn", literal("arn:aws:iam::000000000000:role/waybill")],
    ["StartTime", variable(runFacts.startTime)],
    ["RedriveCount", literal(0)],
  ]);
  const state = object([
    ...(preparation.entered === undefined
      ? []
      : [["EnteredTime", variable(preparation.entered)] satisfies [string, Expression]]),
    ["Name", literal(name)],
    ["RetryCount", preparation.retries === undefined ? literal(0) : variable(preparation.retries)],
  ]);
  const map: [string, Expression][] = item
    ? [
        [
          "Map",
          object([
            [
              "Item",
              object([
                ["Index", item.index],
                ["Value", item.value],
              ]),
            ],
          ]),
        ],
      ]
    : [];
  return object([
    ["Execution", execution],
    ["State", state],
    [
      "StateMachine",
      object([
        ["Id", literal(`${account}:stateMachine:${id}`)],
        ["Name", literal(id)],
      ]),
    ],
    ...map,
  ]);
}
