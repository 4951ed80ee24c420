import { writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { renderText, visible } from "../diagnostics/renderers/text.ts";
import { changeValues, type ValueChange } from "../documents/edits.ts";
import { readDocuments } from "../documents/index.ts";
import { describeErrno } from "../errno.ts";
import { equalJson, isObject, type Json, own } from "../json.ts";
import { isBrokenOff } from "../scenario/compare.ts";
import type { Expectation, Scenario } from "../scenario/model.ts";
import { recordExpectation } from "../scenario/record.ts";
import { renderResults } from "../scenario/report/results.ts";
import { type ObservedScenario, onReference, openScenarios, type Result } from "../scenario/run.ts";
import type { Observed } from "../scenario/simulation.ts";
import type { Diagnostic, Report } from "../text/diagnostics.ts";
import type { Source } from "../text/source.ts";
import type { ConfigurationLoader } from "./configurations.ts";
import type { Registry } from "./registry.ts";
import { readScenarioSources } from "./scenario-sources.ts";
import { type PreparedScenarios, prepareScenarios } from "./scenarios.ts";
import { commandFailure, type ExitStatus, exit, outputColor, type Terminal, usageError } from "./terminal.ts";
import type { TestFlags } from "./test.ts";
import { matchesFilters, noScenarioMatches, type TestOptions } from "./test-run.ts";

/**
 * Runs `waybill test --update`: prints what differs in each scenario, and writes what the run did into its file. On a
 * terminal, each scenario is confirmed.
 */
export async function updateScenarios(
  paths: readonly string[],
  { config, color }: Pick<TestFlags, "config" | "color">,
  options: TestOptions,
  given: Terminal,
  registry: Registry,
): Promise<ExitStatus> {
  const terminal: Terminal = { ...given, color: color ?? given.color, outputColor: outputColor(color, given) };
  const diagnostics: Diagnostic[] = [];
  const report: Report = (diagnostic) => diagnostics.push(diagnostic);
  const state: UpdateState = { answer: "", found: 0, updated: 0, open: 0 };
  for (const { sources, configurations } of await readScenarioSources(paths, config, terminal, registry, report))
    for (const source of sources) await updateFile(source, configurations, options, state, terminal, registry, report);
  if (options.filters.length > 0 && state.found === 0 && diagnostics.length === 0)
    throw noScenarioMatches(options.filters);
  if (diagnostics.length > 0) terminal.err(renderText(diagnostics, { color: terminal.color }));
  const { updated, open } = state;
  terminal.out(`${updated} updated${open === 0 ? "" : `, ${open} not updated`}\n`);
  return open > 0 || diagnostics.some(({ severity }) => severity === "error") ? exit.problems : exit.success;
}

interface UpdateState {
  /** The last answer: `a` accepts all, `q` none of the following. */
  answer: string;
  /** The scenarios that match the filters. */
  found: number;
  updated: number;
  /** The scenarios that still fail. */
  open: number;
}

async function updateFile(
  source: Source,
  configurations: ConfigurationLoader,
  { filters, isStrict, pick }: TestOptions,
  state: UpdateState,
  terminal: Terminal,
  registry: Registry,
  report: Report,
): Promise<void> {
  if (source.path === "<stdin>") throw usageError("--update cannot change standard input.");
  const prepared = await prepareScenarios(source, configurations, terminal, registry, report, {
    isRecording: true,
    pick,
  });
  if (!prepared) return;
  const session = openScenarios(prepared.file, prepared, registry.languages, { isStrict });
  try {
    const results = await session.run(onReference);
    const changes: ValueChange[] = [];
    for (const [i, observed] of (await session.observations()).entries()) {
      const scenario = prepared.file.scenarios[i]!;
      if (!matchesFilters(scenario, filters)) continue;
      state.found += 1;
      const found = await reviewScenario(i, scenario, observed, results[i]!, source, state, terminal);
      changes.push(...found);
    }
    if (changes.length > 0) write(source, changes, prepared, terminal);
  } finally {
    await session.close();
  }
}

/** Prints what differs, and returns the changes if they are accepted. */
async function reviewScenario(
  index: number,
  scenario: Scenario,
  { seen }: ObservedScenario,
  result: Result,
  source: Source,
  state: UpdateState,
  terminal: Terminal,
): Promise<readonly ValueChange[]> {
  const runs = seen && !isBrokenOff(seen) ? seen : undefined;
  const recorded = runs ? recordScenario(index, scenario, runs, source) : undefined;
  if (!result.isFailure && !recorded?.changes.length) return [];
  // Of runs without expectations, nothing differs.
  const isNew = recorded !== undefined && recorded.additions.length === runs?.length;
  const shown: Result = isNew ? { ...result, outcome: "passed", differences: [], isFailure: false } : result;
  terminal.out(renderResults([shown], { color: outputColor(undefined, terminal), isSummarized: false }));
  for (const change of recorded?.additions ?? []) terminal.out(`      recorded  ${visible(JSON.stringify(change))}\n`);
  const isRecordable = recorded !== undefined && recorded.changes.length > 0 && recorded.isComplete;
  if (!isRecordable) terminal.out("      This cannot be recorded: change the scenario or the definition.\n");
  if (isRecordable && (await isAccepted(scenario, state, terminal))) {
    state.updated += 1;
    return recorded.changes;
  }
  state.open += 1;
  return [];
}

interface RecordedScenario {
  readonly changes: readonly ValueChange[];
  /** Expectations of runs that had none. */
  readonly additions: readonly Json[];
  readonly isComplete: boolean;
}

/** The expectations of the scenario's own run and of its further ones. */
function recordScenario(
  index: number,
  scenario: Scenario,
  seen: readonly Observed[],
  source: Source,
): RecordedScenario {
  const [document] = readDocuments(source, () => undefined);
  const all = isObject(document?.value) ? own(document.value, "scenarios") : undefined;
  const written = Array.isArray(all) ? (all as readonly Json[])[index] : undefined;
  const runs = isObject(written) ? own(written, "runs") : undefined;
  const changes: ValueChange[] = [];
  const additions: Json[] = [];
  let isComplete = true;
  const record = (
    owner: Json | undefined,
    path: readonly (string | number)[],
    expected: Expectation,
    run: Observed,
  ) => {
    const before = isObject(owner) ? own(owner, "expect") : undefined;
    const { expect, unrecorded } = recordExpectation(isObject(before) ? before : undefined, expected, run);
    isComplete &&= unrecorded.length === 0;
    if (before === undefined) additions.push(expect);
    if (before === undefined || !equalJson(before, expect)) changes.push({ path: [...path, "expect"], value: expect });
  };
  record(written, ["scenarios", index], scenario.expect, seen[0]!);
  for (const [i, run] of scenario.runs.entries()) {
    const owner = Array.isArray(runs) ? (runs as readonly Json[])[i] : undefined;
    if (seen[i + 1]) record(owner, ["scenarios", index, "runs", i], run.expect, seen[i + 1]!);
  }
  return { changes, additions, isComplete };
}

/** Without a terminal, the flag is the confirmation. */
async function isAccepted({ name }: Scenario, state: UpdateState, { ask }: Terminal): Promise<boolean> {
  if (!ask || state.answer === "a") return true;
  if (state.answer === "q") return false;
  const answer = await ask(`Expect this of "${visible(name)}"? [y]es, [n]o, [a]ll, [q]uit: `);
  state.answer = answer === undefined ? "q" : answer.trim().slice(0, 1).toLowerCase();
  return state.answer === "y" || state.answer === "a";
}

function write(source: Source, changes: readonly ValueChange[], { file }: PreparedScenarios, { cwd }: Terminal): void {
  const [document] = readDocuments(source, () => undefined);
  const text = document && changeValues(document, changes);
  if (text === undefined)
    throw commandFailure(
      `The expectations in \`${file.path}\` cannot be changed in place, because of anchors or aliases.`,
    );
  try {
    writeFileSync(resolve(cwd, source.path), text);
  } catch (error) {
    throw commandFailure(`Cannot write \`${file.path}\`: ${describeErrno(error) ?? (error as Error).message}.`);
  }
}
