import { runtimeText } from "../../src/expressions/index.ts";
import { templates } from "../../src/generated/asl-templates.js";
import { scriptCode } from "../../src/ir/scripts.ts";
import type { Workflow } from "../../src/ir/workflow.ts";
import { renderTemplate, js, printCode, printProgram, quoteString } from "../../src/js-ast/index.ts";
import type { Computed } from "./outlining/compute.ts";

/**
 * The Lambda function (Node.js 22) that computes what JSONata cannot: asked for an expression by its name, with its variables, it answers `{ value }`, or
 * `{ error: "Name: message" }` where the expression fails. It depends on nothing.
 */
export function expressionsFile({ id, language }: Workflow, computed: readonly Computed[]): string {
  const fails = computed.some(({ canFail }) => canFail);
  const helpers = [...computed.flatMap(({ program }) => program.helpers), ...(fails ? ["EvaluationError"] : [])];
  return renderTemplate(templates["expressions.mjs"], {
    language,
    workflow: quoteString(id, "ascii"),
    runtime: runtimeText(new Set(helpers)),
    programs: computed.map(({ program }) => ({ text: printProgram(program.statements, script) })),
    expressions: computed.map((each) => ({
      name: quoteString(each.name, "ascii"),
      compute: printCode(computeFunction(each), script),
    })),
    failureOf: renderTemplate(templates[fails ? "failure.mjs" : "limit.mjs"], {}),
  });
}

/**
 * The Lambda function (Node.js 22) that runs the functions whose texts the definition has: asked for one by its name, with its argument, it gives its answer. It
 * depends on nothing.
 */
export function scriptsFile({ id, language, functions }: Workflow): string {
  const { helpers, functions: parts, fresh } = scriptCode(functions);
  return renderTemplate(templates["functions.mjs"], {
    language,
    workflow: quoteString(id, "ascii"),
    functions: fresh("functions"),
    handler: fresh("handle"),
    helpers,
    parts: parts.map(({ definition: { name }, code }) => ({ name: quoteString(name, "ascii"), code })),
  });
}

const script = { types: false, charset: "ascii" } as const;

/** A function of the variables that gives the only value of an expression: `(variables) => expression1(null, variables.data)`. */
function computeFunction({ program, variables }: Computed): ReturnType<typeof js.arrow> {
  const given = variables.map((name) => js.member(js.name("variables"), name));
  const call = js.call(program.name, [js.literal(null), ...given]);
  const value = program.form === "one" ? call : js.element(call, js.literal(0));
  return js.arrow(variables.length > 0 ? ["variables"] : [], value);
}
