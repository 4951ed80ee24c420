import { access, binary, type Expression, literal, object, variable } from "../../expressions/index.ts";
import type { Run, Subflow } from "../../generated/serverless-workflow-1.0-definition.ts";
import { spanOf } from "../shared/properties.ts";
import { assign, choose, end, type StepFragment, sequence, step } from "../shared/steps.ts";
import { subflowReference } from "../shared/subflow-versions.ts";
import { taskRow } from "./arguments.ts";
import { callSteps, reportSettings, rethrowing } from "./calls.ts";
import { dataName, freshVariable, type Writer } from "./context.ts";
import { failedProcess } from "./diagnostics/flow.ts";
import { subflowWithoutVersion, unknownScript, withoutEffect } from "./diagnostics/references.ts";
import { standardError } from "./errors.ts";
import { templateAt } from "./expressions.ts";
import { checkSince } from "./identity.ts";
import { sourceAt } from "./resources.ts";
import { secretReads } from "./secrets.ts";

/** A process, whose function returns `{ code, stdout, stderr }`, or a workflow. */
export function lowerRun(writer: Writer): StepFragment {
  const run = writer.task.run!;
  return run.workflow ? lowerSubflow(writer, run.workflow, run.await ?? true) : lowerProcess(writer, run);
}

function lowerProcess(writer: Writer, run: Run): StepFragment {
  const { context, scope, construct, pointer } = writer;
  const [kind, owner] = Object.entries(run).find(([key]) => ["container", "script", "shell"].includes(key))!;
  const span = spanOf(context, run, kind, "key");
  const program = kind === "script" ? scriptLanguage(writer, run.script!) : (kind as "container" | "shell");
  for (const key of ["arguments", "stdin", "pullPolicy"]) checkSince(context, owner as object, key, key, 3);
  const secrets = secretReads(writer, span);
  const { row } = secrets;
  const settings: ReadonlySet<string> = new Set(["lifetime", "pullPolicy", "language", "source"]);
  const keys = Object.keys(owner as object).filter((key) => !settings.has(key));
  const entries = keys.map((key) => [key, templateAt(context, { owner: owner as object, key }, row)] as const);
  const source = run.script?.source && sourceAt(context, run.script.source);
  const argument = object([...entries, ...(source ? [["code", literal(source.text)] as const] : [])]);
  const returned = run.return ?? "stdout";
  const wait = run.await ?? true;
  if (run.return !== undefined && !wait)
    context.report(
      withoutEffect(spanOf(context, run, "return", "key"), { name: "return", reason: "nothing waits for the process" }),
    );
  reportSettings(writer, owner as object, ["lifetime", "pullPolicy"]);
  const bound = freshVariable(scope, "process");
  const call = callSteps(writer, {
    definition: { type: program, stepKind: kind, protocol: { kind: "process", program } },
    argument,
    secrets,
    bind: bound,
    wait,
    errors: "runtime",
  });
  if (!wait) return call;
  const part = (name: string): Expression => access(variable(bound), literal(name));
  const value = returned === "all" ? variable(bound) : returned === "none" ? literal(null) : part(returned);
  const select = assign(writer, "return", construct.span, { variable: dataName, value });
  if (returned === "code" || returned === "all") return sequence(call, select);
  context.report(failedProcess(span, {}));
  const error = standardError("runtime", "Process failed", part("stderr"), pointer);
  const fail = () => end(writer, "failed", span, { outcome: "fail", extent: "scope", value: error });
  const isFailed = binary("!=", part("code"), literal(0));
  return sequence(
    call,
    choose(writer, "code", span, [{ when: isFailed, span, build: fail }], () => select),
  );
}

function scriptLanguage({ context }: Writer, script: NonNullable<Run["script"]>): "js" | "python" {
  const language = script.language.toLowerCase();
  if (language === "python") return "python";
  if (language !== "js")
    context.report(unknownScript(spanOf(context, script, "language"), { language: script.language }));
  return "js";
}

function lowerSubflow(writer: Writer, subflow: Subflow, wait: boolean): StepFragment {
  const { context } = writer;
  const { namespace, name, version } = subflow;
  const span = spanOf(context, subflow, "name");
  const { run } = writer.task;
  if (run?.return !== undefined)
    context.report(
      withoutEffect(spanOf(context, run, "return", "key"), { name: "return", reason: "a workflow is no process" }),
    );
  if (version === undefined) context.report(subflowWithoutVersion(span, { name }));
  const input =
    subflow.input === undefined
      ? variable(dataName)
      : templateAt(context, { owner: subflow, key: "input" }, taskRow(writer));
  const id = `${namespace}.${name}`;
  const workflow = version === "latest" ? { name: id, span } : subflowReference(context, id, subflow, "name");
  const call = step(writer, "run", spanOf(context, writer.task, "run", "key"), (base, next) => ({
    ...base,
    kind: "invoke",
    workflow,
    input,
    wait,
    terminates: false,
    timeout: writer.limit,
    retries: [],
    bind: wait ? dataName : undefined,
    handlers: rethrow ? [rethrow] : [],
    next,
  }));
  const rethrow = wait ? rethrowing(writer, span) : undefined;
  return call;
}
