import { mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { visible } from "../diagnostics/renderers/text.ts";
import { describeErrno } from "../errno.ts";
import type { Language, Starter } from "../language.ts";
import { requireLanguage, requireOneOf } from "./flags.ts";
import { completeManifest, type ManifestParts } from "./package-manifest.ts";
import { namesOf, type Registry, version } from "./registry.ts";
import { CommandError, commandFailure, type ExitStatus, exit, type Terminal } from "./terminal.ts";

/** The flags of `waybill init`. On a terminal, it prompts for those that are omitted. */
export interface InitFlags {
  readonly language?: string;
  readonly target?: string;
}

/** The target of new projects without `--target`. */
const defaultTarget = "typescript";

/** The languages of new projects. */
export const starterLanguages = ({ languages }: Registry): readonly Language[] =>
  languages.filter(({ starter }) => starter !== undefined);

/**
 * Runs `waybill init`: creates a project that builds and whose scenario passes. Overwrites no file; an existing
 * package.json gets the scripts and the dependency that it lacks.
 */
export async function init(
  path: string | undefined,
  flags: InitFlags,
  terminal: Terminal,
  registry: Registry,
): Promise<ExitStatus> {
  const { starter } = await chooseLanguage(flags.language, terminal, registry);
  const target = await chooseTarget(flags.target, terminal, registry);
  const folder = resolve(terminal.cwd, path ?? ".");
  const files = projectFiles(starter!, target);
  const display = (name: string) => relative(terminal.cwd, join(folder, name)).replaceAll("\\", "/");
  const taken = files.filter(({ isShared, name }) => !isShared && exists(join(folder, name)));
  if (taken.length > 0)
    throw commandFailure(`\`${display(taken[0]!.name)}\` already exists; choose another folder, or remove it.`);
  const manifest = join(folder, "package.json");
  const manifestText = exists(manifest) ? readFileSync(manifest, "utf8") : undefined;
  const completed = completeManifest(manifestText, manifestParts(target));
  if (completed === undefined) throw commandFailure(`\`${display("package.json")}\` is not a JSON object.`);
  for (const { name, text } of files) {
    const isKept = exists(join(folder, name));
    if (!isKept) write(join(folder, name), text, display(name));
    terminal.err(`${isKept ? "kept    " : "created "} ${visible(display(name))}\n`);
  }
  if (completed !== manifestText) write(manifest, completed, display("package.json"), "w");
  const outcome = manifestText === undefined ? "created " : completed === manifestText ? "kept    " : "updated ";
  terminal.err(`${outcome} ${visible(display("package.json"))}\n`);
  const enter = path === undefined || path === "." ? "" : `cd ${visible(path)} && `;
  terminal.err(`Next: ${enter}npm install && npx waybill build && npx waybill test\n`);
  return exit.success;
}

async function chooseLanguage(given: string | undefined, terminal: Terminal, registry: Registry): Promise<Language> {
  const known = starterLanguages(registry);
  const name =
    given === undefined
      ? await chooseOne("language", known, defaultLanguage(known).name, terminal)
      : requireLanguage("--language", given, known);
  return known.find((language) => language.name === name)!;
}

const defaultLanguage = (known: readonly Language[]): Language =>
  known.find(({ starter }) => starter?.isDefault) ?? known[0]!;

async function chooseTarget(given: string | undefined, terminal: Terminal, { targets }: Registry): Promise<string> {
  if (given !== undefined) return requireOneOf("--target", given, namesOf(targets));
  return chooseOne("target", targets, defaultTarget, terminal);
}

/** Prompts a user at a terminal for one of several names; otherwise returns the default. */
async function chooseOne(
  noun: string,
  choices: readonly { readonly name: string; readonly summary: string }[],
  fallback: string,
  { ask, err }: Terminal,
): Promise<string> {
  if (!ask) return fallback;
  const width = Math.max(...choices.map(({ name }) => name.length)) + 2;
  for (const [i, { name, summary }] of choices.entries()) err(`  ${i + 1}  ${name.padEnd(width)}${summary}\n`);
  for (;;) {
    const answer = (await ask(`Which ${noun}? (${fallback}) `))?.trim();
    if (answer === undefined) throw new CommandError("Nothing was created.", exit.stopped);
    if (answer === "") return fallback;
    const found = choices[Number(answer) - 1] ?? choices.find(({ name }) => name === answer.toLowerCase());
    if (found) return found.name;
    err(`Enter a number from 1 to ${choices.length}, or a name.\n`);
  }
}

const exists = (place: string): boolean => statSync(place, { throwIfNoEntry: false }) !== undefined;

function write(place: string, text: string, name: string, flag: "w" | "wx" = "wx"): void {
  try {
    mkdirSync(dirname(place), { recursive: true });
    writeFileSync(place, text, { flag });
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
  return [
    { name: "waybill.config.yaml", text: configurationFor(target) },
    { name: "flows/order.flow.yaml", text: starter.definition },
    ...(starter.files ?? []).map(({ path, text }) => ({ name: `flows/${path}`, text })),
    { name: "scenarios/order.scenarios.yaml", text: scenarioFor(starter) },
    { name: "functions/charge-card.mts", text: moduleText },
    { name: ".gitignore", text: "node_modules\n", isShared: true },
    { name: ".gitattributes", text: attributes, isShared: true },
    { name: ".github/workflows/waybill.yaml", text: continuousIntegrationFor(target), isShared: true },
  ];
}

const testCommand = (target: string): string => `waybill test --on ${target} --strict`;

const manifestParts = (target: string): ManifestParts => ({
  scripts: { check: "waybill check --strict", build: "waybill build", test: testCommand(target) },
  devDependencies: { waybill: version },
});

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
  return `workflow: ../flows/order.flow.yaml
scenarios:
- name: the card is charged
  input: { order: A1 }
  functions: { chargeCard: { returns: { receipt: R1 } } }
  expect: { status: succeeded, output: { ${members.join(", ")} } }
`;
}

const moduleText = `export const chargeCard = async ({ order }: { order: string }) => ({ receipt: \`receipt of \${order}\` });
`;

/** Both versions of a line of the manifest are kept in a merge. */
const attributes = `build/** text eol=lf linguist-generated
build/.waybill.json merge=union
`;

/** Runs the commands themselves, since an existing package.json may have other scripts of these names. */
const continuousIntegrationFor = (target: string): string => `name: workflows
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
    - run: npx ${testCommand(target)}
`;
