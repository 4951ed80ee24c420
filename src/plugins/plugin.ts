import type { Language } from "../language.ts";
import type { Target } from "../target/contract.ts";

/** Languages and targets in addition to those of Waybill: the default export of a plug-in's module. */
export interface Plugin {
  /** For messages. */
  readonly name: string;
  readonly languages?: readonly Language[] | undefined;
  readonly targets?: readonly Target[] | undefined;
}

/** The available languages and targets. */
export interface Registry {
  readonly languages: readonly Language[];
  readonly targets: readonly Target[];
  /** The plug-ins among them. */
  readonly plugins?: readonly Plugin[] | undefined;
}

/** A plug-in, or why a value is none, as the end of a sentence. */
export type PluginCheck = { readonly plugin: Plugin } | { readonly reason: string };

/** Checks a plug-in of untyped code, and that its names are new. */
export function checkPlugin(value: unknown, { languages, targets }: Registry): PluginCheck {
  if (!isRecord(value) || typeof value["name"] !== "string" || value["name"] === "")
    return { reason: "it is not an object with a `name`" };
  const kinds = [
    ["languages", languageMembers, languages],
    ["targets", targetMembers, targets],
  ] as const;
  if (kinds.every(([key]) => value[key] === undefined)) return { reason: "it has neither `languages` nor `targets`" };
  for (const [key, members, known] of kinds) {
    const list: unknown = value[key] ?? [];
    if (!Array.isArray(list)) return { reason: `its \`${key}\` are not an array` };
    const names = new Set(known.map(({ name }) => name));
    for (const each of list as readonly unknown[]) {
      const reason = reasonAgainst(each, members, names);
      if (reason !== undefined) return { reason: `of its \`${key}\`, ${reason}` };
      names.add((each as { readonly name: string }).name);
    }
  }
  return { plugin: value as unknown as Plugin };
}

/** Adds checked plug-ins to what is available. */
export const addPlugins = <Known extends Registry>(registry: Known, plugins: readonly Plugin[]): Known => ({
  ...registry,
  languages: [...registry.languages, ...plugins.flatMap(({ languages = [] }) => languages)],
  targets: [...registry.targets, ...plugins.flatMap(({ targets = [] }) => targets)],
  plugins: [...(registry.plugins ?? []), ...plugins],
});

type MemberKind = "string" | "function" | "object" | "array";

const languageMembers: { readonly [name: string]: MemberKind } = {
  name: "string",
  summary: "string",
  terminology: "object",
  options: "array",
  detect: "function",
  canonicalize: "function",
  validator: "function",
  lower: "function",
};

const targetMembers: { readonly [name: string]: MemberKind } = {
  name: "string",
  summary: "string",
  generate: "function",
  emit: "function",
};

function reasonAgainst(
  value: unknown,
  members: { readonly [name: string]: MemberKind },
  names: ReadonlySet<string>,
): string | undefined {
  if (!isRecord(value)) return "one is not an object";
  const missing = Object.entries(members).find(([name, kind]) => !isOfKind(value[name], kind));
  if (missing) {
    const [name, kind] = missing;
    return `one has no \`${name}\` that is ${kind === "object" || kind === "array" ? "an" : "a"} ${kind}`;
  }
  const name = String(value["name"]);
  if (!/^[a-z][a-z\d.-]{0,60}$/.test(name))
    return `the name \`${name.slice(0, 60)}\` is not in lower case with hyphens`;
  return names.has(name) ? `the name \`${name}\` exists already` : undefined;
}

const isOfKind = (value: unknown, kind: MemberKind): boolean =>
  kind === "array" ? Array.isArray(value) : kind === "object" ? isRecord(value) : typeof value === kind;

const isRecord = (value: unknown): value is { readonly [key: string]: unknown } =>
  typeof value === "object" && value !== null && !Array.isArray(value);
