import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { servePlayground } from "../../src/cli/playground.ts";
import { waybill } from "../cli/command.ts";

// The server of `waybill playground`.

function folder(): string {
  const made = mkdtempSync(join(tmpdir(), "waybill-serve-"));
  onTestFinished(() => rmSync(made, { recursive: true, force: true }));
  mkdirSync(join(made, "page/examples"), { recursive: true });
  writeFileSync(join(made, "secret.txt"), "secret");
  writeFileSync(join(made, "page/index.html"), "<title>Page</title>");
  writeFileSync(join(made, "page/main-ABCDEF12.js"), "1");
  writeFileSync(join(made, "page/examples/index.json"), "[]");
  return join(made, "page");
}

async function serve(): Promise<string> {
  const server = await servePlayground(folder(), 0);
  onTestFinished(() => server.close());
  return server.url;
}

test("serves the files of the page on this machine only, with its policy", async () => {
  const url = await serve();
  expect(new URL(url).hostname).toBe("127.0.0.1");
  const page = await fetch(url);
  expect([page.status, await page.text()]).toEqual([200, "<title>Page</title>"]);
  const header = (name: string) => page.headers.get(name);
  expect(header("content-type")).toBe("text/html; charset=utf-8");
  expect(header("content-security-policy")).toMatch(/^default-src 'none'.*frame-ancestors 'none'$/);
  expect(header("x-content-type-options")).toBe("nosniff");
  expect(header("cache-control")).toBe("no-cache");
  const script = await fetch(`${url}main-ABCDEF12.js?x`);
  expect([script.status, script.headers.get("cache-control")]).toEqual([200, "max-age=31536000, immutable"]);
  expect(await (await fetch(`${url}examples/index.json`, { method: "HEAD" })).text()).toBe("");
});

test.each(["../secret.txt", "..%2fsecret.txt", "%2e%2e/secret.txt", "examples", "a%00b", "%E0%A4%A", "/etc/passwd"])(
  "%s is not a file of the page",
  async (path) => {
    expect(await statusOf(await serve(), path)).toBe(404);
  },
);

test("other methods are not permitted", async () => {
  expect((await fetch(await serve(), { method: "POST", body: "x" })).status).toBe(405);
});

/** The status of a path as it is: `fetch` would resolve it. */
async function statusOf(url: string, path: string): Promise<number> {
  const socket = connect(Number(new URL(url).port), "127.0.0.1");
  socket.write(`GET /${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
  const [answer] = (await once(socket, "data")) as [Buffer];
  socket.destroy();
  return Number(/^HTTP\/1\.1 (\d+)/.exec(answer.toString())?.[1]);
}

test("a port in use is an error", async () => {
  const port = Number(new URL(await serve()).port);
  await expect(servePlayground(folder(), port)).rejects.toThrow(`Port ${port} is in use.`);
});

test.each(["x", "-1", "70000", "1.5"])("the port %s is a usage error", async (port) => {
  const { status, err } = await waybill(folder(), ["playground", `--port=${port}`]);
  expect([status, err]).toEqual([2, expect.stringContaining("--port must be a number from 0 to 65535")]);
});

test("the command serves the installed package until it is stopped", { timeout: 60_000 }, async () => {
  const project = mkdtempSync(join(tmpdir(), "waybill-project-"));
  onTestFinished(() => rmSync(project, { recursive: true, force: true }));
  const installed = join(project, "node_modules/waybill-playground");
  mkdirSync(installed, { recursive: true });
  writeFileSync(join(installed, "package.json"), '{ "name": "waybill-playground", "version": "0.1.0" }');
  writeFileSync(join(installed, "index.html"), "<title>Installed</title>");
  const bin = join(import.meta.dirname, "../../src/cli/bin.ts");
  const child = spawn(process.execPath, ["--no-warnings", bin, "playground", "--port", "0"], { cwd: project });
  onTestFinished(() => void child.kill("SIGKILL"));
  let printed = "";
  child.stdout.on("data", (chunk: Buffer) => {
    printed += chunk.toString();
  });
  await expect.poll(() => printed, { timeout: 30_000 }).toMatch(/^Playground: http:\/\/127\.0\.0\.1:\d+\/\n/);
  const url = /http:\S+/.exec(printed)![0];
  // In a clone with a built page, that one is served.
  expect(await (await fetch(url)).text()).toMatch(/<title>(?:Installed|Waybill playground)<\/title>/);
  child.kill("SIGTERM");
  const [code] = (await once(child, "exit")) as [number | null];
  expect(code).toBe(0);
});
