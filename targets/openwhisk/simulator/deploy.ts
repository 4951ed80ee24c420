import { parse } from "yaml";
import { isObject, type Json, type JsonObject, own } from "../../../src/json.ts";
import type { OutputFile } from "../../../src/target/contract.ts";
import type { ActivationScope } from "./activation-scope.ts";
import { findAction, putAction, putRule, requireName } from "./entities.ts";
import type { Platform } from "./platform.ts";

/** A manifest for wskdeploy, and the files that it refers to. */
export interface DeploymentFiles {
  readonly manifest: JsonObject;
  readonly files: ReadonlyMap<string, string>;
}

const manifestName = "manifest.yaml";

/** Reads the manifest of a program. */
export function readDeployment(files: readonly OutputFile[]): DeploymentFiles {
  const contents = new Map(files.map(({ path, text }) => [path, text]));
  return { manifest: parse(contents.get(manifestName) ?? "packages: {}") as JsonObject, files: contents };
}

/**
 * Deploys a manifest: packages with actions and sequences, triggers and rules. `given` overrides declared parameters.
 */
export async function deploy(
  { manifest, files }: DeploymentFiles,
  overrides: JsonObject,
  platform: Platform,
  scope: ActivationScope,
): Promise<void> {
  const project = own(manifest, "project");
  const packages = entriesOf(own(manifest, "packages") ?? (isObject(project) ? own(project, "packages") : undefined));
  for (const [name, description] of packages) deployPackage(name, description, overrides, files, platform);
  for (const [, description] of packages)
    for (const [name, trigger] of entriesOf(own(description, "triggers")))
      await deployTrigger(name, trigger, platform, scope);
  for (const [packageName, description] of packages)
    for (const [name, rule] of entriesOf(own(description, "rules"))) {
      const action = stringIn(rule, "action");
      const packagedName = requireName(platform.entities, `/_/${packageName}/${action.split("/").at(-1)}`);
      const isWithin = !action.includes("/") && platform.entities.actions.has(packagedName);
      putRule(platform.entities, name, {
        trigger: stringIn(rule, "trigger"),
        action: isWithin ? packagedName : action,
      });
    }
}

function deployPackage(
  name: string,
  description: JsonObject,
  overrides: JsonObject,
  files: DeploymentFiles["files"],
  { entities }: Platform,
): void {
  const key = requireName(entities, `/_/${name}`);
  entities.packages.set(key, { name: key, parameters: defaultParameters(description, overrides) });
  for (const [action, spec] of entriesOf(own(description, "actions"))) {
    const path = stringIn(spec, "function");
    const code = files.get(path.replace(/^\.\//, ""));
    if (code === undefined) throw new Error(`The manifest refers to ${path}, which the program does not contain.`);
    const runtime = typeof spec["runtime"] === "string" ? spec["runtime"] : "nodejs:default";
    const { timeout, memorySize: memory, logSize: logs } = objectIn(spec, "limits") as { [limit: string]: number };
    const limits = Object.fromEntries(Object.entries({ timeout, memory, logs }).filter(([, limit]) => limit));
    const exec = { kind: "code", runtime, code, main: String(spec["main"] ?? "main") } as const;
    const annotations = objectIn(spec, "annotations");
    putAction(entities, `${key}/${action}`, {
      exec,
      limits,
      annotations,
      parameters: defaultParameters(spec, overrides),
    });
  }
  for (const [sequence, spec] of entriesOf(own(description, "sequences"))) {
    const components = stringIn(spec, "actions").split(",");
    const named = components.map((each) => each.trim()).map((each) => (each.includes("/") ? each : `${key}/${each}`));
    putAction(entities, `${key}/${sequence}`, { exec: { kind: "sequence", components: named } });
  }
}

/** Deploys a trigger and subscribes it to its feed. */
async function deployTrigger(
  name: string,
  description: JsonObject,
  platform: Platform,
  scope: ActivationScope,
): Promise<void> {
  const { entities } = platform;
  const key = requireName(entities, `/_/${name}`);
  const feed = own(description, "feed");
  const inputs = defaultParameters(description);
  const parameters = feed === undefined ? inputs : {};
  entities.triggers.set(key, { name: key, parameters, annotations: objectIn(description, "annotations") });
  if (feed === undefined || !findAction(entities, requireName(entities, String(feed)))) return;
  await platform.invoke(String(feed), { ...inputs, triggerName: key, lifecycleEvent: "CREATE" }, scope).ended;
}

const entriesOf = (value: Json | undefined): readonly (readonly [string, JsonObject])[] =>
  Object.entries(isObject(value) ? value : {}).map(([name, member]) => [name, isObject(member) ? member : {}]);

const objectIn = (description: JsonObject, name: string): JsonObject => {
  const value = own(description, name);
  return isObject(value) ? value : {};
};

const stringIn = (description: JsonObject, name: string): string => String(own(description, name) ?? "");

/** Overrides, values, or defaults of parameter descriptions. */
function defaultParameters(description: JsonObject, overrides: JsonObject = {}): JsonObject {
  const values = Object.entries(objectIn(description, "inputs")).map(
    ([name, input]) => [name, own(overrides, name) ?? requiredOf(name, input)] as const,
  );
  return Object.fromEntries(values.filter((each): each is readonly [string, Json] => each[1] !== undefined));
}

/** Fails like wskdeploy for a required input whose environment variable is not set. */
function requiredOf(name: string, input: Json): Json | undefined {
  const value = defaultOf(input);
  const isUnset = typeof value === "string" && value.startsWith("$");
  if (isObject(input) && input["required"] === true && (value === undefined || isUnset))
    throw new Error(`The input ${name} is required, but has no value.`);
  return value;
}

const descriptionKeys = new Set(["type", "description", "value", "required", "default", "status", "schema"]);

function defaultOf(input: Json): Json | undefined {
  const isDescription = isObject(input) && Object.keys(input).some((key) => key === "type" || key === "value");
  if (!isDescription || !Object.keys(input).every((key) => descriptionKeys.has(key))) return input;
  return own(input, "value") ?? own(input, "default");
}
