import { schema, validate } from "../../generated/sm4c.js";
import { type JsonObject, own } from "../../json.ts";
import type { Language } from "../../language.ts";
import { createValidator, recover } from "../../schema/index.ts";
import { canonicalize, withMeantStarts } from "./canonicalize.ts";
import { optionDefinitions } from "./context.ts";
import { detect } from "./detect.ts";
import { starter } from "./starter.ts";
import { link, lower } from "./workflow.ts";

/** SM4C, State Machines For Cloud. */
export const sm4c: Language = {
  name: "sm4c",
  summary: "SM4C, State Machines For Cloud (JSON or YAML)",
  terminology: { step: "state", functions: "functions", events: "events", mayWaitIndefinitely: true },
  errorFields: ["Data"],
  inputs: "objects",
  options: optionDefinitions,
  starter,
  sniff: /(?:^|[\s{,"'])states["']?\s*:/i,
  detect: detect,
  canonicalize,
  schema,
  validator: () => createValidator(validate, schema),
  recover: (document) => recover(withMeantStarts(document), schema(), placeholderState),
  lower,
  link,
};

function placeholderState(object: JsonObject): JsonObject | undefined {
  const name = own(object, "name");
  const isState = ["transitions", "enterAction", "exitAction", "start", "inputFilter"].some((key) =>
    Object.hasOwn(object, key),
  );
  return typeof name === "string" && isState ? { name, start: own(object, "start") === true } : undefined;
}
