import type { CommanderError } from "commander";

/** Describes a usage error in one line. */
export function describeUsageError(
  { code, message }: Pick<CommanderError, "code" | "message">,
  args: readonly string[],
): string {
  const [text = "", suggestion = ""] = message.replace(/^error: /, "").split(/\n(?=\(Did you mean )/);
  const name = /'([\s\S]*)'/.exec(text)?.[1] ?? "";
  const near = /^\(Did you mean (one of )?(.+)\?\)$/.exec(suggestion);
  const hint = near ? ` Did you mean ${near[1] ?? ""}\`${near[2]!.replaceAll(", ", "`, `")}\`?` : undefined;
  const command = commandIn(args);
  switch (code) {
    case "commander.unknownCommand":
      return `Unknown command \`${name}\`.${hint ?? unknownCommandHint(name)}`;
    case "commander.unknownOption":
      return `Unknown option \`${name}\`.${hint ?? ` Run \`${command} --help\` to list all.`}`;
    case "commander.missingArgument":
      return `\`${command}\` requires ${requirements.get(command) ?? "a file, a folder or a pattern"}. Run \`${command} --help\` for details.`;
    case "commander.optionMissingArgument":
      return `\`${/--[\w-]+/.exec(name)?.[0] ?? name}\` requires a value: \`${name.replace(/^-\w, /, "")}\`.`;
    case "commander.excessArguments":
      return describeExcess(text, command);
    default:
      return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;
  }
}

const requirements: ReadonlyMap<string, string> = new Map([
  ["waybill eval", "an expression"],
  ["waybill completion", "a shell: bash, zsh or fish"],
  ["waybill diff", "the old and the new definitions"],
]);

const unknownCommandHint = (name: string): string =>
  /[./\\*]/.test(name) ? ` To check a file, run \`waybill check ${name}\`.` : " Run `waybill --help` to list all.";

function describeExcess(text: string, command: string): string {
  const [, expected = "", , given = ""] = /Expected (\d+) arguments? but got (\d+): ([\s\S]*)\.$/.exec(text) ?? [];
  return `\`${command}\` takes ${expected === "0" ? "no arguments" : expected === "2" ? "two arguments" : "one argument"}, not ${given}.`;
}

function commandIn(args: readonly string[]): string {
  const name = args.find((arg) => !arg.startsWith("-"));
  return name === undefined ? "waybill" : `waybill ${name}`;
}

/** Joins `--arg name value` of `eval`, and `--coverage` of `test` with its optional percentage. */
export function joinPairs(args: readonly string[]): readonly string[] {
  if (args[0] === "test") return joinCoverage(args);
  if (args[0] !== "eval") return args;
  const joined: string[] = [];
  for (let i = 0; i < args.length; i++) {
    const arg = args[i]!;
    if (arg === "--") return [...joined, ...args.slice(i)];
    joined.push(arg);
    if (arg !== "--arg") continue;
    joined.push(JSON.stringify(args.slice(i + 1, i + 3)));
    i += 2;
  }
  return joined;
}

/** A file may follow `--coverage` directly. */
function joinCoverage(args: readonly string[]): readonly string[] {
  const joined: string[] = [];
  for (let i = 0; i < args.length; i++) {
    const arg = args[i]!;
    if (arg === "--") return [...joined, ...args.slice(i)];
    const share = arg === "--coverage" ? /^(\d+(?:\.\d+)?)%?$/.exec(args[i + 1] ?? "")?.[1] : undefined;
    joined.push(arg === "--coverage" ? `--coverage=${share ?? 0}` : arg);
    if (share !== undefined) i += 1;
  }
  return joined;
}
