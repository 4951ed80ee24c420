import { schema, validate } from "../../generated/sm4c.js";
import { spelling } from "../../generated/sm4c-definition.ts";
import { type JsonObject, own } from "../../json.ts";
import type { Language } from "../../language.ts";
import { recover, validatorOf } from "../../schema/index.ts";
import { normalise } from "../shared/index.ts";
import { optionDefinitions } from "./context.ts";
import { likeness } from "./detect.ts";
import { link, lower } from "./workflow.ts";

/** SM4C, State Machines For Cloud. */
export const sm4c: Language = {
  name: "sm4c",
  summary: "SM4C, State Machines For Cloud (JSON or YAML)",
  words: { step: "state", functions: "functions", events: "events", mayReactForEver: true },
  errorMembers: ["Data"],
  inputs: "objects",
  options: optionDefinitions,
  trace: /(?:^|[\s{,"'])states["']?\s*:/i,
  likeness,
  normalise: (document, report) => normalise(document, spelling, report),
  validator: () => validatorOf(validate, schema),
  recover: (document) => recover(document, schema(), stateInstead),
  lower,
  link,
};

/** A state that cannot be read still has its name. */
function stateInstead(object: JsonObject): JsonObject | undefined {
  const name = own(object, "name");
  const isState = ["transitions", "enterAction", "exitAction", "start", "inputFilter"].some((key) =>
    Object.hasOwn(object, key),
  );
  return typeof name === "string" && isState ? { name, start: own(object, "start") === true } : undefined;
}
