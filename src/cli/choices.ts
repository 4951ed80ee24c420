import { readDocuments } from "../documents/index.ts";
import type { Json, JsonObject } from "../json.ts";
import { mergeOptions, parseOption } from "../languages/options.ts";
import type { Options } from "../options.ts";
import { createValidator } from "../schema/index.ts";
import type { Target } from "../target/contract.ts";
import { nearestName } from "../text/messages.ts";
import { namesOf, type Registry } from "./registry.ts";
import { usage } from "./terminal.ts";

/** The options that `compile` and `check` share, as the command line gives them. */
export interface Choices {
  readonly target?: string;
  readonly from?: string;
  /** `key=value`, once for each `--option`. */
  readonly option: readonly string[];
  /** `target.name=value`, once for each `--set`. */
  readonly set: readonly string[];
  /** The configuration for all definitions; absent: the nearest above each. */
  readonly config?: string;
  /** Patterns of files in folders to take, and to leave out. */
  readonly include?: readonly string[];
  readonly exclude?: readonly string[];
  /** Whether nothing is told but diagnostics. */
  readonly quiet?: boolean;
  readonly strict?: boolean;
  readonly format: string;
  /** Absent: as the terminal has it. */
  readonly color?: boolean;
  readonly maxBytes?: string;
  /** Whether workflows are verified after each pass, to find faults of Waybill. */
  readonly verifyEach?: boolean;
}

/** The value of a command-line option that must be one of several words. */
export function oneOf<Word extends string>(option: string, given: string, known: readonly Word[]): Word {
  const found = known.find((word) => word === given);
  if (found !== undefined) return found;
  if (known.length === 1) throw usage(`${option} cannot be \`${given}\`; it can only be ${known[0]}.`);
  const near = nearestName(given, known);
  throw usage(
    `${option} cannot be \`${given}\`; it is one of ${known.join(", ")}.${near === undefined ? "" : ` Did you mean \`${near}\`?`}`,
  );
}

/** The number after `--max-bytes`. */
export function maximumBytesOf({ maxBytes }: Pick<Choices, "maxBytes">): number | undefined {
  if (maxBytes === undefined) return undefined;
  const count = Number(maxBytes);
  if (/^\d+$/.test(maxBytes) && Number.isSafeInteger(count) && count > 0) return count;
  throw usage(`--max-bytes cannot be \`${maxBytes}\`; it is a whole number above 0.`);
}

/** The options given as `--option key=value` or `--option language.key=value`; of equal ones the last counts. `from`: the only language they can be for. */
export function optionsOf(given: readonly string[], from: string | undefined, { languages }: Registry): Options {
  return mergeOptions(
    ...given.map((text) => {
      if (text.indexOf("=") < 1) throw usage(`--option cannot be \`${text}\`; it is written \`key=value\`.`);
      const read = parseOption(text, languages, from);
      if (!("fault" in read)) return read.options;
      const { message, hint } = read.fault;
      throw usage(`--option ${text}: ${hint === undefined ? message : `${message} ${hint}`}`);
    }),
  );
}

/** The settings of targets: those of a configuration, with those given as `--set target.name=value` in their place. */
export function settingsOf(
  given: readonly string[],
  configured: ReadonlyMap<string, JsonObject>,
  registry: Registry,
): ReadonlyMap<string, JsonObject> {
  const settings = new Map(configured);
  for (const text of given) {
    const target = targetOfSetting(text, registry);
    const [key, value] = [text.slice(target.name.length + 1, text.indexOf("=")), text.slice(text.indexOf("=") + 1)];
    settings.set(target.name, withSetting(settings.get(target.name) ?? {}, key, value, text, target));
  }
  return settings;
}

/** The target that a `--set target.name=value` is for. */
export function targetOfSetting(text: string, { targets }: Registry): Target {
  const [, name] = /^([^.=]+)\.[^=]+=/.exec(text) ?? [];
  if (name === undefined) throw usage(`--set cannot be \`${text}\`; it is written \`target.name=value\`.`);
  const known = oneOf("The target of --set", name, namesOf(targets));
  return targets.find((target) => target.name === known)!;
}

/** A value is a text, or what it is as JSON where only that fits. */
function withSetting(before: JsonObject, key: string, value: string, text: string, { settings }: Target): JsonObject {
  const asText = { ...before, [key]: value };
  const asJson = { ...before, [key]: scalar(value) };
  const fitting = [asText, asJson].find((whole) => settings?.validate(whole));
  if (fitting) return fitting;
  const why: string[] = [];
  const source = { path: "--set", text: JSON.stringify(asText) };
  const [document] = readDocuments(source, () => undefined);
  if (settings && document)
    createValidator(settings.validate, settings.schema)(document, ({ message }) => why.push(message));
  throw usage(`--set ${text}: ${why[0] ?? "This target has no settings."}`);
}

function scalar(text: string): Json {
  return /^(?:true|false|-?\d+(?:\.\d+)?)$/.test(text) ? (JSON.parse(text) as Json) : text;
}
