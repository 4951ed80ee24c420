import {
  emptyBinding,
  misplacedSetting,
  unknownTarget,
  wrongConfigurationValue,
} from "../diagnostics/configuration.ts";
import type { CopyOrigin, Document } from "../documents/index.ts";
import type { ParameterType } from "../ir/definitions.ts";
import type { Reference } from "../ir/workflow.ts";
import { isObject, type Json, type JsonObject, own, setOwn } from "../json.ts";
import { createValidator } from "../schema/index.ts";
import type { Binding, Schema, Target, TargetSettings } from "../target/contract.ts";
import type { Report } from "../text/diagnostics.ts";
import type { Span } from "../text/source.ts";
import { isSchema, type Type, typeOfSchema } from "../types/index.ts";
import { type BoundExport, boundExport, type FunctionTrust, readTrust } from "./trust.ts";

/** A target's contract with its configuration. */
export type ConfigurableTarget = Pick<Target, "name" | "bindings" | "bindsReceivedEvents" | "boundExport" | "settings">;

/** A configured function or event and its bindings. */
export interface BindingEntry {
  readonly name: Reference;
  readonly byTarget: ReadonlyMap<string, Binding>;
  /** The trusted result of a function. */
  readonly result?: Type | undefined;
  /** The trusted data of received events. */
  readonly data?: Type | undefined;
  /** The type of a function's argument, and where it is declared. */
  readonly parameter?: ParameterType | undefined;
  /** The export of a module to which a function is bound. */
  readonly exported?: BoundExport | undefined;
  /** Whether its types are trusted, if the function says so itself. */
  readonly trust?: FunctionTrust | undefined;
  /** Whether one of its targets binds received events. */
  readonly bindsReceivedEvents: boolean;
  /** Whether a binding was dropped because of errors, which are reported. */
  readonly isInvalid?: boolean | undefined;
}

/** Bindings of functions and events by name. */
export interface Bindings {
  readonly functions: ReadonlyMap<string, BindingEntry>;
  readonly events: ReadonlyMap<string, BindingEntry>;
}

const parts = [
  { part: "functions", kind: "function" },
  { part: "events", kind: "event" },
] as const;

/** Reads bindings; reports and drops invalid ones. */
export function readBindings(
  root: JsonObject,
  document: Document,
  targets: readonly ConfigurableTarget[],
  report: Report,
): Bindings {
  const [functions, events] = parts.map(({ part, kind }) => readEntries(root, part, kind, document, targets, report));
  const valid = targets.filter((target) =>
    validateBindings(target, root, { functions, events } as EntryLists, document, report),
  );
  const names = new Set(valid.map(({ name }) => name));
  const toMap = (found: readonly BindingEntry[]): ReadonlyMap<string, BindingEntry> =>
    new Map(
      found.map((bound) => {
        const byTarget = new Map([...bound.byTarget].filter(([to]) => names.has(to)));
        return [bound.name.name, { ...bound, byTarget, isInvalid: byTarget.size < bound.byTarget.size }];
      }),
    );
  return { functions: toMap(functions!), events: toMap(events!) };
}

interface EntryLists {
  readonly functions: readonly BindingEntry[];
  readonly events: readonly BindingEntry[];
}

function readEntries(
  root: JsonObject,
  part: string,
  kind: "function" | "event",
  document: Document,
  targets: readonly ConfigurableTarget[],
  report: Report,
): readonly BindingEntry[] {
  const given = readObjectAt(root, part, `\`${part}\``, document, report);
  return Object.keys(given).map((name) => {
    const bindings = readObjectAt(given, name, `The binding of \`${name}\``, document, report);
    if (isObject(own(given, name)) && Object.keys(bindings).length === 0)
      report(emptyBinding(document.spanOf(given, name, "key"), { name }));
    const schemaAt = (key: string) => readSchema(bindings, [part, name, key], document, report);
    const by = Object.keys(bindings).flatMap((to) => {
      if (ownKeys[kind].includes(to)) return [];
      const value = own(bindings, to)!;
      const key = document.spanOf(bindings, to, "key");
      const target = targets.find((known) => known.name === to);
      if (!target?.bindings) {
        const owner = targets.find((known) => bindingKeys(known, kind).includes(to))?.name;
        report(unknownTarget(key, { name: to, known: targets.map((known) => known.name), owner }));
        return [];
      }
      if (!isObject(value)) {
        report(wrongConfigurationValue(document.spanOf(bindings, to), { name: `\`${to}\``, wanted: "an object" }));
        return [];
      }
      const binding = { name: { name, span: document.spanOf(given, name, "key") }, value, key, document };
      return hasMisplacedKeys(binding, target, kind, targets, report) ? [] : [[to, binding] as const];
    });
    const bindsReceivedEvents = by.some(([to]) =>
      targets.some((target) => target.name === to && target.bindsReceivedEvents),
    );
    const trust = kind === "function" ? readTrust(bindings, document, report) : undefined;
    return {
      name: { name, span: document.spanOf(given, name, "key") },
      byTarget: new Map<string, Binding>(by),
      ...(kind === "function"
        ? { result: schemaAt("result"), exported: boundExport(by, targets, document) }
        : { data: schemaAt("data") }),
      trust: trust && { value: trust, span: document.spanOf(bindings, "trust") },
      bindsReceivedEvents,
    };
  });
}

/** The keys that are not targets. */
const ownKeys: { readonly [kind in "function" | "event"]: readonly string[] } = {
  function: ["result", "trust"],
  event: ["data"],
};

/** Reads the schema at a path of the configuration, whose last key is in `owner`. */
function readSchema(owner: JsonObject, path: readonly string[], document: Document, report: Report): Type | undefined {
  const key = path.at(-1)!;
  const schema = own(owner, key);
  if (schema === undefined) return undefined;
  if (isSchema(schema)) {
    const pointer = path.map((step) =>
      encodeURIComponent(step.toWellFormed().replaceAll("~", "~0").replaceAll("/", "~1")),
    );
    return typeOfSchema(document, `/${pointer.join("/")}`, report);
  }
  report(wrongConfigurationValue(document.spanOf(owner, key), { name: `\`${key}\``, wanted: "a JSON Schema" }));
  return undefined;
}

function hasMisplacedKeys(
  { value, document }: Binding,
  target: ConfigurableTarget,
  kind: string,
  targets: readonly ConfigurableTarget[],
  report: Report,
): boolean {
  const known = bindingKeys(target, kind);
  const misplaced = Object.keys(value).flatMap((name) => {
    const owner = known.includes(name) ? undefined : targets.find((other) => bindingKeys(other, kind).includes(name));
    return owner ? [{ name, owner: owner.name }] : [];
  });
  for (const { name, owner } of misplaced)
    report(misplacedSetting(document.spanOf(value, name, "key"), { name, target: target.name, owner }));
  return misplaced.length > 0;
}

function bindingKeys({ bindings }: ConfigurableTarget, kind: string): readonly string[] {
  const [definitions] = [bindings && objectMember(bindings.schema(), "$defs")];
  const members = definitions && objectMember(objectMember(definitions, kind), "properties");
  return members ? Object.keys(members) : [];
}

function objectMember(value: Json | undefined, name: string): JsonObject | undefined {
  const member = isObject(value) ? own(value, name) : undefined;
  return isObject(member) ? member : undefined;
}

/** Validates all bindings of a target together. */
function validateBindings(
  target: ConfigurableTarget,
  root: JsonObject,
  found: EntryLists,
  document: Document,
  report: Report,
): boolean {
  if (!target.bindings) return false;
  const origins = new Map<object, CopyOrigin>();
  const whole: { [part: string]: Json } = {};
  for (const { part } of parts) {
    const given = objectMember(root, part);
    const kept: { [name: string]: Json } = {};
    for (const { name, byTarget } of found[part]) {
      const binding = byTarget.get(target.name);
      if (!binding) continue;
      const copy = { [target.name]: binding.value };
      origins.set(copy, { of: own(given!, name.name) as JsonObject });
      setOwn(kept, name.name, copy);
    }
    if (given) origins.set(kept, { of: given });
    whole[part] = kept;
  }
  origins.set(whole, { of: root });
  return check(target.bindings, document.withValue(whole, origins), report);
}

function check({ validate, schema }: Schema, part: Document, report: Report): boolean {
  return createValidator(validate, schema)(part, report);
}

/** Reads settings of targets; reports and drops invalid ones. */
export function readTargets(
  root: JsonObject,
  document: Document,
  targets: readonly ConfigurableTarget[],
  report: Report,
): ReadonlyMap<string, TargetSettings> {
  const given = readObjectAt(root, "targets", "`targets`", document, report);
  const known = () => targets.flatMap(({ name, settings }) => (settings ? [name] : []));
  const read = new Map<string, TargetSettings>();
  for (const name of Object.keys(given)) {
    const target = targets.find((known) => known.name === name && known.settings);
    const settings = target && readSettings(given, name, target, document, report);
    if (!target) report(unknownTarget(document.spanOf(given, name, "key"), { name, known: known(), owner: undefined }));
    else if (settings) read.set(name, settings);
  }
  return read;
}

/** Reads settings of one target, which are the member `key` of `owner`; reports and drops invalid ones. */
export function readSettings(
  owner: JsonObject,
  key: string,
  { name, settings }: ConfigurableTarget,
  document: Document,
  report: Report,
): TargetSettings | undefined {
  const values = readObjectAt(owner, key, `\`${key}\``, document, report);
  if (!settings) {
    report(wrongConfigurationValue(document.spanOf(owner, key), { name: `\`${key}\` of ${name}`, wanted: "omitted" }));
    return undefined;
  }
  if (!check(settings, document.withValue(values, new Map()), report)) return undefined;
  return { values, spanOf: (...path) => spanOfKey(values, path, document) };
}

function spanOfKey(values: JsonObject, path: readonly string[], document: Document): Span | undefined {
  let owner: Json | undefined = values;
  let span: Span | undefined;
  for (const name of path) {
    if (!isObject(owner) || !Object.hasOwn(owner, name)) return undefined;
    span = document.spanOf(owner, name, "key");
    owner = own(owner, name);
  }
  return span;
}

/** Returns an object, or an empty one; reports other values. */
export function readObjectAt(
  owner: JsonObject,
  key: string,
  name: string,
  document: Document,
  report: Report,
): JsonObject {
  const value = own(owner, key);
  if (isObject(value)) return value;
  if (value !== undefined) report(wrongConfigurationValue(document.spanOf(owner, key), { name, wanted: "an object" }));
  return {};
}
