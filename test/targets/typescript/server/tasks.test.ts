import { expect, test } from "vitest";
import type { Engine } from "../../../../targets/typescript/runtime/engine.ts";
import type { Json } from "../../../../targets/typescript/runtime/json.ts";
import { openEngine } from "../../../../targets/typescript/runtime/sqlite/engine.ts";
import { type AnyWorkflow, defineWorkflow } from "../../../../targets/typescript/runtime/workflow.ts";
import { log, startServer } from "./asking.ts";

/** Serves a workflow that waits for the answer of a task, and one that offers work to reviewers. */
async function serve(credentials?: NonNullable<Parameters<typeof startServer>[0]["credentials"]>) {
  const tokens: string[] = [];
  const approval = defineWorkflow<unknown, Json>({
    id: "approval",
    version: "1",
    name: "Approval",
    run: (flow) => flow.callback("Approve", ({ token }) => void tokens.push(token), { heartbeat: 60 }),
  });
  const review = defineWorkflow<unknown, Json>({
    id: "review",
    version: "1",
    name: "Review",
    run: (flow, _, input) => flow.activity("Review", "reviewers", () => input),
  });
  const workflows = [approval, review] as unknown as readonly AnyWorkflow[];
  const engine: Engine = openEngine({
    store: ":memory:",
    workflows,
    functions: {},
    send: () => undefined,
    log: () => undefined,
  });
  const url = await startServer({ workflows: ["approval", "review"], credentials }, engine);
  const request = async (method: string, path: string, body?: string, headers: { [name: string]: string } = {}) => {
    const usual = body === undefined ? {} : { "content-type": "application/json" };
    const response = await fetch(url + path, { method, headers: { ...usual, ...headers }, body: body ?? null });
    const text = await response.text();
    return { status: response.status, body: text === "" ? undefined : (JSON.parse(text) as Json) };
  };
  const startTask = async (id: string): Promise<string> => {
    const count = tokens.length;
    await engine.start("approval", {}, { id });
    await expect.poll(() => tokens.length).toBe(count + 1);
    return tokens.at(-1)!;
  };
  return { engine, request, startTask };
}

test("a task ends with the JSON that its token's holder posts, and a repeated request has no further effect", async () => {
  const { engine, request, startTask } = await serve();
  const token = await startTask("a");
  expect(await request("POST", `/tasks/${token}/heartbeat`)).toEqual({ status: 200, body: { status: "accepted" } });
  const first = await request("POST", `/tasks/${token}/success`, `{"approved":true}`);
  expect(first).toEqual({ status: 200, body: { status: "accepted" } });
  expect((await engine.ended("a")).output).toEqual({ approved: true });
  expect(await request("POST", `/tasks/${token}/success`, `{ "approved": true }`)).toEqual({
    status: 200,
    body: { status: "duplicate" },
  });
  expect(await request("POST", `/tasks/${token}/success`, "false")).toMatchObject({
    status: 409,
    body: { title: "Answered" },
  });
  expect(await request("POST", `/tasks/${token}/heartbeat`)).toMatchObject({ status: 409 });
});

test("a task fails with the error and the cause that are posted, which may be absent", async () => {
  const { engine, request, startTask } = await serve();
  await request("POST", `/tasks/${await startTask("a")}/failure`, `{"error":"Denied","cause":"No budget."}`);
  expect((await engine.ended("a")).error).toMatchObject({ name: "Denied", message: "No budget." });
  expect((await request("POST", `/tasks/${await startTask("b")}/failure`)).status).toBe(200);
  expect((await engine.ended("b")).error).toMatchObject({ name: "", message: "" });
});

test("a task that nobody waits for is gone, and an unknown one is not found", async () => {
  const { engine, request, startTask } = await serve();
  const token = await startTask("a");
  await engine.cancel("a");
  for (const kind of ["success", "failure", "heartbeat"]) {
    const body = kind === "success" ? "1" : undefined;
    expect(await request("POST", `/tasks/${token}/${kind}`, body)).toMatchObject({ status: 410 });
    expect(await request("POST", `/tasks/${token.slice(1)}/${kind}`, body)).toMatchObject({ status: 404 });
  }
});

test("what is not a report is refused, and has no effect", async () => {
  const { engine, request, startTask } = await serve();
  const path = `/tasks/${await startTask("a")}`;
  expect((await request("POST", `${path}/success`)).status).toBe(400);
  expect((await request("POST", `${path}/success`, `{"a":1,"a":2}`)).status).toBe(400);
  expect((await request("POST", `${path}/success`, "1", { "content-type": "text/plain" })).status).toBe(415);
  expect((await request("POST", `${path}/failure`, `{"error":1}`)).status).toBe(400);
  expect((await request("POST", `${path}/failure`, `{"message":"x"}`)).status).toBe(400);
  expect((await request("POST", `${path}/failure`, `[]`)).status).toBe(400);
  expect((await request("POST", `${path}/heartbeat`, "1")).status).toBe(400);
  expect((await request("GET", `${path}/success`)).status).toBe(405);
  expect((await request("POST", `${path}/other`)).status).toBe(404);
  expect((await engine.show("a"))!.status).toMatch(/running|waiting/);
});

test("reports and workers need the permission for tasks, of the workflow if it is limited", async () => {
  const may = (scope: "tasks" | "manage", workflows?: readonly string[]) =>
    ({ token: `a-token-for-${scope}-${workflows ?? "all"}`, may: [scope], workflows }) as const;
  const all = [may("manage"), may("tasks", ["review"]), may("tasks")];
  const { engine, request, startTask } = await serve(() => all);
  const token = await startTask("a");
  const by = (index: number) => ({ authorization: `Bearer ${all[index]!.token}` });
  const report = (headers: { readonly [name: string]: string }) =>
    request("POST", `/tasks/${token}/success`, "1", headers);
  expect((await report({})).status).toBe(401);
  expect((await report(by(0))).status).toBe(403);
  expect((await request("GET", "/activities/reviewers", undefined, by(0))).status).toBe(403);
  expect((await report(by(1))).status).toBe(404);
  expect((await report(by(2))).status).toBe(200);
  expect((await request("GET", "/runs/a", undefined, by(2))).status).toBe(403);
  await engine.start("review", { document: 1 }, { id: "b" });
  const taken = await request("GET", "/activities/reviewers?wait=5", undefined, by(1));
  expect(taken).toMatchObject({ status: 200, body: { input: { document: 1 } } });
});

test("a worker takes a task of an activity once, and waits for one as long as it wants", async () => {
  const { engine, request } = await serve();
  expect(await request("GET", "/activities/reviewers")).toEqual({ status: 204, body: undefined });
  const polling = request("GET", "/activities/reviewers?wait=20");
  await engine.start("review", { document: 1 }, { id: "a" });
  const { status, body } = await polling;
  const { taskToken, input } = body as { readonly taskToken: string; readonly input: Json };
  expect([status, input]).toEqual([200, { document: 1 }]);
  expect((await request("GET", "/activities/reviewers")).status).toBe(204);
  expect((await request("HEAD", "/activities/reviewers")).status).toBe(405);
  expect((await request("GET", "/activities/reviewers?wait=301")).status).toBe(400);
  await request("POST", `/tasks/${taskToken}/success`, `"fine"`);
  expect((await engine.ended("a")).output).toBe("fine");
});

test("a run shows what it waits for, without the token, and nothing logs it", async () => {
  const { request, startTask } = await serve();
  const token = await startTask("a");
  await expect
    .poll(async () => (await request("GET", "/runs/a")).body)
    .toMatchObject({
      status: "waiting",
      waitingFor: { events: [], tasks: ["Approve"], until: expect.any(String) },
    });
  const shown = [await request("GET", "/runs/a"), await request("GET", "/runs/a/steps")];
  expect(JSON.stringify(shown)).not.toContain(token);
  expect(JSON.stringify(log)).not.toContain(token);
});
