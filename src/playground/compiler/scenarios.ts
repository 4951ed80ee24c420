import { targets } from "../../../targets/index.ts";
import { languages } from "../../languages/index.ts";
import { scriptsUnavailable } from "../../scenario/browser-computer.ts";
import { definitionsOf } from "../../scenario/definitions.ts";
import type { ScenarioFile } from "../../scenario/model.ts";
import { readScenarioFile } from "../../scenario/read.ts";
import { detailsOf } from "../../scenario/report/results.ts";
import { type Definitions, onReference, openScenarios, type Result } from "../../scenario/run.ts";
import { createTracer } from "../../scenario/tracing.ts";
import type { Diagnostic } from "../../text/diagnostics.ts";
import type { Source } from "../../text/source.ts";
import type { Requests, ScenarioResults, ScenarioSummary, Trace } from "../protocol.ts";
import { problemsOf } from "./problems.ts";
import { tracedRuns } from "./runs.ts";

/** Later steps of a run are counted, but not shown. */
const maxSteps = 1_000;

/** Runs the scenarios of a file on the reference, and traces one: by default the first. */
export async function runAll({ definition, scenarios, traced }: Requests["scenarios"]): Promise<ScenarioResults> {
  if (!scenarios || scenarios.text.trim() === "") return { problems: [], scenarios: [], trace: undefined };
  const source: Source = { ...scenarios };
  const diagnostics: Diagnostic[] = [];
  const report = (diagnostic: Diagnostic): void => void diagnostics.push(diagnostic);
  const file = readScenarioFile(source, { languages, targets: targets.map(({ name }) => name) }, report);
  const own: Source = { ...definition };
  const find = async (path: string) => (path === own.path ? own : { reason: "the playground has one definition" });
  const sources = file ? await definitionsOf(file, source, find, report) : [];
  const problems = problemsOf(source, diagnostics);
  if (!file || problems.some(({ severity }) => severity === "error"))
    return { problems, scenarios: [], trace: undefined };
  const shown = file.scenarios.find(({ name }) => name === traced) ?? file.scenarios[0];
  const others = { ...file, scenarios: file.scenarios.filter((each) => each !== shown) };
  const chosen = { ...file, scenarios: shown ? [shown] : [] };
  const { results, trace } = await traceScenarios(chosen, { sources });
  const summaries = new Map(
    [...results, ...(await resultsOf(others, { sources }))].map((result) => [result.scenario, summaryOf(result)]),
  );
  return { problems, scenarios: file.scenarios.flatMap(({ name }) => summaries.get(name) ?? []), trace };
}

async function resultsOf(file: ScenarioFile, definitions: Definitions): Promise<readonly Result[]> {
  const session = openScenarios(file, definitions, languages);
  try {
    return await session.run(onReference);
  } finally {
    await session.close();
  }
}

interface TracedResults {
  readonly results: readonly Result[];
  readonly trace: Trace | undefined;
}

async function traceScenarios(file: ScenarioFile, definitions: Definitions): Promise<TracedResults> {
  const tracer = createTracer(maxSteps);
  const session = openScenarios(file, definitions, languages, { observe: tracer.observe });
  try {
    const results = await session.run(onReference);
    const [scenario] = file.scenarios;
    const [observed] = await session.observations();
    if (!scenario || !observed) return { results, trace: undefined };
    const ids = ["run", ...scenario.runs.map(({ id }) => id)];
    const runs = tracedRuns(tracer.runs, ids, observed.seen, scenario.clock);
    return { results, trace: { scenario: scenario.name, runs } };
  } finally {
    await session.close();
  }
}

function summaryOf(result: Result): ScenarioSummary {
  const { scenario: name, outcome, differences, isFailure } = result;
  if (differences.some(({ got }) => got === scriptsUnavailable))
    return { name, outcome: "unavailable", details: [scriptsUnavailable] };
  const isPassed = outcome === "passed" && !isFailure;
  const shown = outcome === "skipped" ? "unavailable" : outcome === "passed" && !isPassed ? "failed" : outcome;
  return { name, outcome: shown, details: detailsOf(result) };
}
