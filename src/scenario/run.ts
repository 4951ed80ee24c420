import type { Outcome, RunRequest, Target } from "../../targets/target.ts";
import { check, generate } from "../compile.ts";
import type { Diagnostic } from "../diagnostics.ts";
import { places } from "../ir/walk.ts";
import type { Workflow } from "../ir/workflow.ts";
import { isObject, type Json, type JsonObject, own } from "../json.ts";
import type { Language } from "../languages/language.ts";
import { unusedAnswer } from "../messages/scenario.ts";
import type { Options, Program, Read } from "../program.ts";
import type { Source } from "../source.ts";
import { type Difference, differences } from "./compare.ts";
import { type Computer, createComputer } from "./computer.ts";
import type { Answer, Scenario, ScenarioFile } from "./model.ts";
import { type Performance, perform, type Reply, type Script } from "./stage.ts";

/** What runs scenarios: a target, or the reference interpreter. */
export interface Runner {
  readonly name: string;
  /** The target whose files are made first; absent for the reference. */
  readonly target?: Target | undefined;
  /** Absent when it cannot run scenarios yet. */
  readonly run?: ((request: RunRequest) => Promise<Outcome>) | undefined;
}

/** What came of one scenario on one runner. */
export interface Result {
  readonly file: string;
  readonly scenario: string;
  readonly target: string;
  /** `refused`: the workflow does not compile to the target. `unavailable`: the target cannot run scenarios, or not here. */
  readonly outcome: "passed" | "failed" | "refused" | "unavailable";
  readonly differences: readonly Difference[];
  readonly diagnostics: readonly Diagnostic[];
  /** The steps entered, for a report of what went wrong. */
  readonly path: readonly string[];
  /** Whether the outcome is one that fails the whole. */
  readonly isFailure: boolean;
}

/** The definitions that a scenario file names: the workflow first. */
export interface Definitions {
  readonly sources: readonly Source[];
  /** Gives the texts that they refer to. */
  readonly read?: Read | undefined;
}

/** Runs all scenarios of a file on one runner. */
export async function runScenarios(
  file: ScenarioFile,
  definitions: Definitions,
  runner: Runner,
  languages: readonly Language[],
): Promise<readonly Result[]> {
  const computer = createComputer();
  const compiled = new Map<string, Promise<Compiled>>();
  const compiledWith = (options: Options): Promise<Compiled> => {
    const key = JSON.stringify(options);
    const known = compiled.get(key) ?? compileFor(file, definitions, options, runner, languages);
    compiled.set(key, known);
    return known;
  };
  await runner.target?.load?.();
  const results: Result[] = [];
  for (const scenario of file.scenarios) results.push(await runOne(file, scenario, await compiledWith(scenario.options), runner, computer));
  await computer.close();
  return results;
}

/** A program made ready for a runner, or the diagnostics that say why it is not. */
interface Compiled {
  readonly program: Program | undefined;
  readonly workflow: Workflow | undefined;
  readonly files: RunRequest["files"];
  readonly diagnostics: readonly Diagnostic[];
}

async function compileFor(
  file: ScenarioFile,
  { sources, read }: Definitions,
  options: Options,
  { target }: Runner,
  languages: readonly Language[],
): Promise<Compiled> {
  const { program, diagnostics } = check({ sources, from: file.language, options, read }, languages);
  const workflow = program?.workflows[0];
  if (!program || !target) return { program, workflow, files: [], diagnostics };
  const generated = await generate(program, target);
  const refused = generated.diagnostics.some(({ severity }) => severity === "error");
  return {
    program: refused ? undefined : program,
    workflow,
    files: generated.files,
    diagnostics: [...diagnostics, ...generated.diagnostics],
  };
}

async function runOne(file: ScenarioFile, scenario: Scenario, compiled: Compiled, runner: Runner, computer: Computer): Promise<Result> {
  const common = {
    file: file.path,
    scenario: scenario.name,
    target: runner.name,
    path: [] as readonly string[],
    differences: [] as readonly Difference[],
  };
  const { program, workflow, files } = compiled;
  const diagnostics = program ? unusedAnswers(scenario, program) : compiled.diagnostics.filter(({ severity }) => severity === "error");
  const wanted = runner.target === undefined || scenario.targets.includes(runner.name);
  if (!program || !workflow) return { ...common, outcome: "refused", diagnostics, isFailure: wanted };
  if (!runner.run) return { ...common, outcome: "unavailable", diagnostics, isFailure: false };
  const run = runner.run;
  const script = scriptOf(scenario, computer);
  const seen = await perform(script, (world) => run({ program, workflow, files, world, input: inputOf(scenario, workflow) })).catch(
    brokenOff,
  );
  const found = "brokenOff" in seen ? [{ what: "run", got: seen.brokenOff }] : differences(scenario.expect, seen, true);
  const path = "brokenOff" in seen ? [] : seen.path;
  return {
    ...common,
    outcome: found.length === 0 ? "passed" : "failed",
    differences: found,
    diagnostics,
    path,
    isFailure: found.length > 0,
  };
}

/** Answers for what the program never calls: misspelt, perhaps. */
function unusedAnswers({ functions }: Scenario, { workflows, byId }: Program): readonly Diagnostic[] {
  const started = workflows.flatMap((workflow) => places(workflow).flatMap(({ scope }) => scope.steps));
  const external = started.flatMap((step) => (step.kind === "invoke" && !byId.has(step.workflow.name) ? [step.workflow.name] : []));
  const known = new Set([...workflows.flatMap((workflow) => workflow.functions.map(({ name }) => name)), ...external]);
  return [...functions].flatMap(([name, { span }]) => (known.has(name) ? [] : [unusedAnswer(span, { name, known: [...known] })]));
}

/** A run that could not be brought to an end, such as one that loops without waiting. */
const brokenOff = (error: unknown): { readonly brokenOff: string } => ({ brokenOff: (error as Error).message });

/** A workflow that events start is called only when an input is written. */
const inputOf = ({ input }: Scenario, { start }: Workflow): Json | undefined =>
  input === undefined && (start.on ?? []).length === 0 ? {} : input;

function scriptOf({ clock, events, functions }: Scenario, computer: Computer): Script {
  return {
    clock,
    events: events.map(({ at, event }, i) => ({ at, event: { specversion: "1.0", id: `event-${i + 1}`, ...event } })),
    async reply(name, index, argument) {
      const answers = functions.get(name)?.list ?? [];
      const answer = answers[Math.min(index, answers.length - 1)];
      return answer
        ? { takes: answer.takes, answer: await resolve(answer, argument, computer) }
        : { takes: 0, answer: { kind: "returns", value: null } };
    },
  };
}

async function resolve({ does }: Answer, argument: Json, computer: Computer): Promise<Reply["answer"]> {
  switch (does.kind) {
    case "returns":
      return does;
    case "throws":
      return thrown(does.error);
    case "computes": {
      const result = await computer.compute(does.expression, argument);
      return "value" in result
        ? { kind: "returns", value: result.value }
        : thrown(isObject(result.thrown) ? result.thrown : { name: "Error", message: text(result.thrown) });
    }
  }
}

function thrown(error: JsonObject): Reply["answer"] {
  const { name, message, ...rest } = error;
  const data = Object.keys(rest).length > 0 ? { data: rest as JsonObject } : {};
  return { kind: "throws", name: text(name ?? "Error"), message: text(own(error, "message") ?? message ?? ""), ...data };
}

const text = (value: Json): string => (typeof value === "string" ? value : JSON.stringify(value));

/** The performance of one scenario on one runner, for those who want to look at it themselves. */
export type { Performance };
