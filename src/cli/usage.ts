import type { CommanderError } from "commander";

/** What is wrong with the arguments, in one line, and what helps. */
export function usageLine(
  { code, message }: Pick<CommanderError, "code" | "message">,
  args: readonly string[],
): string {
  const [said = "", suggestion = ""] = message.replace(/^error: /, "").split(/\n(?=\(Did you mean )/);
  const name = /'([\s\S]*)'/.exec(said)?.[1] ?? "";
  const near = /^\(Did you mean (one of )?(.+)\?\)$/.exec(suggestion);
  const hint = near ? ` Did you mean ${near[1] ?? ""}\`${near[2]!.replaceAll(", ", "`, `")}\`?` : undefined;
  const command = commandIn(args);
  switch (code) {
    case "commander.unknownCommand":
      return `There is no command \`${name}\`${hint ? `.${hint}` : commandHint(name)}`;
    case "commander.unknownOption":
      return `There is no option \`${name}\`${hint ? `.${hint}` : `; \`${command} --help\` lists them.`}`;
    case "commander.missingArgument":
      return `\`${command}\` needs ${command === "waybill eval" ? "an expression" : "a file, a folder or a pattern"}; \`${command} --help\` says more.`;
    case "commander.optionMissingArgument":
      return `\`${/--[\w-]+/.exec(name)?.[0] ?? name}\` needs a value: \`${name.replace(/^-\w, /, "")}\`.`;
    case "commander.excessArguments":
      return excess(said, command);
    default:
      return `${said.slice(0, 1).toUpperCase()}${said.slice(1)}`;
  }
}

/** A file given where the command belongs is what a first try looks like. */
const commandHint = (name: string): string =>
  /[./\\*]/.test(name) ? `; to check a file, say \`waybill check ${name}\`.` : "; `waybill --help` lists them.";

function excess(said: string, command: string): string {
  const [, expected = "", , given = ""] = /Expected (\d+) arguments? but got (\d+): ([\s\S]*)\.$/.exec(said) ?? [];
  return `\`${command}\` takes ${expected === "0" ? "no arguments" : "one argument"}, not ${given}.`;
}

function commandIn(args: readonly string[]): string {
  const name = args.find((arg) => !arg.startsWith("-"));
  return name === undefined ? "waybill" : `waybill ${name}`;
}

/** Arguments with each option and what belongs to it as one: `--arg name value` of `eval`, `--coverage` of `test` with its share or without. */
export function joinPairs(args: readonly string[]): readonly string[] {
  if (args[0] === "test") return joinShare(args);
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

/** A share may be left out, and a file is none: without one nothing has to be reached. */
function joinShare(args: readonly string[]): readonly string[] {
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
