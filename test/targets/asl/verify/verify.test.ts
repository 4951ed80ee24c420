import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { stringify } from "yaml";
import type { Json, JsonObject } from "../../../../src/json.ts";
import { verify } from "../../../../targets/asl/verify/command.ts";
import { installClient, type RecordedRequest, type StandInEndpoint, standIn } from "./stand-in.ts";

const substitution = (name: string): string => ["$", `{${name}}`].join("");

const machine: JsonObject = {
  QueryLanguage: "JSONata",
  StartAt: "Ask",
  States: {
    Ask: {
      Type: "Task",
      Resource: substitution("AskFunctionArn"),
      Output: "{% $merge([$states.input, {'asked': true}]) %}",
      Retry: [{ ErrorEquals: ["States.TaskFailed"] }],
      Catch: [{ ErrorEquals: ["States.ALL"], Output: "{% $states.errorOutput.Error %}", Next: "Failed" }],
      Next: "Way",
    },
    Way: { Type: "Choice", Choices: [{ Condition: "{% $states.input.asked %}", Next: "Both" }], Default: "Rest" },
    Both: {
      Type: "Parallel",
      Branches: [{ StartAt: "Within", States: { Within: { Type: "Pass", Output: "{% $uuid() %}", End: true } } }],
      Output: "{% $states.result %}",
      Next: "Rest",
    },
    Rest: { Type: "Wait", Seconds: 100, Next: "Done" },
    Done: { Type: "Succeed" },
    Failed: { Type: "Fail", Error: "Sorry", Cause: "no" },
  },
};

/** AWS's response for each state, without and with a failure of its task. */
const answers: { readonly [state: string]: readonly [JsonObject, JsonObject?] } = {
  Ask: [
    { status: "SUCCEEDED", output: '{"asked":true}', nextState: "Way" },
    { status: "CAUGHT_ERROR", output: '"States.TaskFailed"', nextState: "Failed", error: "States.TaskFailed" },
  ],
  Way: [{ status: "FAILED", error: "States.QueryEvaluationError", cause: "…" }],
  Both: [
    { status: "SUCCEEDED", output: "[{}]", nextState: "Rest" },
    { status: "FAILED", error: "States.TaskFailed", cause: "…" },
  ],
  Within: [{ status: "SUCCEEDED", output: '"8c6ff5e8"' }],
  Done: [{ status: "SUCCEEDED", output: "{}" }],
  Failed: [{ status: "FAILED", error: "Sorry", cause: "no" }],
};

const agreed = ({ operation, body }: RecordedRequest): JsonObject => {
  if (operation === "ValidateStateMachineDefinition") return { result: "OK", diagnostics: [] };
  const [works, fails] = answers[String(body["stateName"])]!;
  return (body["mock"] as JsonObject | undefined)?.["errorOutput"] ? fails! : works;
};

let folder: string;
let aws: StandInEndpoint | undefined;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "waybill-verify-"));
  mkdirSync(join(folder, "build"));
  writeFileSync(join(folder, "build", "w.asl.json"), JSON.stringify(machine));
  installClient(folder);
});
afterEach(() => {
  aws?.close();
  rmSync(folder, { recursive: true });
});

/** Runs the command against the stand-in. */
async function runVerify(respond: (request: RecordedRequest) => JsonObject, ...more: readonly string[]) {
  aws = await standIn(respond);
  const output = { out: [] as string[], err: [] as string[] };
  const status = await verify(
    ["--on-aws", "--endpoint", aws.endpoint, "--region", "eu-west-1", ...more, join(folder, "build")],
    { cwd: folder, out: (text) => void output.out.push(text), err: (text) => void output.err.push(text) },
  );
  const out = output.out.join("").replaceAll(join(folder, "build", "w.asl.json"), "w");
  return { status, out, err: output.err.join(""), requests: aws.requests };
}

test("verifies the definition and each state with mocked tasks", async () => {
  const { status, out, err, requests } = await runVerify(agreed);
  expect([status, out, err]).toEqual([0, "", "1 machines, 9 requests, 0 faults\n"]);
  expect(requests.map(({ operation, body }) => `${operation} ${String(body["stateName"] ?? "")}`)).toEqual([
    "ValidateStateMachineDefinition ",
    "TestState Ask",
    "TestState Ask",
    "TestState Way",
    "TestState Both",
    "TestState Both",
    "TestState Within",
    "TestState Done",
    "TestState Failed",
  ]);
  const [whole, first, second] = requests.map(({ body }) => body);
  const { Ask } = (JSON.parse(String(whole!["definition"])) as { States: { Ask: JsonObject } }).States;
  expect(Ask["Resource"]).toBe("arn:aws:lambda:us-east-1:123456789012:function:AskFunctionArn");
  expect(first).toMatchObject({ input: "{}", mock: { result: "{}", fieldValidationMode: "NONE" } });
  expect(second).toMatchObject({
    mock: { errorOutput: { error: "States.TaskFailed" } },
    stateConfiguration: { retrierRetryCount: 99_999_999 },
  });
});

test("verifies YAML and JSON machines alike", async () => {
  const { requests } = await runVerify(agreed);
  rmSync(join(folder, "build", "w.asl.json"));
  writeFileSync(join(folder, "build", "w.asl.yaml"), stringify(machine));
  aws?.close();
  const again = await runVerify(agreed);
  expect(again.err).toBe("1 machines, 9 requests, 0 faults\n");
  expect(again.requests.map(({ body }) => body)).toEqual(requests.map(({ body }) => body));
});

test("tests a state of a branch within its branch", async () => {
  const { requests } = await runVerify(agreed);
  const within = requests.find(({ body }) => body["stateName"] === "Within")!;
  expect(JSON.parse(String(within.body["definition"]))).toMatchObject({ QueryLanguage: "JSONata", StartAt: "Within" });
});

test("reports a state that behaves differently on AWS", async () => {
  const wrong: JsonObject = { status: "SUCCEEDED", output: '{"asked":1}', nextState: "Way" };
  const { status, out } = await runVerify((request) =>
    request.body["stateName"] === "Ask" && (request.body["mock"] as JsonObject)["result"] ? wrong : agreed(request),
  );
  expect([status, out]).toEqual([
    1,
    'w: state Ask with {}, task mocked with {"result":{}}: AWS continues to Way with {"asked":1}, the simulator continues to Way with {"asked":true}\n',
  ]);
});

test("reports diagnostics and rejected requests as faults", async () => {
  const finding: Json = { severity: "ERROR", code: "MISSING_END_STATE", message: "No end", location: "/States" };
  const { status, out } = await runVerify((request) => {
    if (request.operation !== "TestState") return { result: "FAIL", diagnostics: [finding] };
    return request.body["stateName"] === "Done"
      ? { status: 400, __type: "InvalidDefinition", message: "what is that?" }
      : agreed(request);
  });
  expect([status, out]).toEqual([
    1,
    "w: ERROR MISSING_END_STATE No end at /States\nw: state Done: AWS rejects the request: InvalidDefinition what is that?\n",
  ]);
});

test("passes the given input and role", async () => {
  const role = "arn:aws:iam::123456789012:role/test";
  const { requests } = await runVerify(agreed, "--input", '{"asked": true}', "--role", role);
  expect(requests[1]!.body).toMatchObject({ input: '{"asked":true}', roleArn: role });
});

test("reports missing permissions and invalid usage", async () => {
  const denied = () => ({ status: 400, __type: "AccessDeniedException", message: "no rights" });
  expect(await runVerify(denied)).toMatchObject({ status: 2, err: "Request to AWS failed: no rights\n" });
  const err: string[] = [];
  const surroundings = { cwd: folder, out: () => {}, err: (text: string) => void err.push(text) };
  expect(await verify([folder], surroundings)).toBe(2);
  expect(err.join("")).toMatch(/^Pass `--on-aws`/);
});
