import type { CompletedCommand, CompletedOption, shells } from "./commands.ts";

/** Prints the completion script of a shell for a command. */
export function completionScript(
  shell: (typeof shells)[number],
  name: string,
  commands: readonly CompletedCommand[],
): string {
  switch (shell) {
    case "bash":
      return bashScript(name, commands);
    case "zsh":
      return zshScript(name, commands);
    case "fish":
      return fishScript(name, commands);
  }
}

/** Quotes a word for POSIX shells. */
const quote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

const names = ({ long, short }: CompletedOption): readonly string[] => (short === undefined ? [long] : [long, short]);

/** The options with a value, by the pattern of a command and such an option. */
const valuePatterns = (commands: readonly CompletedCommand[]): readonly (readonly [string, readonly string[]])[] =>
  commands.flatMap((command) =>
    command.options.flatMap((option) =>
      option.values === undefined
        ? []
        : [
            [
              names(option)
                .map((each) => quote(`${command.name} ${each}`))
                .join(" | "),
              option.values,
            ] as const,
          ],
    ),
  );

/** Options with any value complete files, as arguments do. */
function bashScript(name: string, commands: readonly CompletedCommand[]): string {
  const values = valuePatterns(commands).map(
    ([pattern, words]) => `    ${pattern}) words=${quote(words.join(" "))} ;;`,
  );
  const options = commands.map(
    (command) => `      ${quote(command.name)}) words=${quote(command.options.flatMap(names).join(" "))} ;;`,
  );
  const words = commands.flatMap((command) =>
    command.words.length === 0 ? [] : [`      ${quote(command.name)}) words=${quote(command.words.join(" "))} ;;`],
  );
  return `# bash completion of ${name}: source <(${name} completion bash)
_${name}() {
  local current=\${COMP_WORDS[COMP_CWORD]} previous=\${COMP_WORDS[COMP_CWORD - 1]} command= words= i
  # The shell splits --option=value into three words.
  if [[ $current == = ]]; then current=; elif [[ $previous == = ]]; then previous=\${COMP_WORDS[COMP_CWORD - 2]}; fi
  for ((i = 1; i < COMP_CWORD; i += 1)); do
    if [[ \${COMP_WORDS[i]} != -* ]]; then command=\${COMP_WORDS[i]}; break; fi
  done
  COMPREPLY=()
  case "$command $previous" in
${values.join("\n")}
    *)
      if [[ -z $command ]]; then
        words=${quote(commands.map((command) => command.name).join(" "))}
      elif [[ $current == -* ]]; then
        case $command in
${options.map((line) => `  ${line}`).join("\n")}
        esac
      else
        case $command in
${words.map((line) => `  ${line}`).join("\n")}
        esac
      fi
      ;;
  esac
  if [[ -n $words ]]; then COMPREPLY=($(compgen -W "$words" -- "$current")); fi
}
complete -o default -F _${name} ${name}
`;
}

/** A name with its description, in the form of \`_describe\`. */
const described = (name: string, summary: string): string => quote(`${name}:${summary}`);

function zshScript(name: string, commands: readonly CompletedCommand[]): string {
  const values = valuePatterns(commands).map(([pattern, words]) =>
    words.length === 0
      ? `    ${pattern}) _files; return ;;`
      : `    ${pattern}) compadd -- ${words.map(quote).join(" ")}; return ;;`,
  );
  const options = commands.map((command) => {
    const list = command.options.flatMap((option) => names(option).map((each) => described(each, option.summary)));
    return `      ${quote(command.name)}) options=(${list.join(" ")}) ;;`;
  });
  const words = commands.flatMap((command) =>
    command.words.length === 0
      ? []
      : [`      ${quote(command.name)}) compadd -- ${command.words.map(quote).join(" ")}; return ;;`],
  );
  return `#compdef ${name}
# zsh completion of ${name}: source <(${name} completion zsh), after compinit
_${name}() {
  local command previous=$words[CURRENT-1] i
  local -a commands options
  for ((i = 2; i < CURRENT; i += 1)); do
    if [[ $words[i] != -* ]]; then command=$words[i]; break; fi
  done
  case "$command $previous" in
${values.join("\n")}
  esac
  if [[ -z $command ]]; then
    commands=(${commands.map((command) => described(command.name, command.summary)).join(" ")})
    _describe command commands
  elif [[ $PREFIX == -* ]]; then
    case $command in
${options.join("\n")}
    esac
    _describe option options
  else
    case $command in
${words.join("\n")}
    esac
    _files
  fi
}
if [[ $funcstack[1] == _${name} ]]; then _${name} "$@"; else compdef _${name} ${name}; fi
`;
}

const fishQuote = (text: string): string => `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;

function fishScript(name: string, commands: readonly CompletedCommand[]): string {
  const lines = commands.flatMap((command) => {
    const within = `complete -c ${name} -n ${fishQuote(`__fish_seen_subcommand_from ${command.name}`)}`;
    return [
      `complete -c ${name} -f -n __fish_use_subcommand -a ${command.name} -d ${fishQuote(command.summary)}`,
      ...(command.words.length > 0 ? [`${within} -f -a ${fishQuote(command.words.join(" "))}`] : []),
      ...command.options.map((option) => {
        const short = option.short === undefined ? "" : ` -s ${option.short.slice(1)}`;
        const values = option.values ?? [];
        const value =
          option.values === undefined ? "" : values.length === 0 ? " -r" : ` -x -a ${fishQuote(values.join(" "))}`;
        return `${within}${short} -l ${option.long.slice(2)}${value} -d ${fishQuote(option.summary)}`;
      }),
    ];
  });
  return `# fish completion of ${name}: ${name} completion fish | source\n${lines.join("\n")}\n`;
}
