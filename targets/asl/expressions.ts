import { runtimeText } from "../../src/expressions/js/index.ts";
import { templates } from "../../src/generated/asl-templates.js";
import { scriptCode } from "../../src/ir/scripts.ts";
import type { Workflow } from "../../src/ir/workflow.ts";
import { js, printCode, printProgram, quoteString, renderTemplate } from "../../src/js-ast/index.ts";
import type { OutlinedExpression } from "./outlining/compute.ts";

/**
 * The Lambda function (Node.js 22) that evaluates what JSONata cannot. Called with an expression's name and variables,
 * it returns `{ value }`, or `{ error: "Name: message" }` if the expression fails. It has no dependencies.
 */
export function expressionsFile({ id, language }: Workflow, computed: readonly OutlinedExpression[]): string {
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
    failing: fails ? [{}] : [],
    infallible: fails ? [] : [{}],
  });
}

/**
 * The Lambda function (Node.js 22) that runs functions whose source the definition contains. It has no dependencies.
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

/** Prints a function that evaluates an expression: `(variables) => expression1(null, variables.data)`. */
function computeFunction({ program, variables }: OutlinedExpression): ReturnType<typeof js.arrow> {
  const given = variables.map((name) => js.member(js.name("variables"), name));
  const call = js.call(program.name, [js.literal(null), ...given]);
  const value = program.form === "one" ? call : js.element(call, js.literal(0));
  return js.arrow(variables.length > 0 ? ["variables"] : [], value);
}
