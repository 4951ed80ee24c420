import { spawnSync } from "node:child_process";
import { chmodSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { folderWith, greeting } from "./cli/command.ts";

// The action for GitHub and the hooks for pre-commit, executed as those run them, with an `npx` that runs the sources.

const root = join(import.meta.dirname, "..");

const project = {
  "waybill.config.yaml": "sources: [flows]\noutputs: [{ target: asl, out: build }]\nscenarios: [scenarios]\n",
  "flows/greet.yaml": greeting(),
  "scenarios/greet.yaml":
    "workflow: ../flows/greet.yaml\nscenarios: [{ name: one, input: {}, expect: { status: succeeded } }]\n",
};

interface CommandResult {
  readonly status: number | null;
  readonly out: string;
}

/** Runs a script in bash, where `npx` prints its arguments before the package's. */
function bash(script: string, cwd: string, env: { readonly [name: string]: string } = {}): CommandResult {
  const bin = folderWith({});
  const npx = join(bin, "npx");
  const command = `exec "${process.execPath}" --no-warnings "${join(root, "src/cli/bin.ts")}" "$@"`;
  writeFileSync(npx, `#!/bin/bash\necho "npx $1 $2" >&2\nshift 2\n${command}\n`);
  chmodSync(npx, 0o755);
  const PATH = [bin, process.env["PATH"]].join(delimiter);
  const options = { cwd, encoding: "utf8", env: { ...process.env, NO_COLOR: "1", PATH, ...env } } as const;
  const { status, stdout, stderr } = spawnSync("bash", ["-e", "-o", "pipefail", "-c", script], options);
  return { status, out: stdout + stderr };
}

interface Action {
  readonly inputs: { readonly [name: string]: { readonly description: string; readonly default: string } };
  readonly runs: {
    readonly using: string;
    readonly steps: readonly { readonly shell: string; readonly run: string; readonly env: object }[];
  };
}

describe("the GitHub action", () => {
  const { inputs, runs }: Action = parse(readFileSync(join(root, ".github/action.yml"), "utf8"));
  const [step] = runs.steps;

  /** Runs the step as a composite action does. */
  function action(cwd: string, given: { readonly [input: string]: string } = {}): CommandResult {
    const env = Object.fromEntries(
      Object.entries(step!.env).map(([name, value]) => {
        const input = /^\$\{\{ inputs\.([\w-]+) \}\}$/.exec(String(value))![1]!;
        return [name, given[input] ?? inputs[input]!.default];
      }),
    );
    return bash(step!.run, cwd, { ...env, GITHUB_WORKSPACE: cwd });
  }

  test("is composite, and its script contains no expression", () => {
    expect([runs.using, step!.shell, runs.steps.length]).toEqual(["composite", "bash", 1]);
    expect(step!.run).not.toContain("${{");
    for (const { description } of Object.values(inputs)) expect(description).not.toBe("");
  });

  test("annotates outputs that are not up to date", { timeout: 60_000 }, () => {
    const folder = folderWith(project);
    const missing = action(folder);
    expect(missing.out).toMatch(/^::error file=\S+.*WB06\d\d/m);
    expect(missing.out).toContain("npx --yes waybill\n");
    expect(missing.status).toBe(1);
    expect(bash("npx --yes waybill build", folder).status).toBe(0);
    expect(action(folder).status).toBe(0);
  });

  test("checks and tests, with a version and arguments", { timeout: 60_000 }, () => {
    const folder = folderWith(project);
    const checked = action(folder, { command: "check", version: "1.2.3", arguments: "flows\n --strict" });
    expect([checked.status, checked.out]).toEqual([0, expect.stringContaining("npx --yes waybill@1.2.3\n")]);
    expect(action(folder, { command: "test" })).toMatchObject({ status: 0, out: expect.stringContaining("✓ one") });
  });

  test("rejects other commands, and does not execute what an input contains", { timeout: 60_000 }, () => {
    const folder = folderWith(project);
    expect(action(folder, { command: "build; touch x" })).toMatchObject({ status: 2 });
    expect(action(folder, { command: "check", arguments: "$(touch x) `touch x` ; touch x" }).status).not.toBe(0);
    expect(() => readFileSync(join(folder, "x"))).toThrow("ENOENT");
  });
});

describe("the hooks for pre-commit", () => {
  interface Hook {
    readonly id: string;
    readonly name: string;
    readonly entry: string;
    readonly language: string;
    readonly files?: string;
    readonly pass_filenames: boolean;
  }
  const hooks: readonly Hook[] = parse(readFileSync(join(root, ".pre-commit-hooks.yaml"), "utf8"));

  test("have what pre-commit requires", () => {
    expect(hooks.map(({ id }) => id)).toEqual(["waybill-check", "waybill-build", "waybill-test"]);
    for (const { name, language, files = "", pass_filenames } of hooks) {
      expect([name === "", language, pass_filenames]).toEqual([false, "system", false]);
      expect(() => new RegExp(files)).not.toThrow();
    }
  });

  test.each(hooks.map(({ id, entry }) => [id, entry] as const))(
    "%s succeeds for an up-to-date project",
    { timeout: 60_000 },
    (_, entry) => {
      const folder = folderWith(project);
      expect(bash("npx --yes waybill build", folder).status).toBe(0);
      expect(bash(entry, folder).status).toBe(0);
      writeFileSync(join(folder, "flows/greet.yaml"), greeting().replace("type: inject", "type: unknown"));
      expect(bash(entry, folder).status).toBe(1);
    },
  );
});
