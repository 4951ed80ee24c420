import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
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
