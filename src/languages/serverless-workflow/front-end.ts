import { schema, validate } from "../../generated/serverless-workflow.js";
import { spelling } from "../../generated/serverless-workflow-definition.ts";
import { type JsonObject, own } from "../../json.ts";
import type { FrontEnd } from "../../language.ts";
import { createValidator, recover } from "../../schema/index.ts";
import { canonicalize } from "../shared/spelling.ts";
import { link, lower } from "./workflow.ts";

/** What reads definitions. */
export const frontEnd: FrontEnd = {
  canonicalize: (document, report) => canonicalize(document, spelling, report),
  schema,
  validator: () => createValidator(validate, schema),
  recover: (document) => recover(document, schema(), placeholder),
  lower,
  link,
};

function placeholder(object: JsonObject, list: string | undefined): JsonObject | undefined {
  const name = own(object, "name");
  if (typeof name !== "string") return undefined;
  if (list === "functions") return { name, resource: name };
  const token = own(object, "correlationToken");
  if (list === "events")
    return { name, source: name, type: name, ...(typeof token === "string" ? { correlationToken: token } : {}) };
  if (list !== "states") return undefined;
  const start = own(object, "start") === undefined ? {} : { start: { kind: "default" } };
  return { name, type: "inject", ...start, end: { kind: "default" } };
}
