import { optionFault } from "../configuration/index.ts";
import type { OptionDefinition, Options } from "../program.ts";
import { nearest } from "../text/suggest.ts";
import type { Registry } from "./registry.ts";
import { usage } from "./terminal.ts";

/** The options that `compile` and `check` share, as the command line gives them. */
export interface Choices {
  readonly target?: string;
  readonly from?: string;
  /** `key=value`, once for each `--option`. */
  readonly option: readonly string[];
  readonly strict?: boolean;
  readonly format: string;
  readonly color: boolean;
  readonly maxBytes?: string;
  /** Whether workflows are looked at after each rewrite: for finding faults of ours. */
  readonly verifyIr?: boolean;
}

/** The value of a command-line option that must be one of several words. */
export function oneOf<Word extends string>(option: string, given: string, known: readonly Word[]): Word {
  const found = known.find((word) => word === given);
  if (found !== undefined) return found;
  if (known.length === 1) throw usage(`${option} cannot be \`${given}\`; it can only be ${known[0]}.`);
  const near = nearest(given, known);
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

/** The choices that the languages leave to the user; of one language when `--from` insists on it. */
export function definitionsOf(from: string | undefined, { languages }: Registry): readonly OptionDefinition[] {
  return languages.filter(({ name }) => from === undefined || name === from).flatMap(({ options }) => options);
}

/** The options given as `--option key=value`; of equal keys the last counts. */
export function optionsOf(given: readonly string[], definitions: readonly OptionDefinition[]): Options {
  return Object.fromEntries(given.map((text) => optionOf(text, definitions)));
}

function optionOf(text: string, definitions: readonly OptionDefinition[]): readonly [string, string] {
  const at = text.indexOf("=");
  if (at < 1) throw usage(`--option cannot be \`${text}\`; it is written \`key=value\`.`);
  const [name, value] = [text.slice(0, at), text.slice(at + 1)];
  const span = { source: { path: "--option", text }, start: 0, end: text.length };
  const fault = optionFault({ name, value }, definitions, { name: span, value: span });
  if (fault)
    throw usage(`--option ${text}: ${[fault.message, ...(fault.hint === undefined ? [] : [fault.hint])].join(" ")}`);
  return [name, value];
}
