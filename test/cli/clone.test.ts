import { spawnSync } from "node:child_process";
import { copyFileSync, rmSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { folderWith } from "../cli/command.ts";

// `npm run waybill` runs what the sources say: an old bundle or old generated files are not used.

const say = (text: string): string => `console.log(${JSON.stringify(text)});\n`;

const files = {
  "package.json": "{}",
  ".build/generate.ts": say("generated"),
  "src/cli/bin.ts": say("sources"),
  "src/generated/diagnostics.js": "",
  "targets/asl/index.ts": "",
  "dist/waybill.cjs": say("bundle"),
};

/** Runs the command after changing files at given seconds; the others are older. */
function runAfter(changes: { readonly [path: string]: number }): readonly string[] {
  const folder = folderWith(files);
  copyFileSync(join(import.meta.dirname, "../../.build/run.ts"), join(folder, ".build/run.ts"));
  const inside = ["src/cli", "src", ".build", "targets/asl", "targets", ".build/run.ts", ...Object.keys(files)];
  for (const path of inside) utimesSync(join(folder, path), 1, changes[path] ?? 1);
  if (changes["dist/waybill.cjs"] === undefined) rmSync(join(folder, "dist"), { recursive: true });
  const { stdout, stderr } = spawnSync(process.execPath, ["--no-warnings", join(folder, ".build/run.ts")], {
    encoding: "utf8",
  });
  return [...stderr.split("\n"), ...stdout.split("\n")].filter((line) => line !== "");
}

test.each<[string, Parameters<typeof runAfter>[0], readonly string[]]>([
  ["the bundle, if no source is newer", { "dist/waybill.cjs": 3, "src/cli/bin.ts": 2 }, ["bundle"]],
  [
    "the sources, if one is newer than the bundle",
    { "dist/waybill.cjs": 3, "targets/asl/index.ts": 4, "src/generated/diagnostics.js": 5 },
    ["sources"],
  ],
  [
    "the sources, if one was deleted after the bundle was built",
    { "dist/waybill.cjs": 3, "src/cli": 4, "src/generated/diagnostics.js": 5 },
    ["sources"],
  ],
  ["the sources, if there is no bundle", { "src/generated/diagnostics.js": 2 }, ["sources"]],
  [
    "the sources with new generated files, if a source is newer than those",
    { "src/generated/diagnostics.js": 2, "src/cli/bin.ts": 3 },
    ["generated", "sources"],
  ],
])("%s", (_, changes, output) => expect(runAfter(changes)).toEqual(output));
