import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { isUnedited, type Manifest, parseManifest, printManifest } from "../../src/output/manifest.ts";
import { filesIn, folderWith, greeting, waybill } from "../cli/command.ts";

const manifest: Manifest = new Map([
  [
    "toy",
    {
      workflows: new Map([
        [
          "b",
          {
            source: "../b.yaml",
            starts: ["x", "y"],
            files: new Map([["b.json", "22"]]),
            release: { version: "v3", files: ["b.json"] },
          },
        ],
        ["__proto__", { starts: [], files: new Map([["a.json", ""]]) }],
        ["without files", { source: "../c.yaml", starts: [], files: new Map() }],
      ]),
      files: new Map([["program.json", "11"]]),
      previous: new Map([
        [
          "b",
          [
            { version: "v2", files: new Map([["previous/v2/b.json", "33"]]) },
            { version: "v1", files: new Map([["previous/v1/b.json", "44"]]) },
          ],
        ],
        ["gone", [{ version: "v1", files: new Map([["previous/v1/gone.json", "55"]]) }]],
      ]),
    },
  ],
]);

/** Maps in the order of their keys. */
const sorted = (value: unknown): unknown => {
  if (value instanceof Map)
    return [...value].sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, each]) => [key, sorted(each)]);
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  return sorted(new Map(Object.entries(value).filter(([, each]) => each !== undefined)));
};

test("what is printed is parsed again", () => {
  const text = printManifest(manifest);
  expect(sorted(parseManifest(text))).toEqual(sorted(manifest));
  expect(printManifest(parseManifest(text)!)).toBe(text);
  expect(JSON.parse(text)).toMatchObject({ format: 3 });
});

test("the previous format is read", () => {
  const old = {
    format: 2,
    targets: {
      toy: {
        workflows: {
          b: { source: "../b.yaml", files: { "b.json": "22" }, release: { version: "v3", files: ["b.json"] } },
        },
        files: { "program.json": "11" },
        previous: { b: [{ version: "v2", files: { "previous/v2/b.json": "33" } }] },
      },
    },
  };
  const entry = parseManifest(JSON.stringify(old))!.get("toy")!;
  expect(entry.workflows.get("b")).toEqual({
    source: "../b.yaml",
    starts: [],
    files: new Map([["b.json", "22"]]),
    release: { version: "v3", files: ["b.json"] },
  });
  expect(entry.previous.get("b")).toEqual([{ version: "v2", files: new Map([["previous/v2/b.json", "33"]]) }]);
});

test("a file is unedited with each of the hashes that a merge left", () => {
  const twice = printManifest(manifest).replace(/(.*"file":"b\.json","hash":")22(".*\n)/, "$122$2$123$2");
  const written = parseManifest(twice)!.get("toy")!.workflows.get("b")!.files.get("b.json");
  expect(["22", "23", "24"].map((hash) => isUnedited(hash, written))).toEqual([true, true, false]);
});

describe("in Git, changes of neighbors", () => {
  const names = ["a", "b", "c"];

  /** A repository with two branches, each of which changes one definition and adds another, and builds. */
  async function branches(attributes: string): Promise<{ folder: string; git(...args: readonly string[]): string }> {
    const folder = folderWith({
      ".gitattributes": attributes,
      "waybill.config.yaml": "sources: [flows]\noutputs: [{ target: asl, out: build }]\n",
      ...Object.fromEntries(names.map((name) => [`flows/${name}.yaml`, greeting(name)])),
    });
    const git = (...args: readonly string[]): string =>
      execFileSync("git", ["-c", "user.name=T", "-c", "user.email=t@example.com", ...args], {
        cwd: folder,
        encoding: "utf8",
        stdio: ["ignore", "pipe", "pipe"],
      });
    const commitBuild = async (changed: string, added?: string) => {
      for (const name of [changed, ...(added ? [added] : [])])
        writeFileSync(join(folder, `flows/${name}.yaml`), greeting(name).replace("world", changed));
      expect((await waybill(folder, ["build"])).status).toBe(0);
      git("add", "-A");
      git("commit", "-q", "-m", changed);
    };
    git("init", "-q", "-b", "main");
    await commitBuild("a");
    git("checkout", "-q", "-b", "other");
    await commitBuild("b", "d");
    git("checkout", "-q", "main");
    await commitBuild("c", "e");
    return { folder, git };
  }

  test("merge with `merge=union`", async () => {
    const { folder, git } = await branches("build/.waybill.json merge=union\n");
    git("merge", "-q", "other");
    expect((await waybill(folder, ["build", "--check"])).status).toBe(0);
    expect((await waybill(folder, ["build"])).err).toContain("5 definitions");
    expect(Object.keys(filesIn(join(folder, "build"))).filter((path) => /^.\.asl\.json$/.test(path))).toHaveLength(5);
  });

  test("are resolved by the next build otherwise", async () => {
    const { folder, git } = await branches("");
    expect(() => git("merge", "-q", "other")).toThrow();
    expect(readFileSync(join(folder, "build/.waybill.json"), "utf8")).toContain("<<<<<<<");
    expect((await waybill(folder, ["build", "--check"])).err).toContain("build/.waybill.json:1:1: error WB0602");
    expect((await waybill(folder, ["build"])).status).toBe(0);
    expect(readFileSync(join(folder, "build/.waybill.json"), "utf8")).not.toContain("<<<<<<<");
    expect((await waybill(folder, ["build", "--check"])).status).toBe(0);
  });
});
