import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { checkWith } from "../compile.ts";
import { describeErrno } from "../errno.ts";
import { type MockedMachine, printMockedScenarios, readMockConfig } from "../scenario/mock-config.ts";
import type { Diagnostic } from "../text/diagnostics.ts";
import { printDiagnostics } from "./diagnostics.ts";
import { readInput } from "./input.ts";
import { readJsonOption } from "./json.ts";
import { readSource } from "./read.ts";
import type { Registry } from "./registry.ts";
import { commandFailure, type ExitStatus, exit, type Terminal, usageError } from "./terminal.ts";

/** The flags of `waybill import`. */
export interface ImportFlags {
  readonly mockConfig: string;
  /** Each `NAME=FILE` or `NAME=FILE#MACHINE`. */
  readonly machine?: readonly string[];
  /** Default: the folder of the mock configuration. */
  readonly out?: string;
  /** The input of all scenarios. */
  readonly input?: string;
  readonly record?: boolean;
  readonly force?: boolean;
  readonly color?: boolean;
}

/** Runs `waybill import`: writes a scenario file for each machine of a mock configuration. */
export async function importScenarios(
  { mockConfig, machine = [], out, input: given, record, force, color }: ImportFlags,
  terminal: Terminal,
  registry: Registry,
): Promise<ExitStatus> {
  const input = given === undefined ? {} : await readJsonOption("--input", given, terminal);
  const source = await readSource(mockConfig, terminal);
  const diagnostics: Diagnostic[] = [];
  const machines = readMockConfig(source, (diagnostic) => diagnostics.push(diagnostic));
  const status = await printDiagnostics(
    diagnostics,
    { format: "text", ...(color === undefined ? {} : { color }) },
    terminal,
    true,
  );
  if (!machines) return status;
  const places = parseMachines(machine, machines);
  const folder = resolve(terminal.cwd, out ?? dirname(mockConfig));
  const base = dirname(resolve(terminal.cwd, mockConfig));
  const files: { readonly path: string; readonly text: string }[] = [];
  for (const each of machines) {
    const place = places.get(each.name);
    const definition = place ? resolve(terminal.cwd, place.file) : join(base, `${each.name}.asl.json`);
    if (!existsSync(definition))
      throw usageError(
        `The definition of \`${each.name}\` is not at \`${relative(terminal.cwd, definition)}\`. Name it with \`--machine ${each.name}=FILE\`.`,
      );
    const workflow = relative(folder, definition).replaceAll("\\", "/");
    const pick = place?.pick ?? (await machineIn(definition, each.name, terminal, registry));
    const path = unusedPath(join(folder, each.name.replaceAll(/[^\w.-]/g, "-")), files);
    const text = printMockedScenarios(each, {
      workflow: workflow.startsWith(".") ? workflow : `./${workflow}`,
      pick,
      input,
    });
    files.push({ path, text });
  }
  const existing = force ? undefined : files.find(({ path }) => existsSync(path));
  if (existing) throw commandFailure(`\`${relative(terminal.cwd, existing.path)}\` exists. Overwrite it with --force.`);
  for (const file of files) write(file, terminal);
  if (!record) return exit.success;
  const { updateScenarios } = await import("./test-update.ts");
  const options = { on: "reference", isMeasured: false, isStrict: false, filters: [], bails: false, jobs: 1 };
  const paths = files.map(({ path }) => relative(terminal.cwd, path));
  const flags = color === undefined ? {} : { color };
  return updateScenarios(paths, flags, options, { ...terminal, ask: undefined }, registry);
}

interface MachinePlace {
  readonly file: string;
  readonly pick: string | undefined;
}

function parseMachines(
  given: readonly string[],
  machines: readonly MockedMachine[],
): ReadonlyMap<string, MachinePlace> {
  return new Map(
    given.map((text) => {
      const [, name, file, pick] = /^([^=]+)=([^#]+)(?:#(.+))?$/.exec(text) ?? [];
      if (name === undefined || file === undefined)
        throw usageError(`--machine must have the form \`NAME=FILE\` or \`NAME=FILE#MACHINE\`, not \`${text}\`.`);
      if (!machines.some((machine) => machine.name === name))
        throw usageError(
          `The mock configuration has no machine \`${name}\`: ${machines.map((each) => `\`${each.name}\``).join(", ")}.`,
        );
      return [name, { file, pick }] as const;
    }),
  );
}

/** The machine of a name in a file with several; undefined if the file has one. */
async function machineIn(
  definition: string,
  name: string,
  terminal: Terminal,
  registry: Registry,
): Promise<string | undefined> {
  const given = relative(terminal.cwd, definition);
  const input = await readInput([given], { quiet: true, format: "text" }, undefined, terminal, registry);
  const { program } = await checkWith(input, registry.languages);
  const machines = program?.workflows ?? [];
  if (machines.length < 2) return undefined;
  const found = machines.find(({ id }) => id === name) ?? machines.find((machine) => machine.name === name);
  if (found) return found.id;
  const known = machines.map(({ id }) => `\`${id}\``).join(", ");
  throw usageError(
    `\`${given}\` has several machines: ${known}. Name one with \`--machine ${name}=${given}#MACHINE\`.`,
  );
}

/** A path that no other scenario file has, also where file names ignore case. */
function unusedPath(stem: string, files: readonly { readonly path: string }[]): string {
  const used = new Set(files.map(({ path }) => path.toLowerCase()));
  for (let number = 1; ; number += 1) {
    const path = `${stem}${number === 1 ? "" : `-${number}`}.scenarios.yaml`;
    if (!used.has(path.toLowerCase())) return path;
  }
}

function write({ path, text }: { readonly path: string; readonly text: string }, { cwd, err }: Terminal): void {
  try {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  } catch (error) {
    throw commandFailure(`Cannot write \`${relative(cwd, path)}\`: ${describeErrno(error) ?? String(error)}.`);
  }
  err(`Wrote ${relative(cwd, path).replaceAll("\\", "/")}.\n`);
}
