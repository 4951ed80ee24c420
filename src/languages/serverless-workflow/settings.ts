import type { LanguageOptions, OptionDefinition } from "../../program.ts";
import { isProblem, parseInstant } from "../../text/iso8601.ts";

/** The choices that the draft leaves to the user. */
export const optionDefinitions: readonly OptionDefinition[] = [
  {
    name: "timeout",
    values: ["proceed", "fail"],
    fallback: "proceed",
    summary:
      "Whether a timeout that no handler names lets the state go on, as the draft says, or is the error `Timeout`.",
  },
  {
    name: "interpolate",
    values: ["true", "false"],
    fallback: "false",
    summary: "Whether paths inside longer texts, such as `Hello $.name`, are replaced by what they select.",
  },
  {
    name: "deployed",
    placeholder: "instant",
    summary:
      "The time of deployment, such as `2026-01-01T00:00:00Z`: schedules that are a duration only count from it.",
  },
];

/** The choices as lowering uses them. */
export interface Settings {
  readonly timeout: "proceed" | "fail";
  readonly interpolate: boolean;
  /** In milliseconds since 1970 (UTC); the text that was given where it is no instant; undefined where nothing was given. */
  readonly deployed: number | string | undefined;
}

/** Reads the choices. */
export function settingsOf(options: LanguageOptions): Settings {
  const chosen = (name: string): string | undefined =>
    Object.hasOwn(options, name) ? String(options[name]) : undefined;
  const deployed = chosen("deployed");
  const instant = deployed === undefined ? undefined : parseInstant(deployed);
  return {
    timeout: chosen("timeout") === "fail" ? "fail" : "proceed",
    interpolate: chosen("interpolate") === "true",
    deployed: isProblem(instant) ? deployed : (instant as number | undefined),
  };
}
