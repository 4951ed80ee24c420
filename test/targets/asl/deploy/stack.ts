import { type CollectionTag, parseDocument, type ScalarTag } from "yaml";
import { isObject, type Json, type JsonObject } from "../../../../src/json.ts";
import type { OutputFile, Settings, TargetConfiguration } from "../../../../src/target/contract.ts";

/** A template with CloudFormation functions in their long form. */
export interface DeployedTemplate {
  readonly Description: string;
  readonly Parameters?: { readonly [name: string]: JsonObject };
  readonly Globals: JsonObject;
  readonly Resources: { readonly [name: string]: TemplateResource };
  readonly Outputs: { readonly [name: string]: JsonObject };
}

export interface TemplateResource {
  readonly Type: string;
  readonly Properties: JsonObject;
}

const short = ["Ref", "GetAtt", "Sub", "Select", "Split"] as const;
const long = (name: string, value: unknown) => ({
  [name === "Ref" ? "Ref" : `Fn::${name}`]: name === "GetAtt" ? String(value).split(".") : value,
});
const scalarTags = short.map((name): ScalarTag => ({ tag: `!${name}`, resolve: (text) => long(name, text) }));
const listTags = short.map(
  (name): CollectionTag => ({
    tag: `!${name}`,
    collection: "seq",
    resolve: (list) =>
      Object.assign(list, {
        toJSON: () =>
          long(
            name,
            list.items.map((item) => plainOf(item)),
          ),
      }),
  }),
);

const plainOf = (node: unknown): unknown =>
  typeof node === "object" && node !== null && "toJSON" in node ? (node.toJSON as () => unknown)() : node;

/** Parses a template with CloudFormation's tags only. */
export function readTemplate(text: string, version: "1.1" | "1.2" = "1.1"): DeployedTemplate {
  const document = parseDocument(text, { version, customTags: [...scalarTags, ...listTags] });
  const faults = [...document.errors, ...document.warnings].map(({ message }) => message);
  if (faults.length > 0) throw new Error(faults.join("\n"));
  return JSON.parse(JSON.stringify(document.toJS())) as DeployedTemplate;
}

/** All CloudFormation functions in a value, with their arguments. */
export function functionsIn(value: Json): readonly (readonly [string, Json])[] {
  if (Array.isArray(value)) return value.flatMap((item: Json) => functionsIn(item));
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([key, part]) => [
    ...(key === "Ref" || key.startsWith("Fn::") ? [[key, part] as const] : []),
    ...functionsIn(part),
  ]);
}

/** The parameters, resources and pseudo parameters that a template refers to. */
export function namesUsed(value: Json): readonly string[] {
  return functionsIn(value).flatMap(([name, given]): readonly string[] => {
    if (name === "Ref") return [String(given)];
    if (name === "Fn::GetAtt") return [String((given as readonly Json[])[0])];
    if (name !== "Fn::Sub") return [];
    const [text, own] = Array.isArray(given)
      ? (given as unknown as readonly [string, JsonObject])
      : [String(given), {}];
    const variables = [...text.matchAll(/\$\{([^}]*)\}/g)].map(([, variable]) => variable!);
    return variables.filter((variable) => !Object.hasOwn(own, variable));
  });
}

/** The permissions of policies, as `action on resource`. */
export function allowed(policies: Json): readonly string[] {
  return (policies as readonly JsonObject[]).flatMap(({ Statement }) =>
    (Statement as readonly JsonObject[]).flatMap(({ Action, Resource }) =>
      (Action as readonly string[]).flatMap((action) =>
        (Resource as readonly Json[]).map((resource) => `${action} on ${JSON.stringify(resource)}`),
      ),
    ),
  );
}

/** The Task states of a machine, including nested ones. */
export function tasksIn(machine: JsonObject): readonly JsonObject[] {
  return Object.values(machine["States"] as { readonly [name: string]: JsonObject }).flatMap((state) => [
    ...(state["Type"] === "Task" ? [state] : []),
    ...((state["Branches"] ?? []) as readonly JsonObject[]).flatMap(tasksIn),
    ...(state["ItemProcessor"] ? tasksIn(state["ItemProcessor"] as JsonObject) : []),
  ]);
}

/** The content of a generated file. */
export const textOf = (files: readonly OutputFile[], path: string): string | undefined =>
  files.find((file) => file.path === path)?.text;

/** Settings with a template in each configuration. */
export function withTemplate(settings: Settings, template: string): Settings {
  const known = new Map<TargetConfiguration, TargetConfiguration>();
  return {
    ...settings,
    configurationOf(workflow) {
      const configured = settings.configurationOf(workflow);
      const made = known.get(configured) ?? { ...configured, values: { ...configured.values, template } };
      known.set(configured, made);
      return made;
    },
  };
}
