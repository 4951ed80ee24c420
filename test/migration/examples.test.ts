import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { describe, expect, test } from "vitest";
import { Lexer } from "yaml";
import { check } from "../../src/compile.ts";
import { migrate } from "../../src/migration/index.ts";
import { languages } from "../languages.ts";
import { root } from "../readme.ts";

// Every published definition that is valid migrates to one without errors, except where the original cannot exist in 1.0.

const shared = join(root, "../shared/examples");
const folders = ["serverless-workflow-0.8", "sonataflow"].map((name) => join(shared, name)).filter(existsSync);
const files = folders.flatMap((folder) =>
  readdirSync(folder).flatMap((name) => (/\.(?:ya?ml|json)$/.test(name) ? [join(folder, name)] : [])),
);

/** What 1.0 lacks, by file: the migration reports an error. */
const incomplete: ReadonlySet<string> = new Set([
  "accumulate-room-readings",
  "compensation.sw",
  "error.sw",
  "foreach.sw",
  "move2kube.sw",
  "perform-customer-credit-check",
  "purchase-order-deadline",
]);

describe.skipIf(files.length === 0)("published definitions (skipped without ../shared)", () => {
  test.each(files.map((path) => [basename(path), path] as const))("%s", (name, path) => {
    const source = { path, text: readFileSync(path, "utf8") };
    const options = { dialect: path.includes("sonataflow") ? "sonataflow" : "spec" };
    const found = check({ sources: [source], options }, languages);
    if (found.diagnostics.some(({ severity }) => severity === "error")) return;
    const { text, diagnostics } = migrate(source, {
      language: "serverless-workflow-0.8",
      settings: options,
    });
    const lost = diagnostics.filter(({ severity }) => severity === "error");
    expect(lost.length > 0).toBe(incomplete.has(name.replace(/\.[^.]+$/, "")));
    for (const comment of commentsOf(source.text)) expect(text).toContain(comment);
    if (lost.length > 0) return;
    const created = check({ sources: [{ path: `new-${name}`, text: text! }], options: {} }, languages);
    expect(created.diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
    expect(created.program!.workflows.map(({ language }) => language)).toEqual(
      found.program!.workflows.map(() => "serverless-workflow-1.0"),
    );
  });
});

const commentsOf = (text: string): readonly string[] =>
  text.trimStart().startsWith("{") ? [] : [...new Lexer().lex(text)].filter((each) => each.startsWith("#"));
