import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { describe, expect, onTestFinished, test } from "vitest";
import { filesIn, folderWith, waybill } from "../../../cli/command.ts";
import { definition, greeting } from "../greeting.ts";
import { type BuiltImage, buildImage, startContainer, whyUnsupported } from "./builder.ts";

// Builds images of generated programs by executing their Dockerfiles, and runs them as the user of the image.

const why = whyUnsupported();

const project = greeting("build/app");

async function compiled(files: { readonly [path: string]: string }): Promise<string> {
  const folder = folderWith(files);
  const { status, err } = await waybill(folder, ["compile", "flows", "--target", "typescript", "--out", "build/app"]);
  expect({ status, err }).toMatchObject({ status: 0 });
  return folder;
}

/** An npm registry with one package. */
async function registry(folder: string): Promise<string> {
  mkdirSync(join(folder, "package"));
  writeFileSync(
    join(folder, "package/package.json"),
    '{ "name": "greeter", "version": "1.0.0", "type": "module", "exports": "./index.js" }',
  );
  writeFileSync(join(folder, "package/index.js"), "export const greeting = (name) => 'Hello, '.concat(name);\n");
  expect(spawnSync("tar", ["-czf", "greeter.tgz", "package"], { cwd: folder }).status).toBe(0);
  const server = createServer((request, response) => {
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const version = { name: "greeter", version: "1.0.0", dist: { tarball: `${url}/greeter.tgz` } };
    if (request.url === "/greeter.tgz") response.end(readFileSync(join(folder, "greeter.tgz")));
    else if (request.url === "/greeter")
      response.end(
        JSON.stringify({ name: "greeter", "dist-tags": { latest: "1.0.0" }, versions: { "1.0.0": version } }),
      );
    else response.writeHead(404).end("{}");
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

async function ran(image: BuiltImage, ...line: readonly string[]) {
  const child = startContainer(image, ["node", "main.ts", ...line]);
  const [out, err] = await Promise.all([text(child.stdout!), text(child.stderr!), once(child, "close")]);
  return { status: child.exitCode, out, err };
}

describe.skipIf(why !== undefined)(`an image${why ? ` (skipped: ${why})` : ""}`, { timeout: 60_000 }, () => {
  test("contains only the program and the dependencies of its functions, and its user can write the store", async () => {
    const folder = await compiled({ ...project, "package-lock.json": lock });
    const app = join(folder, "build/app");
    expect(readFileSync(join(app, "README.md"), "utf8")).toContain("`docker build -t workflows -f Dockerfile ../..`");
    const environment = { npm_config_registry: await registry(folderWith({})), HOME: "/root" };
    const image = await buildImage(join(app, "Dockerfile"), folder, folderWith({}), environment);
    const inside = Object.keys(filesIn(join(image.root, "srv"))).filter(
      (path) => !/^build\/app\/|^node_modules\//.test(path),
    );
    expect(inside).toEqual([
      "functions/greet.ts",
      "functions/mark.txt",
      "functions/name.ts",
      "lib/loud text.ts",
      "package-lock.json",
      "package.json",
    ]);
    expect(statSync(join(image.root, "data")).uid).toBe(1000);
    const start = ["start", "greet", "--id", "a", "--wait", "--input"];
    expect(await ran(image, ...start, '{"name":"Ada"}')).toMatchObject({
      status: 0,
      out: '{\n  "name": "Ada",\n  "said": "HELLO, ADA!"\n}\n',
    });
    expect((await ran(image, "start", "greet", "--wait")).err).toContain("NoName: Who is it?");
    expect((await ran(image, "list", "--status", "succeeded")).out).toMatch(/^a +greet +succeeded /m);
  });

  test("runs the server by default", async () => {
    const folder = await compiled({
      ...project,
      "functions/greet.ts": "export const greet = () => ({ said: 1 });\n",
      "package.json": '{ "type": "module" }',
    });
    const image = await buildImage(join(folder, "build/app/Dockerfile"), folder, folderWith({}), {});
    const at = image.command.indexOf("--port");
    const child = startContainer(image, image.command.with(at + 1, "0"), { WAYBILL_TOKEN: "t" });
    let log = "";
    child.stderr!.on("data", (chunk) => {
      log += chunk;
    });
    await expect.poll(() => log, { timeout: 20_000 }).toContain('"Serving."');
    const url = /"url":"http:\/\/[^:]*:(\d+)"/.exec(log)![1]!;
    const request = {
      method: "POST",
      headers: { authorization: "Bearer t", "content-type": "application/json" },
      body: "{}",
    };
    expect((await fetch(`http://127.0.0.1:${url}/workflows/greet/runs`, request)).status).toBe(201);
    const closed = once(child, "close");
    child.kill("SIGTERM");
    await closed;
    expect(child.exitCode).toBe(0);
  });
});

/** A lock file, as `npm install` writes it. */
const lock = JSON.stringify({
  name: "project",
  lockfileVersion: 3,
  packages: {
    "": { dependencies: { greeter: "1.0.0" } },
    "node_modules/greeter": { version: "1.0.0" },
  },
});

test("a program without outside files is built in its own folder", async () => {
  const folder = await compiled({ "flows/greet.yaml": definition });
  const files = filesIn(join(folder, "build/app"));
  expect(files["Dockerfile"]).toMatch(/^# docker build -t workflows \.\nFROM node:24-slim\nWORKDIR \/app\n/);
  expect(files["Dockerfile"]).toContain('\nCOPY [".", "./"]\n');
  expect(files["Dockerfile"]).not.toContain("npm");
  expect(files).toHaveProperty([".dockerignore"]);
});

test("the ignore file admits only the copied files to the context", async () => {
  const folder = await compiled(project);
  expect(readFileSync(join(folder, "build/app/Dockerfile.dockerignore"), "utf8").split("\n")).toEqual([
    "*",
    "!build/app",
    "!functions/greet.ts",
    "!functions/mark.txt",
    "!functions/name.ts",
    "!lib/loud text.ts",
    "!package.json",
    "build/app/node_modules",
    "build/app/*.db*",
    "",
  ]);
});

test("compiling again has the same result: the program's own folder is ignored", async () => {
  const folder = await compiled(project);
  expect(
    (await waybill(folder, ["compile", "flows", "--target", "typescript", "--out", "build/app", "--check"])).status,
  ).toBe(0);
});

test("a file name that would need escaping in a Dockerfile is reported and not copied", async () => {
  const folder = await compiled({
    ...project,
    "functions/greet.ts": 'import "./[a] $b.ts";\nexport const greet = () => 1;\n',
    "functions/[a] $b.ts": "",
  });
  const dockerfile = readFileSync(join(folder, "build/app/Dockerfile"), "utf8");
  expect(dockerfile).toContain(
    "\n# ../../functions/[a] $b.ts is not in the image. Copy it to the path that functions.ts imports.\n",
  );
  expect(dockerfile.match(/\[a\]/g)).toHaveLength(1);
});
