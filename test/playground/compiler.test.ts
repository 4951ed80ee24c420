import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createCompiler } from "../../src/playground/compiler/index.ts";
import { createQueue } from "../../src/playground/compiler/queue.ts";
import type { Kind, Request, Requests, Response, Results } from "../../src/playground/protocol.ts";

// The compiler of the playground, without a browser.

const golden = (name: string) => {
  const folder = join(import.meta.dirname, "../../golden", name);
  const read = (path: string) => ({ path, text: readFileSync(join(folder, path), "utf8") });
  return { definition: read("workflow.yaml"), scenarios: read("scenarios.yaml") };
};

const order = golden("serverless-workflow/order-process");

async function ask<K extends Kind>(kind: K, request: Requests[K]): Promise<Results[K]> {
  const asked = { id: 1, kind, ...request } as unknown as Request;
  return (await createCompiler()(asked)) as Results[K];
}

test.each([
  ["asl", "order-process.asl.json", '"StartAt": "Check"'],
  ["typescript", "order-process.ts", "defineWorkflow"],
  ["openwhisk", "order-process.composition.json", '"Entry"'],
  ["ir", "program.txt", "Check: attempt restoring data"],
] as const)("the view %s shows the files of the target", async (view, path, part) => {
  const { output, problems, language } = await ask("compile", { definition: order.definition, view });
  expect(problems.filter(({ severity }) => severity === "error")).toEqual([]);
  expect(language).toMatch(/Serverless Workflow/);
  const files = output?.kind === "files" ? output.files : [];
  expect(files.find((file) => file.path === path)?.text).toContain(part);
});

test("the picture is drawn as far as the definition can be lowered", async () => {
  const text = order.definition.text.replace("nextState: Decide", "nextState: Decid");
  const { output, problems } = await ask("compile", { definition: { path: "w.yaml", text }, view: "picture" });
  expect(problems[0]).toMatchObject({ code: "WB2001", severity: "error", line: 22 });
  expect(problems[0]?.hint).toBe("Did you mean `Decide`?");
  expect(output).toMatchObject({ kind: "picture", workflow: "order-process", workflows: ["order-process"] });
});

test("problems have the fixes that are safe", async () => {
  const text = order.definition.text.replace(
    "  transition: { nextState: Decide }",
    "  transitoin: { nextState: Decide }",
  );
  const { problems } = await ask("compile", { definition: { path: "w.yaml", text }, view: "ir" });
  const [fix] = problems.flatMap((each) => each.fix ?? []);
  const start = text.indexOf("transitoin");
  expect(fix).toEqual({ start, end: start + "transitoin".length, text: "transition" });
});

test("a run is traced step by step, with the data before and after each", async () => {
  const { scenarios, trace } = await ask("scenarios", { ...order, traced: "the customer service is busy at first" });
  expect(scenarios.map(({ outcome }) => outcome)).toEqual(["passed", "passed"]);
  const [run] = trace!.runs;
  expect(run).toMatchObject({ id: "run", status: "succeeded", elapsed: 128, dropped: 0 });
  expect(run!.steps.map(({ name, began, depth }) => [name, began, depth])).toEqual([
    ["Check", 0, 0],
    ["Check", 1, 0],
    ["Decide", 3, 0],
    ["Reserve", 3, 0],
    ["ReserveStock", 3, 1],
    ["ReservePayment", 3, 1],
    ["Ship", 8, 0],
    ["ShipLine", 8, 1],
    ["Notify", 128, 0],
    ["Shipped", 128, 0],
  ]);
  const payment = run!.steps[5]!;
  const source = order.definition.text.slice(payment.start, payment.end);
  expect(source).toMatch(/^name: ReservePayment[\s\S]*end: \{ kind: default \}\s*$/);
  expect(payment.calls).toEqual([
    {
      function: "reservePayment",
      argument: { id: "o-2", customer: "c-7" },
      response: { value: { id: "o-2", authorization: "auth-8" } },
      began: 3,
      ended: 6,
    },
  ]);
  const data = payment.data.find(({ name }) => name === "data")!;
  expect(data.isChanged).toBe(true);
  expect(data.before).not.toHaveProperty("payment");
  expect(data.after).toHaveProperty("payment", { id: "o-2", authorization: "auth-8" });
  expect(run!.pictures["order-process"]).toContain(`data-node="${payment.node}"`);
});

/** The steps of the first scenario of a golden. */
async function stepsOf(name: string) {
  const { trace } = await ask("scenarios", golden(`serverless-workflow/${name}`));
  return trace!.runs[0]!.steps;
}

test("a branch that is cut off is stopped, and its call has no response", async () => {
  const steps = await stepsOf("parallel-first-of");
  expect(steps.map(({ name, began, ended, outcome }) => [name, began, ended, outcome])).toEqual([
    ["Ask", 0, 5, "done"],
    ["Q", 0, 5, "stopped"],
    ["Q", 0, 5, "done"],
  ]);
  expect(steps[1]!.calls[0]).toMatchObject({ function: "quote", argument: { from: "north" }, response: undefined });
  expect(steps[2]!.calls[0]).toMatchObject({ response: { value: { price: 5 } }, ended: 5 });
});

test("each attempt of a state that retries is a step, and a step has the events that it emits", async () => {
  const attempts = await stepsOf("retry-two-actions");
  expect(attempts.map(({ name, began, calls }) => [name, began, calls.length])).toEqual([
    ["Book", 0, 2],
    ["Book", 60, 2],
  ]);
  expect(attempts[0]!.calls[1]!.response).toHaveProperty("error");
  expect((await stepsOf("produced-events")).map(({ emitted }) => emitted.length)).toEqual([1, 1]);
});

test("the path of a run grows with its steps, and ends at the end", async () => {
  const { trace } = await ask("scenarios", order);
  const { steps } = trace!.runs[0]!;
  const taken = steps.flatMap((step) => step.taken);
  expect(new Set(taken).size).toBe(taken.length);
  expect(steps[0]!.taken).toContain("(start)");
  expect(steps.at(-1)!.taken).toContain("(end)");
  for (const { taken: added, node } of steps) expect([...added, ...taken]).toContain(node);
});

test("a scenario that fails says how, and an endless one ends", async () => {
  const wrong = order.scenarios.text.replace("status: succeeded", "status: failed");
  const failed = await ask("scenarios", { ...order, scenarios: { path: "scenarios.yaml", text: wrong } });
  expect(failed.scenarios[0]).toMatchObject({ outcome: "failed" });
  expect(failed.scenarios[0]!.details.join("\n")).toContain("status differs");
  const polls = golden("yawl/while-polls");
  expect((await ask("scenarios", polls)).scenarios.every(({ outcome }) => outcome === "passed")).toBe(true);
});

test("errors of a scenario file are reported at their places", async () => {
  const text = order.scenarios.text.replace("checkCustomer:", "chekCustomer:").replace("  input:", "  inpt:");
  const { problems, scenarios } = await ask("scenarios", { ...order, scenarios: { path: "scenarios.yaml", text } });
  expect(problems.map(({ line, severity }) => [line, severity])).toContainEqual([5, "error"]);
  expect(scenarios).toEqual([]);
});

test("completion and hover are those of the language server", async () => {
  const at = order.definition.text.indexOf("nextState: Decide") + "nextState: ".length;
  const names = await ask("complete", { definition: order.definition, offset: at });
  expect(names.map(({ label }) => label)).toEqual(expect.arrayContaining(["Check", "Decide", "Reserve", "Shipped"]));
  expect(names[0]!.edit).toEqual({ start: at, end: at + "Decide".length, text: "Check" });
  const hover = await ask("hover", { definition: order.definition, offset: at + 1 });
  expect(hover?.markdown).toContain("**switch state** `Decide`");
  expect(await ask("explain", { code: "WB2001" })).toContain("What it means");
  expect(await ask("explain", { code: "WB9999" })).toBeNull();
});

test("a newer request supersedes those of its kind that wait", async () => {
  const responses: Response[] = [];
  const computed: number[] = [];
  const receive = createQueue(
    async ({ id }) => {
      computed.push(id);
      return null;
    },
    (response) => responses.push(response),
  );
  const definition = { path: "w.yaml", text: "" };
  receive({ id: 1, kind: "hover", definition, offset: 0 });
  receive({ id: 2, kind: "hover", definition, offset: 1 });
  receive({ id: 3, kind: "explain", code: "WB2001" });
  receive({ id: 4, kind: "hover", definition, offset: 2 });
  await expect.poll(() => responses.length).toBe(4);
  expect(computed).toEqual([3, 4]);
  expect(responses.filter(({ status }) => status === "superseded").map(({ id }) => id)).toEqual([1, 2]);
});

test("a request that fails is answered, and the next one is computed", async () => {
  const responses: Response[] = [];
  const receive = createQueue(
    async ({ kind }) => {
      if (kind === "hover") throw new Error("broken");
      return null;
    },
    (response) => responses.push(response),
  );
  receive({ id: 1, kind: "hover", definition: { path: "w.yaml", text: "" }, offset: 0 });
  receive({ id: 2, kind: "explain", code: "WB2001" });
  await expect
    .poll(() => responses)
    .toEqual([
      { id: 1, status: "failed", message: "broken" },
      { id: 2, status: "done", result: null },
    ]);
});
