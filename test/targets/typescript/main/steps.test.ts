import { expect, test } from "vitest";
import { program, run, serve } from "./running.ts";

// The commands that show what a run has done, find runs, and repeat a run from a step.

const start = async (folder: string, id: string, input: string) =>
  run(folder, ["start", "greet", "--id", id, "--input", JSON.stringify(input), "--wait"]);

test("show --steps prints a table, and JSON lines with --json, of a store and of a server", async () => {
  const folder = program();
  await start(folder, "a", "you");
  await start(folder, "b", "nobody");
  const table = (await run(folder, ["show", "b", "--steps"])).out;
  expect(table).toMatch(/^STEP +STATUS +ATTEMPT +TOOK +AT +RESULT\n/);
  expect(table).toMatch(/\ngreet +failed +1 +\d+ ms +\d{4}-\S+ +Nobody: There is nobody\.\n$/);
  const json = (await run(folder, ["show", "a", "--steps", "--json"])).out;
  expect(JSON.parse(json)).toMatchObject({
    key: "greet",
    status: "done",
    attempt: 1,
    result: { greeting: "Hello you" },
  });
  const server = await serve(folder);
  const remote = ["--url", server.url, "--token", server.token];
  expect((await run(folder, ["show", "b", "--steps", ...remote])).out).toBe(table);
  expect(await run(folder, ["show", "none", "--steps", ...remote])).toMatchObject({
    status: 1,
    err: "There is no run none.\n",
  });
  expect(await server.stop("SIGTERM")).toBe(0);
}, 30_000);

test("list finds runs by the text of their error and the period of their start", async () => {
  const folder = program();
  await start(folder, "a", "you");
  await start(folder, "b", "nobody");
  const found = async (...args: string[]) =>
    (await run(folder, ["list", "--json", ...args])).out
      .split("\n")
      .filter(Boolean)
      .map((line) => JSON.parse(line).id);
  expect(await found("--error", "there is NOBODY")).toEqual(["b"]);
  expect(await found("--from", "2026-01-01T00:00:00Z")).toEqual(["b", "a"]);
  expect(await found("--until", "2026-01-01T00:00:00+01:00")).toEqual([]);
  expect(await found("--value", "x")).toEqual([]);
  expect(await run(folder, ["list", "--from", "yesterday"])).toMatchObject({
    status: 2,
    err: expect.stringContaining("--from needs an instant such as 2026-01-31T08:00:00Z."),
  });
  const server = await serve(folder);
  const remote = ["--url", server.url, "--token", server.token];
  expect(await found("--error", "nobody", ...remote)).toEqual(["b"]);
  expect(await found("--from", "2026-01-01T00:00:00Z", ...remote)).toEqual(["b", "a"]);
  await server.stop("SIGTERM");
}, 30_000);

test("retry --from repeats a failed run from a step, or says why it cannot", async () => {
  const folder = program();
  await start(folder, "a", "you");
  await start(folder, "b", "nobody");
  expect(await run(folder, ["retry", "a", "--from", "greet"])).toMatchObject({
    status: 1,
    err: "Only a failed run can be repeated from a step.\n",
  });
  expect((await run(folder, ["retry", "b", "--from", "other"])).err).toContain("The step is not recorded");
  expect(await run(folder, ["retry", "b", "--from", "greet"])).toMatchObject({ status: 0, err: "" });
  const server = await serve(folder);
  const remote = ["--url", server.url, "--token", server.token];
  await expect.poll(async () => (await server.ask("GET", "/runs/b")).body).toMatchObject({ status: "failed" });
  expect((await run(folder, ["retry", "a", "--from", "greet", ...remote])).err).toContain(
    "Only a failed run can be repeated from a step.",
  );
  expect(await run(folder, ["retry", "b", "--from", "greet", ...remote])).toMatchObject({ status: 0, err: "" });
  await server.stop("SIGTERM");
}, 30_000);
