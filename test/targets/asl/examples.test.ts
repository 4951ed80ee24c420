import { existsSync, readFileSync } from "node:fs";
import { afterAll, expect, test } from "vitest";
import { namesOf } from "../../../src/cli/registry.ts";
import { readScenarioFile } from "../../../src/scenario/read.ts";
import { onTarget, openScenarios } from "../../../src/scenario/run.ts";
import { asl } from "../../../targets/asl/index.ts";
import { targets } from "../../../targets/index.ts";
import { languages } from "../../languages.ts";

// The transitions of the specification's examples. A hand-written machine could take a starting event as its input, as
// machines with `start: events` do, and let a call wait for its response.

const folder = new URL("../../../../shared/examples/serverless-workflow/", import.meta.url);
const runner = await onTarget(asl);
afterAll(() => runner.executor?.close());

async function transitionsOf(example: string, scenario: object): Promise<number | undefined> {
  const path = `${example}-example.json`;
  const one = { name: "a run", expect: { status: "succeeded" }, ...scenario };
  const text = JSON.stringify({ workflow: path, scenarios: [one] });
  const file = readScenarioFile({ path: "scenarios.json", text }, { languages, targets: namesOf(targets) }, () => {})!;
  const sources = [{ path, text: readFileSync(new URL(path, folder), "utf8") }];
  const session = openScenarios(file, { sources }, languages);
  const [usage] = await session.usage(runner);
  await session.close();
  return usage?.used.get("transitions");
}

const come = (type: string, source: string, more: object = {}) => ({ at: "PT1S", event: { type, source, ...more } });
const applied = (type: string) => come(`org.application.${type}`, "applicationsource", { applicantid: "a" });
const decided = { creditCheck: { decision: "Approved" } };
const credit = come("creditCheckCompleteType", "creditCheckSource", { customerid: "c", data: decided });
const bid = come("carBidMadeType", "carBidEventSource", { data: { bid: 3 } });
const pressure = come("org.monitor.highBloodPressure", "monitoringSource", { patientid: "p" });

test.skipIf(!existsSync(folder)).each([
  ["hello-world", 1, {}],
  ["greeting", 1, { input: { greet: { name: "Ada" } } }],
  ["solving-math-problems", 5, { input: { expressions: ["1", "2", "3", "4"] } }],
  ["parallel-execution", 3, {}],
  ["provision-orders", 2, { input: { order: { id: 1 } } }],
  ["send-cloudevent-on-workfow-completion", 4, { input: { orders: [{}, {}] } }],
  ["applicant-request-decision", 2, { input: { applicant: { age: 20 } } }],
  ["event-based-greeting", 2, { events: [come("greetingEventType", "greetingEventSource")] }],
  ["event-based-transitions", 3, { input: {}, events: [come("VisaApproved", "visaCheckSource")] }],
  ["event-based-transitions", 2, { input: {} }],
  ["finalize-college-application", 2, { events: ["submitted", "satscores", "recommendationLetter"].map(applied) }],
  ["handle-car-auction-bids", 3, { clock: "2020-03-20T10:00:00Z", events: [bid] }],
  ["monitor-patient-vital-signs", 2, { events: [pressure] }],
  ["perform-customer-credit-check", 4, { input: { customer: {}, customerId: "c" }, events: [credit] }],
])("%s: %i", async (example, transitions, scenario) => {
  expect(await transitionsOf(example, scenario)).toBe(transitions);
});
