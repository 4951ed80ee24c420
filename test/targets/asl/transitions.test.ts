import { afterAll, expect, test } from "vitest";
import { parse } from "yaml";
import { namesOf } from "../../../src/cli/registry.ts";
import { readScenarioFile } from "../../../src/scenario/read.ts";
import { onTarget, openScenarios } from "../../../src/scenario/run.ts";
import { readerOf } from "../../../src/text/uris.ts";
import { asl } from "../../../targets/asl/index.ts";
import { targets } from "../../../targets/index.ts";
import { readGolden } from "../../golden/folder.ts";
import { configurationOf } from "../../golden/make.ts";
import { languages } from "../../languages.ts";

// The cost of runs: the transitions of typical goldens' scenarios. Justify any increase.

const runner = await onTarget(asl);
afterAll(() => runner.executor?.close());

/** The transitions of a golden's scenarios. */
async function transitionsOf(name: string): Promise<{ readonly [scenario: string]: number | undefined }> {
  const golden = readGolden(name, (text) => parse(text));
  const file = readScenarioFile(golden.scenarios!, { languages, targets: namesOf(targets) }, () => {})!;
  const configuration = configurationOf(golden);
  const paths = new Set([file.workflow, ...file.subflows.values()].map((path) => path.replace(/^\.\//, "")));
  const sources = [...paths].map((path) => golden.sources.find((source) => source.path === path)!);
  const definitions = { sources, configurationOf: () => configuration, read: readerOf(golden.schemas) };
  const session = openScenarios(file, definitions, languages);
  const usage = await session.usage(runner);
  await session.close();
  return Object.fromEntries(usage.map(({ scenario, used }) => [scenario, used.get("transitions")]));
}

const goldens: readonly (readonly [string, { readonly [scenario: string]: number }])[] = [
  [
    "serverless-workflow/operation-call",
    {
      "the result is placed under a path that it does not have": 1,
      "what the path selects in the result is merged under its last name": 1,
      "an error that nothing handles ends the run": 1,
    },
  ],
  [
    "serverless-workflow/sequential-actions",
    { "the second action sees the result of the first one, whose members replace those of the data": 2 },
  ],
  ["serverless-workflow/delay", { "data goes through unchanged": 2 }],
  [
    "serverless-workflow/switch-ages",
    {
      "text that is a number compares as one": 2,
      "the first condition that holds decides": 2,
      "a missing path matches nothing": 2,
    },
  ],
  [
    "serverless-workflow/callback",
    {
      "the answer is merged": 2,
      "an answer that comes before the call has returned is not lost": 2,
      "without an answer the flow goes on, counted from when the call returned": 3,
      "where nothing gives the token, the run's id has to come back": 2,
    },
  ],
  [
    "serverless-workflow/event-wait",
    {
      "the payment of this order": 3,
      "an event that comes before the state listens is kept": 3,
      "no payment in time, and the flow goes on without the actions": 3,
    },
  ],
  ["serverless-workflow/event-switch", { approved: 3, rejected: 3, neither: 2 }],
  ["serverless-workflow/event-starts", { "the actions of the event that came": 2 }],
  ["serverless-workflow/event-all-start", { "both have come, in any order": 2 }],
  ["serverless-workflow/start-only-by-events", { "the actions of the event that came": 2 }],
  [
    "serverless-workflow/start-only-by-an-event",
    { "the data is an object": 1, "the data is the member of the event's name": 1, "an event without data": 1 },
  ],
  [
    "serverless-workflow/event-wait-for-all",
    { "every entry's actions, in the order of the entries": 3, "one is not enough": 1 },
  ],
  ["serverless-workflow/event-start-callback-and-switch", { "paid after the first time-out": 6 }],
  ["serverless-workflow/parallel-merge", { "what each branch changed is merged, in the order of the branches": 5 }],
  [
    "serverless-workflow/parallel-first-of",
    {
      "the first to complete counts": 5,
      "a failure does not count while another may succeed": 6,
      "when all fail the state fails": 6,
    },
  ],
  [
    "serverless-workflow/foreach-orders",
    { "one iteration for each that is completed, results are dropped": 3, "nothing to go over": 1 },
  ],
  ["serverless-workflow/retry-doubling", { "a bare number multiplies": 12 }],
  [
    "serverless-workflow/retry-on-result",
    {
      "each attempt begins with the data of the first": 6,
      "when the attempts are used up the last result stands": 9,
      "an error is not a result": 3,
    },
  ],
  ["serverless-workflow/poll-until-done", { "three rounds": 11 }],
  ["serverless-workflow/subflow-waited", { "what the subflow gives is merged": 3, "its error is the state's": 2 }],
  ["serverless-workflow/terminate-in-branch", { "with the data of the branch, at once": 5 }],
  ["serverless-workflow/order-process", { "two lines are shipped": 9, "the customer service is busy at first": 9 }],
];

test.each(goldens)("%s", async (name, transitions) => {
  expect(await transitionsOf(name)).toEqual(transitions);
});
