import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { programFolder } from "../program.ts";
import { run, serve } from "./running.ts";

// Tasks that are answered by the command line, and by a sender that retries while the process is away.

const main = `import { appendFileSync } from "node:fs";
import { defineWorkflow, main, openEngine, type Flow } from "./runtime.js";

const approval = defineWorkflow({
  id: "approval",
  version: "1",
  name: "Approval",
  run: (flow: Flow) =>
    flow.callback("Approve", ({ token, key }) => appendFileSync("tokens", \`\${flow.run.id} \${token}\\n\`), { timeout: 3600 }),
});

process.exitCode = await main({ workflows: [approval], functions: {}, open: openEngine, location: import.meta.url });
`;

const program = (): string => programFolder({ "main.ts": main });

/** The tokens that the function of a run has received, in order. */
const tokensOf = (folder: string, id: string): readonly string[] => {
  const path = join(folder, "tokens");
  const lines = existsSync(path) ? readFileSync(path, "utf8").split("\n") : [];
  return lines.flatMap((line) => (line.startsWith(`${id} `) ? [line.slice(id.length + 1)] : []));
};

const isAsked = (folder: string, id: string) =>
  expect.poll(() => tokensOf(folder, id).length, { timeout: 10_000 }).toBeGreaterThan(0);

test("a task is answered by a command, on a store and on a server", async () => {
  const folder = program();
  const server = await serve(folder);
  for (const id of ["a", "b", "c"]) await server.ask("POST", `/workflows/approval/runs?id=${id}`, {});
  for (const id of ["a", "b", "c"]) await isAsked(folder, id);
  const [a, b, c] = ["a", "b", "c"].map((id) => tokensOf(folder, id)[0]!) as [string, string, string];
  const remote = ["--url", server.url, "--token", server.token];
  expect(await run(folder, ["task", "heartbeat", a, ...remote])).toMatchObject({ status: 0, out: "", err: "" });
  expect((await run(folder, ["task", "success", "-", "--output", '{"approved":true}', ...remote], a)).status).toBe(0);
  expect(await run(folder, ["task", "success", a, "--output", "1", ...remote])).toMatchObject({
    status: 1,
    err: "The task has been answered already, by another report.\n",
  });
  const { body } = await server.ask("GET", "/runs/a/result?wait=10");
  expect(body).toEqual({ approved: true });
  expect(await server.stop("SIGTERM")).toBe(0);
  expect((await run(folder, ["task", "failure", b, "--error", "Denied", "--cause", "No budget."])).status).toBe(0);
  await run(folder, ["cancel", "c"]);
  expect((await run(folder, ["task", "success", c, "--output", "1"])).err).toContain("does not wait for this task");
  expect((await run(folder, ["task", "success", `${b}x`, "--output", "1"])).err).toContain("no task with this token");
  const again = await serve(folder);
  const failed = await again.ask("GET", "/runs/b/result?wait=10");
  expect(failed).toMatchObject({ status: 422, body: { error: { name: "Denied", message: "No budget." } } });
  await again.stop("SIGTERM");
}, 60_000);

test("the command line of a report is checked", async () => {
  const folder = program();
  const mistakes: readonly (readonly [readonly string[], string])[] = [
    [["success", "t"], "A success needs its result in --output."],
    [["success", "t", "--output", "1", "--error", "E"], "--error and --cause are for failures."],
    [["failure", "t", "--output", "1"], "--output is for successes."],
    [["heartbeat", "t", "--cause", "C"], "A heartbeat has no --output, --error or --cause."],
    [["done", "t"], "A task reports success, failure or heartbeat, not done."],
    [["success"], "An argument is missing."],
    [["success", "t", "--output", "{"], "The input is not JSON"],
  ];
  for (const [line, message] of mistakes) {
    const { status, err } = await run(folder, ["task", ...line]);
    expect([status, err]).toEqual([2, expect.stringContaining(message)]);
  }
}, 60_000);

test("a killed server waits for the same token, and takes the answer that a sender repeats", async () => {
  const folder = program();
  const first = await serve(folder);
  await first.ask("POST", "/workflows/approval/runs?id=a", {});
  await isAsked(folder, "a");
  const [token] = tokensOf(folder, "a");
  expect(await first.stop("SIGKILL")).toBe("SIGKILL");
  await expect(first.ask("POST", `/tasks/${token}/success`, { approved: true })).rejects.toThrow();
  const second = await serve(folder);
  const answer = () => second.ask("POST", `/tasks/${token}/success`, { approved: true });
  expect(await answer()).toMatchObject({ status: 200, body: { status: "accepted" } });
  await second.stop("SIGKILL");
  const third = await serve(folder);
  const repeated = await third.ask("POST", `/tasks/${token}/success`, { approved: true });
  expect(repeated).toMatchObject({ status: 200, body: { status: "duplicate" } });
  expect((await third.ask("GET", "/runs/a/result?wait=10")).body).toEqual({ approved: true });
  expect(new Set(tokensOf(folder, "a")).size).toBe(1);
  expect(third.log() + second.log() + first.log()).not.toContain(token!);
  await third.stop("SIGTERM");
}, 60_000);
