import { type ChildProcess, spawn } from "node:child_process";
import { EventEmitter, once } from "node:events";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { buildAndWatch } from "../../src/cli/build.ts";
import { standardRegistry } from "../../src/cli/registry.ts";
import { silentTerminal } from "../../src/cli/terminal.ts";
import { broken, folderWith, greeting, waybill } from "./command.ts";

/** A running command, and what it printed since the last `until`. */
interface Watch {
  readonly command: ChildProcess;
  until(pattern: RegExp): Promise<string>;
}

function startWatch(cwd: string): Watch {
  const bin = join(import.meta.dirname, "../../src/cli/bin.ts");
  const command = spawn(process.execPath, ["--no-warnings", bin, "build", "--watch"], { cwd });
  onTestFinished(() => void command.kill("SIGKILL"));
  let printed = "";
  let wake = () => {};
  command.stderr.on("data", (chunk: Buffer) => {
    printed += chunk.toString();
    wake();
  });
  return {
    command,
    async until(pattern) {
      while (!pattern.test(printed)) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
      const found = printed;
      printed = "";
      return found;
    },
  };
}

test("builds after each change, prints what changed, and stops on a signal", async () => {
  const folder = folderWith({
    "waybill.config.yaml": "sources: [flows]\noutputs: [{ target: asl, out: build }]\n",
    "flows/greet.yaml": greeting(),
    "flows/other.yaml": greeting("other"),
  });
  const { command, until } = startWatch(folder);
  expect(await until(/Watching for changes/)).toContain("written  build/greet.asl.json\n");

  writeFileSync(join(folder, "flows/greet.yaml"), greeting().replace("world", "all"));
  const changed = await until(/definitions, /);
  expect(changed).toContain("changed  build/greet.asl.json\n");
  expect(changed).not.toContain("other");
  expect(readFileSync(join(folder, "build/greet.asl.json"), "utf8")).toContain("all");

  writeFileSync(join(folder, "flows/greet.yaml"), broken);
  expect(await until(/1 error/)).toContain("flows/greet.yaml:9:");
  writeFileSync(join(folder, "flows/greet.yaml"), greeting());
  await until(/changed {2}build\/greet\.asl\.json/);

  mkdirSync(join(folder, "flows/inner"));
  writeFileSync(join(folder, "flows/inner/third.yaml"), greeting("third"));
  await until(/written {2}build\/third\.asl\.json/);
  rmSync(join(folder, "flows/inner"), { recursive: true });
  await until(/removed {2}build\/third\.asl\.json/);

  writeFileSync(join(folder, "waybill.config.yaml"), "options: {}\n");
  await until(/No project found/);
  writeFileSync(join(folder, "waybill.config.yaml"), "sources: [flows]\noutputs: [{ target: asl, out: out }]\n");
  await until(/written {2}out\/greet\.asl\.json/);

  command.kill("SIGTERM");
  expect(await once(command, "exit")).toEqual([0, null]);
});

test("--watch and --check exclude each other", async () => {
  expect(await waybill(".", ["build", "--watch", "--check"])).toEqual({
    status: 2,
    out: "",
    err: "--watch cannot be combined with --check.\n",
  });
});

test("builds after a change of a configuration elsewhere that the project extends", async () => {
  const base = "sources: [flows]\noutputs: [{ target: asl, out: build }]\n";
  const folder = folderWith({
    "shared/base.yaml": base,
    "shop/waybill.config.yaml": "extends: ../shared/base.yaml\n",
    "shop/flows/greet.yaml": greeting(),
  });
  const { until } = startWatch(join(folder, "shop"));
  await until(/Watching for changes/);
  writeFileSync(join(folder, "shared/base.yaml"), base.replace("out: build", "out: other"));
  await until(/written {2}other\/greet\.asl\.json/);
});

test("--test runs the scenarios that a change reaches, if there are no errors", async () => {
  const scenario = (name: string) =>
    `workflow: ../flows/${name}.yaml\nscenarios:\n- { name: ${name} greets, expect: { status: succeeded, output: { hello: world } } }\n`;
  const folder = folderWith({
    "waybill.config.yaml": "sources: [flows]\nscenarios: [tests]\noutputs: [{ target: asl, out: build }]\n",
    "flows/greet.yaml": greeting(),
    "flows/other.yaml": greeting("other"),
    "tests/greet.yaml": scenario("greet"),
    "tests/other.yaml": scenario("other"),
  });
  const stop = new AbortController();
  const printed = new EventEmitter();
  let text = "";
  const print = (part: string): void => {
    text += part;
    printed.emit("text");
  };
  const terminal = { ...silentTerminal(folder), out: print, err: print };
  const watching = buildAndWatch([], { format: "text", test: true }, terminal, standardRegistry, stop.signal);
  const until = async (pattern: RegExp): Promise<string> => {
    while (!pattern.test(text)) await once(printed, "text");
    const found = text;
    text = "";
    return found;
  };
  expect(await until(/Watching for changes/)).toContain("2 passed, 0 failed");
  writeFileSync(join(folder, "flows/greet.yaml"), greeting().replace("world", "all"));
  const failed = await until(/1 failed/);
  expect(failed).toContain("greet greets");
  expect(failed).not.toContain("other greets");
  writeFileSync(join(folder, "flows/greet.yaml"), broken);
  expect(await until(/1 error/)).not.toContain("greets");
  // Fixed: nothing has changed since the last build.
  writeFileSync(join(folder, "flows/greet.yaml"), greeting().replace("world", "all"));
  expect(await until(/2 definitions, /)).toContain("4 up to date");
  writeFileSync(join(folder, "flows/greet.yaml"), greeting());
  expect(await until(/0 failed/)).toContain("greet greets");
  stop.abort();
  await watching;
});

test("--test requires --watch", async () => {
  const err = "--test requires --watch. `waybill test` runs scenarios once.\n";
  expect(await waybill(".", ["build", "--test"])).toEqual({ status: 2, out: "", err });
});
