import { unenforcedSchema } from "../../diagnostics/data.ts";
import { binary, concatenate, type Expression, literal, object } from "../../expressions/index.ts";
import { violationOf } from "../../ir/inputs.ts";
import type { Workflow } from "../../ir/workflow.ts";
import { isObject, type Json, type JsonObject, own } from "../../json.ts";
import { type SchemaRules, schemaRules, type Type, typeOfSchema } from "../../types/index.ts";
import { spanOf } from "../shared/properties.ts";
import { choose, end, noSteps, type StepFragment } from "../shared/steps.ts";
import type { Context, Writer } from "./context.ts";

/** The extension of SonataFlow with the schema of the output. */
export const outputSchemaExtension = "workflow-output-schema";

/** A schema and its location, if it has one. */
interface LocatedSchema {
  readonly uri: string | undefined;
  readonly type: Type | undefined;
  /** Undefined if it is not enforced. */
  readonly rules: SchemaRules | undefined;
}

/** The schema at a property: a location, or the schema itself. Why it cannot be enforced is reported. */
function schemaAt(context: Context, owner: object, key: string): LocatedSchema | undefined {
  const { document, report, lowering } = context;
  const written = own(owner as JsonObject, key);
  const span = spanOf(context, owner, key);
  if (typeof written === "string")
    return {
      uri: written,
      type: lowering.schemas?.typeAt(written, span),
      rules: lowering.schemas?.rulesAt(written, span),
    };
  if (!isObject(written ?? null)) return undefined;
  const within = document.withValue(written as JsonObject, new Map());
  const found = schemaRules(within, "");
  const rules = Array.isArray(found) ? (found as SchemaRules) : undefined;
  if (!rules) {
    const reason = found && "reason" in found ? found.reason : "one of its references leads nowhere";
    report(unenforcedSchema(span, { reason }));
  }
  return { uri: undefined, type: typeOfSchema(within, "", () => {}), rules };
}

/** Serverless Workflow 0.8, `dataInputSchema`: enforced before the first state, unless it must not fail the run. */
export function inputSchemaOf(context: Context): Partial<Workflow> {
  const given = context.definition.dataInputSchema;
  if (!given) return {};
  const { failOnValidationErrors = true } = given;
  if (!failOnValidationErrors) return typeof given.schema === "string" ? { inputSchema: given.schema } : {};
  const found = schemaAt(context, given, "schema");
  return found ? { inputSchema: found.uri, inputType: found.type, inputRules: found.rules } : {};
}

/** The rules that SonataFlow's extension sets for outputs. */
export function outputRulesOf(context: Context): SchemaRules | undefined {
  const { extensions } = context.definition;
  const list = (Array.isArray(extensions) ? extensions : []) as readonly Json[];
  const found = list.find((each) => isObject(each) && own(each, "extensionid") === outputSchemaExtension);
  if (context.dialect !== "sonataflow" || !isObject(found ?? null)) return undefined;
  const extension = found as JsonObject;
  const given = own(extension, "outputSchema");
  if (!isObject(given ?? null)) return schemaAt(context, extension, "outputSchema")?.rules;
  const schema = given as JsonObject;
  return own(schema, "failOnValidationErrors") === false ? undefined : schemaAt(context, schema, "schema")?.rules;
}

/** Fails the run if its output does not fit SonataFlow's schema. */
export function checkOutput(writer: Writer, output: Expression): StepFragment {
  const { outputRules } = writer.context;
  if (!outputRules) return noSteps;
  const { span } = writer.construct;
  const violation = violationOf(output, outputRules, "the output");
  const message = concatenate([literal("The output of a run has to fit its schema: "), violation, literal(".")]);
  const value = object([
    ["name", literal("InvalidOutput")],
    ["message", message],
  ]);
  const isViolated = binary("!=", violation, literal(null));
  const fail = () => end(writer, "invalid", span, { outcome: "fail", extent: "run", value });
  return choose(writer, "schema", span, [{ when: isViolated, span, build: fail }], () => noSteps);
}
