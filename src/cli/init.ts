import { mkdirSync, statSync, writeFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { visible } from "../diagnostics/renderers/text.ts";
import { describeErrno } from "../errno.ts";
import type { Starter } from "../language.ts";
import { requireOneOf } from "./flags.ts";
import { namesOf, type Registry, version } from "./registry.ts";
import { commandFailure, type ExitStatus, exit, type Terminal } from "./terminal.ts";

/** The flags of `waybill init`. */
export interface InitFlags {
  readonly language?: string;
  readonly target: string;
}

/** The languages of new projects. */
export const starterLanguages = ({ languages }: Registry): readonly string[] =>
  languages.flatMap(({ name, starter }) => (starter ? [name] : []));

/** Runs `waybill init`: creates a project that builds and whose scenario passes. Overwrites no file. */
export function init(path: string | undefined, flags: InitFlags, terminal: Terminal, registry: Registry): ExitStatus {
  const known = starterLanguages(registry);
  const language = requireOneOf("--language", flags.language ?? known[0]!, known);
  const { starter } = registry.languages.find(({ name }) => name === language)!;
  const target = requireOneOf("--target", flags.target, namesOf(registry.targets));
  const folder = resolve(terminal.cwd, path ?? ".");
  const files = projectFiles(starter!, target);
  const display = (name: string) => relative(terminal.cwd, join(folder, name)).replaceAll("\\", "/");
  const taken = files.filter(({ isShared, name }) => !isShared && exists(join(folder, name)));
  if (taken.length > 0)
    throw commandFailure(`\`${display(taken[0]!.name)}\` already exists; choose another folder, or remove it.`);
  const kept: string[] = [];
  for (const { name, text } of files) {
    if (exists(join(folder, name))) kept.push(name);
    else write(join(folder, name), text, display(name));
    terminal.err(`${kept.includes(name) ? "kept    " : "created "} ${visible(display(name))}\n`);
  }
  const enter = path === undefined || path === "." ? "" : `cd ${visible(path)} && `;
  terminal.err(`Next: ${enter}npm install && npx waybill build && npx waybill test\n`);
  if (kept.includes("package.json")) terminal.err("package.json was kept: add waybill to its devDependencies.\n");
  return exit.success;
}

const exists = (place: string): boolean => statSync(place, { throwIfNoEntry: false }) !== undefined;

function write(place: string, text: string, name: string): void {
  try {
    mkdirSync(dirname(place), { recursive: true });
    writeFileSync(place, text, { flag: "wx" });
  } catch (error) {
    const reason = describeErrno(error);
    if (reason === undefined) throw error;
    throw commandFailure(`Cannot write \`${name}\`: ${reason}.`);
  }
}

interface ProjectFile {
  readonly name: string;
  readonly text: string;
  /** Kept if it exists: other tools use it, too. */
  readonly isShared?: boolean;
}

function projectFiles(starter: Starter, target: string): readonly ProjectFile[] {
  const scripts = {
    check: "waybill check --strict",
    build: "waybill build",
    test: `waybill test --on ${target} --strict`,
  };
  const description = { private: true, type: "module", scripts, devDependencies: { waybill: version } };
  return [
    { name: "waybill.config.yaml", text: configurationFor(target) },
    { name: "flows/order.yaml", text: starter.definition },
    { name: "scenarios/order.yaml", text: scenarioFor(starter) },
    { name: "functions/charge-card.mts", text: moduleText },
    { name: "package.json", text: `${JSON.stringify(description, null, 2)}\n`, isShared: true },
    { name: ".gitignore", text: "node_modules\n", isShared: true },
    { name: ".gitattributes", text: "build/** text eol=lf linguist-generated\n", isShared: true },
    { name: ".github/workflows/waybill.yaml", text: continuousIntegration, isShared: true },
  ];
}

/** The binding of the function on each target; programs call the module. */
const bindings: ReadonlyMap<string, string> = new Map([
  ["asl", `asl: { lambda: "\${ChargeCardArn}" }`],
  ["openwhisk", "openwhisk: { action: /_/shop/charge-card }"],
  ["typescript", "typescript: { module: ./functions/charge-card.mts#chargeCard }"],
]);

function configurationFor(target: string): string {
  return `sources: [flows]
outputs:
- { target: ${target}, out: build }
scenarios: [scenarios]
functions:
  chargeCard:
    ${bindings.get(target) ?? `${target}: {}`}
`;
}

function scenarioFor({ output }: Starter): string {
  const members = Object.entries({ ...output, receipt: "R1" }).map(
    ([name, value]) => `${name}: ${JSON.stringify(value)}`,
  );
  return `workflow: ../flows/order.yaml
scenarios:
- name: the card is charged
  input: { order: A1 }
  functions: { chargeCard: { returns: { receipt: R1 } } }
  expect: { status: succeeded, output: { ${members.join(", ")} } }
`;
}

const moduleText = `export const chargeCard = async ({ order }: { order: string }) => ({ receipt: \`receipt of \${order}\` });
`;

const continuousIntegration = `name: workflows
on: [push, pull_request]
permissions: { contents: read }
jobs:
  waybill:
    runs-on: ubuntu-latest
    steps:
    - uses: actions/checkout@v4
    - uses: actions/setup-node@v4
      with: { node-version: 24 }
    - run: npm install
    - run: npx waybill build --check --format github
    - run: npm test
`;
