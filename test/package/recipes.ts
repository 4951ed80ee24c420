import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { blocksOf, filesOf, wordsOf } from "../readme.ts";
import { type Installed, root } from "./install.ts";

/** The repository that a page shows, in a folder of its own, with the package installed. */
function repositoryOf(installed: Installed, page: string, name: string): string {
  const folder = join(installed.folder, name);
  for (const [path, text] of filesOf(page)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  symlinkSync(join(installed.folder, "node_modules"), join(folder, "node_modules"), "junction");
  return folder;
}

/** npm scripts, the hook, Make and the steps of the job on GitHub, each as the page about builds has it. */
export function checkBuilds(installed: Installed): string | undefined {
  const cwd = repositoryOf(installed, "src/cli/README.md", "repository");
  const run = (program: string, ...args: readonly string[]) =>
    installed.run(program, args, { cwd, env: { GITHUB_WORKSPACE: cwd } });
  const succeeds = (program: string, ...args: readonly string[]): string => {
    const { status, stdout, stderr } = run(program, ...args);
    assert.equal(status, 0, `${program} ${args.join(" ")}\n${stdout}${stderr}`);
    return stdout;
  };
  for (const script of ["check", "build", "test"]) succeeds("npm", "run", script);
  succeeds("sh", ".githooks/pre-commit");

  const job = readFileSync(join(cwd, ".github/workflows/waybill.yaml"), "utf8");
  const steps = [...job.matchAll(/^ {4}- run: (.*)$/gm)].map(([, step]) => step!).filter((step) => step !== "npm ci");
  assert.equal(steps.length, 3);
  for (const step of steps) succeeds("bash", "-e", "-c", step);
  assert.equal(JSON.parse(readFileSync(join(cwd, "waybill.sarif"), "utf8")).version, "2.1.0");
  const farewell = join(cwd, "flows/farewell.yaml");
  const before = readFileSync(farewell, "utf8");
  writeFileSync(farewell, before.replace("said: Goodbye", "said: Farewell"));
  const outdated = run("bash", "-e", "-c", steps[0]!);
  assert.equal(outdated.status, 1);
  assert.match(outdated.stdout, /^::error file=build\/farewell\.asl\.json/m);
  writeFileSync(farewell, before.replace("Goodbye\n  type", "Goodby\n  typ"));
  assert.match(run("bash", "-e", "-c", steps[0]!).stdout, /^::error file=flows\/farewell\.yaml,line=5/m);
  assert.equal(run("sh", ".githooks/pre-commit").status, 1);
  writeFileSync(farewell, before);

  if (spawnSync("make", ["--version"]).status !== 0) return "no make on the PATH";
  rmSync(join(cwd, "build"), { recursive: true });
  succeeds("make", "-j4");
  succeeds("bash", "-e", "-c", steps[0]!);
  assert.match(succeeds("make"), /Nothing to be done/);
  writeFileSync(farewell, before.replace("said: Goodbye", "said: Farewell"));
  assert.doesNotMatch(succeeds("make"), /reminder/);
  assert.match(readFileSync(join(cwd, "build/farewell.asl.json"), "utf8"), /Farewell/);
  return undefined;
}

/** The program of the page about the library. */
export function checkLibraryPage(installed: Installed): undefined {
  const page = "src/library.md";
  const { status, stdout, stderr } = installed.run("node", ["program.ts"], {
    cwd: repositoryOf(installed, page, "library"),
  });
  const printed = blocksOf(readFileSync(join(root, page), "utf8")).find(({ title }) => title === "$ node program.ts");
  assert.deepEqual({ status, stdout, stderr }, { status: 0, stdout: printed!.content, stderr: "" });
}

/** What the page about programs says to do in one. */
export function checkProgramPage(installed: Installed): undefined {
  const page = "targets/typescript/README.md";
  const cwd = repositoryOf(installed, page, "program");
  const commands = blocksOf(readFileSync(join(root, page), "utf8"))
    .filter(({ language }) => language === "console")
    .flatMap(({ content }) => [...content.matchAll(/^\$ (.*)$/gm)].map(([, command]) => command!));
  for (const command of commands.filter((each) => each !== "npm install")) {
    const [program, ...args] = wordsOf(command);
    const isInside = program === "node";
    const { status, stderr } = installed.run(program!, args, { cwd: isInside ? join(cwd, "app") : cwd });
    assert.equal(status, 0, `${command}\n${stderr}`);
    if (command.includes("compile")) symlinkSync(join(root, "node_modules"), join(cwd, "app/node_modules"), "junction");
  }
}
