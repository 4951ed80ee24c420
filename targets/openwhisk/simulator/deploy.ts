import { parse } from "yaml";
import { isObject, type Json, type JsonObject, own } from "../../../src/json.ts";
import type { OutputFile } from "../../../src/target.ts";
import { findAction, nameOf, putAction, putRule } from "./entities.ts";
import type { Place } from "./place.ts";
import type { Platform } from "./platform.ts";

/** What is deployed: a manifest as wskdeploy reads it, and the files that it names. */
export interface Deployment {
  readonly manifest: JsonObject;
  readonly files: ReadonlyMap<string, string>;
}

/** The name of the manifest among the files of a program. */
const manifestName = "manifest.yaml";

/** What the files of a program deploy. */
export function deploymentOf(files: readonly OutputFile[]): Deployment {
  const texts = new Map(files.map(({ path, text }) => [path, text]));
  return { manifest: parse(texts.get(manifestName) ?? "packages: {}") as JsonObject, files: texts };
}

/** Deploys all that a manifest has: packages with their actions and sequences, triggers and rules. `given`: the values of parameters that are declared. */
export async function deploy(
  { manifest, files }: Deployment,
  given: JsonObject,
  platform: Platform,
  place: Place,
): Promise<void> {
  const project = own(manifest, "project");
  const packages = membersOf(own(manifest, "packages") ?? (isObject(project) ? own(project, "packages") : undefined));
  for (const [name, described] of packages) deployPackage(name, described, given, files, platform);
  for (const [, described] of packages)
    for (const [name, trigger] of membersOf(own(described, "triggers")))
      await deployTrigger(name, trigger, platform, place);
  for (const [around, described] of packages)
    for (const [name, rule] of membersOf(own(described, "rules"))) {
      const action = textIn(rule, "action");
      const within = nameOf(platform.entities, `/_/${around}/${action.split("/").at(-1)}`);
      const isWithin = !action.includes("/") && platform.entities.actions.has(within);
      putRule(platform.entities, name, { trigger: textIn(rule, "trigger"), action: isWithin ? within : action });
    }
}

/** A package, its actions and its sequences. */
function deployPackage(
  name: string,
  described: JsonObject,
  given: JsonObject,
  files: Deployment["files"],
  { entities }: Platform,
): void {
  const key = nameOf(entities, `/_/${name}`);
  entities.packages.set(key, { name: key, parameters: inputsOf(described, given) });
  for (const [action, about] of membersOf(own(described, "actions"))) {
    const path = textIn(about, "function");
    const code = files.get(path.replace(/^\.\//, ""));
    if (code === undefined) throw new Error(`The manifest names ${path}, which is no file of the program.`);
    const runtime = typeof about["runtime"] === "string" ? about["runtime"] : "nodejs:default";
    const { timeout, memorySize: memory, logSize: logs } = objectIn(about, "limits") as { [limit: string]: number };
    const limits = Object.fromEntries(Object.entries({ timeout, memory, logs }).filter(([, limit]) => limit));
    const exec = { kind: "code", runtime, code, main: String(about["main"] ?? "main") } as const;
    const annotations = objectIn(about, "annotations");
    putAction(entities, `${key}/${action}`, { exec, limits, annotations, parameters: inputsOf(about, given) });
  }
  for (const [sequence, about] of membersOf(own(described, "sequences"))) {
    const components = textIn(about, "actions").split(",");
    const named = components.map((each) => each.trim()).map((each) => (each.includes("/") ? each : `${key}/${each}`));
    putAction(entities, `${key}/${sequence}`, { exec: { kind: "sequence", components: named } });
  }
}

/** A trigger, and what makes its feed fire it. */
async function deployTrigger(name: string, described: JsonObject, platform: Platform, place: Place): Promise<void> {
  const { entities } = platform;
  const key = nameOf(entities, `/_/${name}`);
  const feed = own(described, "feed");
  const inputs = inputsOf(described);
  const parameters = feed === undefined ? inputs : {};
  entities.triggers.set(key, { name: key, parameters, annotations: objectIn(described, "annotations") });
  if (feed === undefined || !findAction(entities, nameOf(entities, String(feed)))) return;
  await platform.invoke(String(feed), { ...inputs, triggerName: key, lifecycleEvent: "CREATE" }, place).ended;
}

const membersOf = (value: Json | undefined): readonly (readonly [string, JsonObject])[] =>
  Object.entries(isObject(value) ? value : {}).map(([name, member]) => [name, isObject(member) ? member : {}]);

const objectIn = (described: JsonObject, name: string): JsonObject => {
  const value = own(described, name);
  return isObject(value) ? value : {};
};

const textIn = (described: JsonObject, name: string): string => String(own(described, name) ?? "");

/** What parameters are by default: what is given for them, a value, or a description of a parameter that has one. */
function inputsOf(described: JsonObject, given: JsonObject = {}): JsonObject {
  const values = Object.entries(objectIn(described, "inputs")).map(
    ([name, input]) => [name, own(given, name) ?? defaultOf(input)] as const,
  );
  return Object.fromEntries(values.filter((each): each is readonly [string, Json] => each[1] !== undefined));
}

const describing = new Set(["type", "description", "value", "required", "default", "status", "schema"]);

function defaultOf(input: Json): Json | undefined {
  const isDescription = isObject(input) && Object.keys(input).some((key) => key === "type" || key === "value");
  if (!isDescription || !Object.keys(input).every((key) => describing.has(key))) return input;
  return own(input, "value") ?? own(input, "default");
}
