import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type ServerProcess, serve } from "../targets/typescript/main/running.ts";
import { filesIn, folderWith, waybill } from "./command.ts";

/** A workflow that calls a function, waits for its event and calls another, directly and in a subflow. */
const order = (said: string, more = "") => `id: order
name: Order${more}
version: '1.0'
events:
- { name: Paid, type: order.paid, source: /shop }
functions:
- { name: note, resource: note }
states:
- name: Ask
  type: callback
  start: { kind: default }
  action: { functionRef: { refName: note, parameters: { text: asked ${said} } } }
  eventRef: Paid
  timeout: P1D
  transition: { nextState: Sub }
- { name: Sub, type: subflow, workflowId: bill, waitForCompletion: true, transition: { nextState: Say } }
- name: Say
  type: operation
  actions:
  - functionRef: { refName: note, parameters: { text: ended ${said} } }
  end: { kind: default }
`;

const bill = (said: string) => `id: bill
name: Bill
version: '1.0'
functions:
- { name: note, resource: note }
states:
- name: Charge
  type: operation
  start: { kind: default }
  actions:
  - functionRef: { refName: note, parameters: { text: billed ${said} } }
  end: { kind: default }
`;

const files = {
  "order.yaml": order("1"),
  "bill.yaml": bill("1"),
  "package.json": '{ "type": "module" }',
  "waybill.config.yaml": "functions: { note: { typescript: { module: ./note.ts#note } } }\n",
  "note.ts": `import { appendFileSync } from "node:fs";
export const note = async ({ text }: { text: unknown }) => {
  appendFileSync(new URL("./notes.txt", import.meta.url), \`\${text}\\n\`);
  return {};
};
`,
};

const compile = (folder: string, ...more: readonly string[]) =>
  waybill(folder, ["compile", "order.yaml", "bill.yaml", "--target", "typescript", "--out", "app", ...more]);

const notes = (folder: string) => readFileSync(join(folder, "notes.txt"), "utf8").trim().split("\n");

/** Runs a command of the program and returns its output. */
function main(folder: string, ...args: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync(process.execPath, ["--no-warnings", "main.ts", ...args], {
    cwd: join(folder, "app"),
    encoding: "utf8",
  });
  expect(stderr + status, stderr).toMatch(/0$/);
  return stdout;
}

/** Calls a function while the program serves. */
async function served(folder: string, work: (server: ServerProcess) => Promise<void>): Promise<void> {
  const server = await serve(join(folder, "app"), ["--no-token"]);
  await work(server);
  await server.stop("SIGTERM");
}

const structured = { "content-type": "application/cloudevents+json" };
const paid = (id: string) => ({ specversion: "1.0", id, source: "/shop", type: "order.paid", data: {} });

test("a run continues with the version that it started with, including subflows, after recompilation", async () => {
  const folder = folderWith(files);
  expect((await compile(folder)).status).toBe(0);
  expect(existsSync(join(folder, "app/previous"))).toBe(false);
  main(folder, "start", "order", "--id", "old");
  await served(folder, async ({ ask }) => {
    await expect.poll(() => existsSync(join(folder, "notes.txt")), { timeout: 10_000 }).toBe(true);
    expect((await ask("GET", "/runs/old")).body).toMatchObject({ workflow: "order" });
  });

  writeFileSync(join(folder, "bill.yaml"), bill("2"));
  writeFileSync(join(folder, "order.yaml"), order("2"));
  const { status, err } = await compile(folder);
  expect(status).toBe(0);
  const versions = readdirSync(join(folder, "app/previous")).sort();
  expect(versions).toHaveLength(2);
  for (const version of versions)
    expect(err).toMatch(new RegExp(`^kept     app/previous/${version}/ for unfinished runs of `, "m"));
  const kept = filesIn(join(folder, "app/previous"));
  expect(
    Object.keys(kept)
      .map((path) => path.replace(/^\w+\//, ""))
      .sort(),
  ).toEqual(["bill.graph.json", "bill.graph.json", "bill.ts", "bill.ts", "order.graph.json", "order.ts"]);
  expect((await compile(folder, "--check")).status).toBe(0);

  main(folder, "start", "order", "--id", "new");
  const listed = main(folder, "versions")
    .trim()
    .split("\n")
    .map((line) => line.split(/ {2,}/));
  expect(listed.slice(1).map(([workflow, , runs, code]) => [workflow, runs, code])).toEqual(
    expect.arrayContaining([
      ["order", "1", "new"],
      ["order", "1", "previous"],
      ["bill", "0", "previous"],
    ]),
  );
  await served(folder, async ({ ask }) => {
    await expect.poll(() => notes(folder), { timeout: 10_000 }).toContain("asked 2");
    for (const id of ["1", "2"]) await ask("POST", "/events", paid(id), structured);
    for (const id of ["old", "new"]) expect((await ask("GET", `/runs/${id}/result?wait=10`)).status).toBe(200);
  });
  expect(notes(folder).toSorted()).toEqual(["asked 1", "asked 2", "billed 1", "billed 2", "ended 1", "ended 2"]);
}, 60_000);

test("the number of versions is limited, and a restored version is not kept twice", async () => {
  const folder = folderWith(files);
  const kept = (): readonly string[] =>
    Object.keys(filesIn(join(folder, "app"))).filter((path) => /^previous\/.*order\.ts$/.test(path));
  await compile(folder);
  const messages: string[] = [];
  for (const text of ["2", "3", "4", "5"]) {
    writeFileSync(join(folder, "order.yaml"), order(text));
    messages.push((await compile(folder)).err);
  }
  expect(kept()).toHaveLength(3);
  expect(messages.slice(0, 3).join("")).not.toContain("--keep-versions");
  expect(messages[3]).toMatch(/^removed {2}app\/previous\/\w+\/, which exceeds --keep-versions of order/m);
  const before = kept();

  writeFileSync(join(folder, "order.yaml"), order("5", " of goods"));
  await compile(folder);
  expect(kept()).toEqual(before);

  writeFileSync(join(folder, "order.yaml"), order("4"));
  await compile(folder);
  expect(kept()).toHaveLength(3);
  const text = readFileSync(join(folder, "app/order.ts"), "utf8");
  for (const path of kept()) expect(readFileSync(join(folder, "app", path), "utf8")).not.toBe(text);

  writeFileSync(join(folder, "order.yaml"), order("6"));
  expect((await compile(folder, "--keep-versions", "1")).status).toBe(0);
  expect(kept()).toHaveLength(1);
  writeFileSync(join(folder, "order.yaml"), order("7"));
  await compile(folder, "--keep-versions", "0");
  expect(kept()).toEqual([]);
  expect(Object.keys(filesIn(join(folder, "app"))).filter((path) => path.startsWith("previous"))).toEqual([]);
}, 60_000);

test("--keep-versions is validated", async () => {
  const folder = folderWith(files);
  expect((await compile(folder, "--keep-versions", "some")).err).toContain(
    "--keep-versions must be an integer, not `some`",
  );
  const { err } = await waybill(folder, ["compile", "order.yaml", "--target", "asl", "--keep-versions", "1"]);
  expect(err).toContain("--keep-versions requires --out");
});
