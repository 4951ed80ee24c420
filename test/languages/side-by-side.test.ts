import { afterAll, describe, expect, test } from "vitest";
import { parse } from "yaml";
import { namesOf } from "../../src/cli/registry.ts";
import { readScenarioFile } from "../../src/scenario/read.ts";
import { renderResults } from "../../src/scenario/report/results.ts";
import { onReference, onTarget, type Runner, runScenarios } from "../../src/scenario/run.ts";
import { targets } from "../../targets/index.ts";
import { goldenNames, readGolden } from "../golden/folder.ts";
import { languages } from "../languages.ts";

// The same two processes in each language: `golden/<language>/order-process` and, with events, `payment-wait`. Equal
// inputs, function results and events cause equal calls and outcomes in all languages, on every target.

type Members = { readonly [member: string]: unknown };

/** A scenario with its expected outcome. */
interface Row {
  readonly name: string;
  readonly input: Members;
  /** The event that starts the run if an input cannot identify its events. */
  readonly beginning?: Members;
  readonly functions: Members;
  readonly events?: readonly Members[];
  /** The output; undefined if the run fails with `error`, as name and message. */
  readonly output?: Members;
  readonly error?: string;
  readonly calls: readonly Members[];
  /** Calls that a concurrent failure may prevent. */
  readonly maybe?: readonly Members[];
  readonly elapsed: string;
}

interface Process {
  readonly name: string;
  /** Targets without an exact form. */
  readonly refusedBy: readonly string[];
  readonly rows: readonly Row[];
}

/**
 * Limitations of languages. `tokens`: a run that starts with an input has no correlation, so its runs start with an
 * event.
 */
const lacks: {
  readonly [language: string]: { readonly errorNames?: true; readonly waits?: true; readonly tokens?: true };
} = {
  asl: { waits: true },
  "function-workflow": { tokens: true },
  // The name of an error without a type is its title.
  "serverless-workflow-1.0": { errorNames: true },
  yawl: { errorNames: true },
  "composer-fsm": { errorNames: true, waits: true },
};

const lines = [
  { sku: "a", quantity: 2, price: 5 },
  { sku: "b", quantity: 1, price: 9 },
];
const order = { id: "o-1", customer: "c-7", lines };

const good = { returns: { status: "good", limit: 100 } };
const busy = { throws: { name: "CustomerServiceBusy", message: "CustomerServiceBusy" } };
const answers = {
  checkCustomer: good,
  reserveStock: { returns: { warehouse: "north" } },
  reservePayment: { returns: { id: "o-1", authorization: "auth-7" } },
  shipLine: [{ returns: { parcel: "p-1" } }, { returns: { parcel: "p-2" } }],
  // Function Workflow has no literals: the output is a function's result.
  notifyCustomer: { returns: { id: "o-1", status: "shipped", authorization: "auth-7" } },
};

const check = { checkCustomer: { customer: "c-7" } };
const reserveStock = { reserveStock: { id: "o-1", lines } };
const reservePayment = { reservePayment: { id: "o-1", customer: "c-7" } };
const delivery = [
  reserveStock,
  reservePayment,
  { shipLine: { id: "o-1", sku: "a", quantity: 2, warehouse: "north" } },
  { shipLine: { id: "o-1", sku: "b", quantity: 1, warehouse: "north" } },
  { notifyCustomer: { customer: "c-7", parcels: ["p-1", "p-2"] } },
];
const shipped = { id: "o-1", status: "shipped", authorization: "auth-7" };

const orders: readonly Row[] = [
  {
    name: "a good customer with two lines",
    input: order,
    functions: answers,
    output: shipped,
    calls: [check, ...delivery],
    elapsed: "PT0S",
  },
  {
    name: "a customer who is blocked",
    input: order,
    functions: {
      checkCustomer: { returns: { status: "blocked", limit: 0 } },
      rejectOrder: { returns: { id: "o-1", status: "rejected" } },
    },
    output: { id: "o-1", status: "rejected" },
    calls: [check, { rejectOrder: { id: "o-1", reason: "customer is blocked" } }],
    elapsed: "PT0S",
  },
  {
    name: "the service is busy once",
    input: order,
    functions: { ...answers, checkCustomer: [busy, good] },
    output: shipped,
    calls: [check, check, ...delivery],
    elapsed: "PT1S",
  },
  {
    name: "the service is busy three times",
    input: order,
    functions: { ...answers, checkCustomer: busy },
    error: "CustomerServiceBusy",
    calls: [check, check, check],
    elapsed: "PT2S",
  },
  {
    name: "the service fails otherwise",
    input: order,
    functions: { ...answers, checkCustomer: { throws: { name: "CustomerUnknown", message: "CustomerUnknown" } } },
    error: "CustomerUnknown",
    calls: [check],
    elapsed: "PT0S",
  },
  {
    name: "busy, then another failure",
    input: order,
    functions: {
      ...answers,
      checkCustomer: [busy, { throws: { name: "CustomerUnknown", message: "CustomerUnknown" } }],
    },
    error: "CustomerUnknown",
    calls: [check, check],
    elapsed: "PT1S",
  },
  {
    name: "an order without lines",
    input: { ...order, lines: [] },
    functions: answers,
    output: shipped,
    calls: [
      check,
      { reserveStock: { id: "o-1", lines: [] } },
      reservePayment,
      { notifyCustomer: { customer: "c-7", parcels: [] } },
    ],
    elapsed: "PT0S",
  },
  {
    name: "the stock is out",
    input: order,
    functions: { ...answers, reserveStock: { throws: { name: "OutOfStock", message: "OutOfStock" } } },
    error: "OutOfStock",
    calls: [check, reserveStock],
    maybe: [reservePayment],
    elapsed: "PT0S",
  },
];

/** A payment whose order is in its attributes and its data. */
const payment = (at: string, of: string, amount = 30): Members => ({
  at,
  event: { type: "shop.payment", source: "/shop", order: of, data: { order: of, amount } },
});

const ordered = { id: "o-1", order: "o-1", amount: 30 };
const waiting = {
  input: ordered,
  beginning: { at: "PT0S", event: { type: "shop.order", source: "/shop", data: ordered } },
  functions: {
    shipOrder: { returns: { id: "o-1", status: "shipped" } },
    cancelOrder: { returns: { id: "o-1", status: "cancelled" } },
  },
};
const request = { requestPayment: { id: "o-1", amount: 30 } };
const cancelled = {
  output: { id: "o-1", status: "cancelled" },
  calls: [request, { cancelOrder: { id: "o-1" } }],
  elapsed: "PT1H",
};

const payments: readonly Row[] = [
  {
    ...waiting,
    name: "paid after ten minutes",
    events: [payment("PT10M", "o-1")],
    output: { id: "o-1", status: "shipped" },
    calls: [request, { shipOrder: { id: "o-1", paid: 30 } }],
    elapsed: "PT10M",
  },
  {
    ...waiting,
    name: "another order is paid first",
    events: [payment("PT5M", "o-2", 7), payment("PT10M", "o-1")],
    output: { id: "o-1", status: "shipped" },
    calls: [request, { shipOrder: { id: "o-1", paid: 30 } }],
    elapsed: "PT10M",
  },
  { ...waiting, ...cancelled, name: "never paid" },
  { ...waiting, ...cancelled, name: "paid too late", events: [payment("PT61M", "o-1")] },
];

const processes: readonly Process[] = [
  { name: "order-process", refusedBy: [], rows: orders },
  { name: "payment-wait", refusedBy: [], rows: payments },
];

const written = (process: string): readonly string[] =>
  goldenNames()
    .filter((name) => name.endsWith(`/${process}`))
    .map((name) => name.split("/")[0]!);

const runners: readonly Runner[] = [onReference, ...(await Promise.all(targets.map(onTarget)))];
afterAll(() => {
  for (const { executor } of runners) executor?.close();
});

test("every language has the order process", () => {
  expect(written("order-process").toSorted()).toEqual(namesOf(languages).toSorted());
});

describe.each(processes)("$name", ({ name, refusedBy, rows }) => {
  describe.each(written(name))("in %s", (language) => {
    test.each(runners)("is the same on $name", async (runner) => {
      const { sources } = readGolden(`${language}/${name}`, (text) => parse(text));
      const [main] = sources;
      const text = JSON.stringify({
        workflow: `./${main!.path}`,
        scenarios: rows.map((row) => scenarioOf(row, language)),
      });
      const file = readScenarioFile(
        { path: "side-by-side.json", text },
        { languages, targets: namesOf(targets) },
        ({ message }) => expect.unreachable(message),
      )!;
      const results = await runScenarios(file, { sources }, runner, languages);
      const outcome = refusedBy.includes(runner.name) ? "refused" : "passed";
      expect(
        results.map((result) => [result.scenario, result.outcome]),
        renderResults(results),
      ).toEqual(rows.map((row) => [row.name, outcome]));
    });
  });
});

function scenarioOf(row: Row, language: string): Members {
  const { name, input, beginning, functions, events = [], output, error, calls, maybe = [], elapsed } = row;
  const { errorNames, waits, tokens } = lacks[language] ?? {};
  const begin = tokens && beginning ? { events: [beginning, ...events] } : { input, events };
  const ending =
    error === undefined
      ? { status: "succeeded", output }
      : { status: "failed", error: { message: error, ...(errorNames ? {} : { name: error }) } };
  return { name, ...begin, functions, expect: { ...ending, calls, maybe, ...(waits ? {} : { elapsed }) } };
}
