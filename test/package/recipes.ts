import assert from "node:assert/strict";
import { type SpawnSyncReturns, spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { parse } from "yaml";
import { blocksOf, filesOf } from "../readme.ts";
import { createProject, type Installed, nextTo, root } from "./install.ts";

/** A project with the files of a page, and a shell in it. */
interface Project {
  readonly folder: string;
  /** Runs a script in bash, where the first failing command ends it. */
  readonly shell: (script: string, env?: { readonly [name: string]: string }) => SpawnSyncReturns<string>;
  /** Runs a script that must succeed; returns its standard output. */
  readonly succeed: (script: string) => string;
}

function projectOf(installed: Installed, page: string, name: string): Project {
  const folder = nextTo(installed, name);
  createProject(folder, installed.tarball);
  for (const [path, text] of filesOf(page)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  const identity = {
    GIT_AUTHOR_NAME: "a",
    GIT_AUTHOR_EMAIL: "a@b",
    GIT_COMMITTER_NAME: "a",
    GIT_COMMITTER_EMAIL: "a@b",
  };
  const shell: Project["shell"] = (script, env) =>
    installed.run("bash", ["-e", "-c", script], {
      cwd: folder,
      env: { ...identity, GITHUB_WORKSPACE: folder, ...env },
    });
  const succeed = (script: string): string => {
    const { status, stdout, stderr } = shell(script);
    assert.equal(status, 0, `${script}\n${stdout}${stderr}`);
    return stdout;
  };
  return { folder, shell, succeed };
}

/** The commands in the console blocks of a page. */
function commandsOf(page: string): readonly string[] {
  return blocksOf(readFileSync(join(root, page), "utf8"))
    .filter(({ language }) => language === "console")
    .flatMap(({ content }) => [...content.matchAll(/^\$ (.*)$/gm)].map(([, command]) => command!));
}

interface Job {
  readonly permissions: { readonly [name: string]: string };
  readonly jobs: { readonly waybill: { readonly steps: readonly JobStep[] } };
}

interface JobStep {
  readonly run?: string;
  readonly uses?: string;
  readonly if?: string;
}

/** npm scripts, the hook, Make and the steps of the job on GitHub, as the page about the command line shows them. */
export function checkBuilds(installed: Installed): string | undefined {
  const page = "src/cli/README.md";
  const { folder, shell, succeed } = projectOf(installed, page, "recipes");
  const path = (name: string) => join(folder, name);
  const reminder = readFileSync(path("flows/reminder.yaml"), "utf8");
  const farewell = reminder.replace("id: reminder", "id: farewell");
  writeFileSync(path("flows/farewell.yaml"), farewell);
  writeFileSync(path(".gitignore"), "node_modules\njunit.xml\nwaybill.sarif\n");
  succeed("git init --quiet");
  for (const command of commandsOf(page)) succeed(command);
  for (const script of ["check", "build", "test"]) succeed(`npm run ${script}`);

  const commit = "git add --all && git commit --quiet --message change";
  succeed(commit);
  writeFileSync(path("flows/farewell.yaml"), farewell.replace("$.order", "$.customer"));
  const rejected = shell(commit);
  assert.equal(rejected.status, 1);
  assert.match(rejected.stderr, /build\/farewell\.asl\.json.*WB0602/);

  const { permissions, jobs } = parse(readFileSync(path(".github/workflows/waybill.yaml"), "utf8")) as Job;
  assert.equal(permissions["security-events"], "write");
  const { steps } = jobs.waybill;
  const first = steps.findIndex(({ run }) => run?.startsWith("npx waybill"));
  assert.ok(steps.slice(first + 1).every((step) => step.if === "always()"));
  assert.ok(steps.some(({ uses }) => uses?.startsWith("github/codeql-action/upload-sarif@")));
  const runs = steps.flatMap(({ run }) => (run?.startsWith("npx") ? [run] : []));
  assert.match(shell(runs[0]!).stdout, /^::error file=flows\/farewell\.yaml.*WB0602/m);
  writeFileSync(path("flows/farewell.yaml"), farewell.replace("refName: sendMail", "refName: sendmale"));
  const statuses = runs.map((run) => shell(run).status);
  assert.deepEqual(statuses, [1, 0, 1]);
  assert.equal(JSON.parse(readFileSync(path("waybill.sarif"), "utf8")).runs[0].results[0].ruleId, "WB2002");
  rmSync(path("flows/farewell.yaml"));
  assert.match(shell(runs[0]!).stdout, /^::error file=build\/farewell\.asl\.json.*WB0603/m);
  writeFileSync(path("flows/farewell.yaml"), farewell);
  for (const run of runs) succeed(run);

  if (spawnSync("make", ["--version"]).status !== 0) return "no make on the PATH";
  rmSync(path("build"), { recursive: true });
  succeed("make -j4");
  succeed(runs[0]!);
  assert.match(succeed("make"), /up to date/);
  rmSync(path("flows/farewell.yaml"));
  succeed("sleep 1; touch flows/reminder.yaml; make");
  succeed(runs[0]!);
  return undefined;
}

/** The programs of the page about the library. */
export function checkLibraryPage(installed: Installed): undefined {
  const page = "src/library.md";
  const { succeed } = projectOf(installed, page, "library");
  const shown = blocksOf(readFileSync(join(root, page), "utf8")).filter(({ title }) => title?.startsWith("$ node "));
  assert.ok(shown.length > 0);
  for (const { title, content } of shown) assert.equal(succeed(title!.slice(2)), content);
}

/** The commands of the page about TypeScript programs, in one shell, with the types of the program and the page's function. */
export function checkProgramPage(installed: Installed): undefined {
  const page = "targets/typescript/README.md";
  projectOf(installed, page, "program").succeed(commandsOf(page).join("\n"));
}

/** The tutorial, up to the program that is killed and continues; deployments to other platforms are not executed. */
export function checkTutorial(installed: Installed): undefined {
  const page = "src/tutorial.md";
  const { succeed } = projectOf(installed, page, "tutorial");
  const isSetup = (command: string) => /^(?:mkdir|npm init|npm install --save-dev)/.test(command);
  const port = 20_000 + Math.floor(Math.random() * 10_000);
  const blocks = blocksOf(readFileSync(join(root, page), "utf8"));
  const server = blocks
    .filter(({ language, content }) => language === "sh" && /main\.ts|localhost/.test(content))
    .map(({ content }) =>
      content
        .replaceAll("localhost:8080", `localhost:${port}`)
        .replaceAll("main.ts serve", `main.ts serve --port ${port}`)
        .replaceAll("curl ", "curl --silent --show-error --fail --retry 30 --retry-connrefused --retry-delay 1 ")
        .replace("kill -9", "sleep 1; kill -9"),
    );
  const commands = commandsOf(page).filter((command) => !isSetup(command));
  const printed = succeed(["trap 'kill -9 $!' EXIT", ...commands, ...server].join("\n"));
  assert.match(printed, /^A1 +order +waiting/m);
  const output = blocks.findLast(({ language }) => language === "json")!;
  assert.ok(printed.endsWith(output.content.trim()), printed);
}

/** The package installs next to any versions of its optional peers. */
export function checkPeers(installed: Installed): undefined {
  const folder = nextTo(installed, "peers");
  const versions = { "@aws-sdk/client-sfn": "3.1000.0", "jq-wasm": "1.1.0-jq-1.8.1", "ts-morph": "20.0.0" };
  const peers = Object.entries(versions).map(([name, version]) => `${name}@${version}`);
  createProject(folder, "--package-lock-only", ...peers, installed.tarball);
  const { packages } = JSON.parse(readFileSync(join(folder, "package-lock.json"), "utf8"));
  for (const [name, version] of Object.entries(versions))
    assert.equal(packages[`node_modules/${name}`].version, version);
}
