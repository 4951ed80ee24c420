import { describe, expect, test } from "vitest";
import { variable } from "../../../src/expressions/core/build.ts";
import type { JsonObject } from "../../../src/json.ts";
import { call, end, handler, named, retry, scope, workflow, yes } from "../../reference/build.ts";
import { callsOf, interpretWorkflow, outcomeOf, returns, throws } from "../../reference/interpreting.ts";
import { throttling } from "./compiled.ts";
import { generateMachine, runOnAsl } from "./reference-comparison.ts";

const throttled = "Lambda.TooManyRequestsException";
const others = ["Lambda.ServiceException", "Lambda.AWSLambdaException", "Lambda.SdkClientException"];

/** Calls `f`; retries each error once and handles the rest. */
const charging = (name = "Busy") =>
  workflow(
    scope(
      ["data", "r", "error"],
      call("Charge", "f", variable("data"), "Done", {
        bind: "r",
        retries: [retry(1, 5, { when: named(name) }), retry(1, 5)],
        handlers: [handler(yes, "Failed", "error")],
      }),
      end("Done", variable("r")),
      end("Failed", variable("error")),
    ),
  );

const retriersOf = async (values: JsonObject = {}, name?: string): Promise<unknown> =>
  (await generateMachine(charging(name), values)).states["Charge"]!["Retry"];

const own = [
  { ErrorEquals: ["Busy"], IntervalSeconds: 5, MaxAttempts: 1, BackoffRate: 1 },
  { ErrorEquals: ["States.ALL"], IntervalSeconds: 5, MaxAttempts: 1, BackoffRate: 1 },
];

describe("Retry of a Task on a Lambda function", () => {
  test("begins with throttled calls, before the definition's own entries", async () => {
    expect(await retriersOf()).toEqual([throttling, ...own]);
  });

  test("has all service errors with `retryService: all`", async () => {
    const services = { ErrorEquals: others, MaxAttempts: 5 };
    expect(await retriersOf({ retryService: "all" })).toEqual([throttling, services, ...own]);
  });

  test("leaves an error to a definition that names it", async () => {
    const [first, last] = own;
    expect(await retriersOf({}, throttled)).toEqual([{ ...first, ErrorEquals: [throttled] }, last]);
    const services = { ErrorEquals: others.slice(1), MaxAttempts: 5 };
    expect(await retriersOf({ retryService: "all" }, others[0])).toEqual([
      throttling,
      services,
      { ...first, ErrorEquals: [others[0]] },
      last,
    ]);
  });
});

test("throttled calls count in no limit and reach no handler", async () => {
  const limited = throws(throttled, "Rate Exceeded.");
  const replies = [limited, limited, throws("Busy"), limited, throws("Busy"), limited, returns(7)];
  const seen = await runOnAsl(charging(), { input: {}, functions: { f: replies } });
  expect(outcomeOf(seen)).toMatchObject({ output: { name: "Busy" } });
  expect(callsOf(seen)).toHaveLength(5);
  const without = await interpretWorkflow(charging(), {
    input: {},
    functions: { f: replies.filter((reply) => reply !== limited) },
  });
  expect(outcomeOf(seen)).toMatchObject(outcomeOf(without) as JsonObject);
});

test("a definition that states all retries gets more only by the setting", async () => {
  const stated = { ...charging(), statesAllRetries: true as const };
  const retriers = async (values: JsonObject): Promise<unknown> =>
    (await generateMachine(stated, values)).states["Charge"]!["Retry"];
  expect(await retriers({})).toEqual(own);
  expect(await retriers({ retryService: "throttled" })).toEqual([throttling, ...own]);
});
