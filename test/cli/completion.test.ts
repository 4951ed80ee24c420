import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { namesOf, standardRegistry } from "../../src/cli/registry.ts";
import { folderWith, waybill } from "./command.ts";

// The scripts run in the shells themselves; shells that are not installed are skipped. CI installs all three.

const isInstalled = (shell: string): boolean => spawnSync(shell, ["-c", "true"]).status === 0;

const targets = namesOf(standardRegistry.targets);

/** What is typed, and words that complete it. */
const cases: readonly (readonly [line: string, words: readonly string[]])[] = [
  ["waybill bu", ["build"]],
  ["waybill build --d", ["--diff"]],
  ["waybill build --target ", targets],
  ["waybill build -t a", ["asl"]],
  ["waybill test --on ", ["reference", ...targets, "all"]],
  ["waybill test --format j", ["json", "junit"]],
  ["waybill check --strict --from compo", ["composer-fsm"]],
  ["waybill explain WB0532", ["WB0532"]],
  ["waybill completion ", ["bash", "zsh", "fish"]],
  ["waybill check flo", ["flow.yaml"]],
];

/** Asks a shell for the completions of a line, which a script prints one by one. */
type Ask = (script: string, line: string) => readonly [command: string, args: readonly string[]];

const askBash: Ask = (script, line) => [
  "bash",
  [
    "--norc",
    "-c",
    `source ${script}
     read -ra COMP_WORDS <<< "$1"; [[ $1 == *' ' ]] && COMP_WORDS+=("")
     COMP_CWORD=$((\${#COMP_WORDS[@]} - 1)); _waybill
     if ((\${#COMPREPLY[@]})); then printf '%s\\n' "\${COMPREPLY[@]}"; else compgen -f -- "\${COMP_WORDS[COMP_CWORD]}"; fi`,
    "bash",
    line,
  ],
];

const askFish: Ask = (script, line) => [
  "fish",
  ["--no-config", "-c", `source ${script}; complete -C $argv[1] | string replace -r '\\t.*' ''`, line],
];

/** Types the line in a terminal of zsh, whose completion then prints all matches. */
const askZsh: Ask = (script, line) => [
  "zsh",
  [
    "-f",
    "-c",
    `zmodload zsh/zpty; zpty shell zsh -f -i
     zpty -w shell 'autoload -Uz compinit; compinit -D -u; source ${script}'
     zpty -w shell 'before=$(printf "\\074\\074") after=$(printf "\\076\\076")'
     zpty -w shell $'print-matches() { compadd() { local -a found; builtin compadd -Q -O found "$@"; print -rl -- $before$^found$after; builtin compadd "$@" }; _main_complete; unfunction compadd; print -r -- $before""end$after }; zle -C print-matches complete-word print-matches; bindkey "^T" print-matches'
     zpty -w shell $'PS1=wai\\x74ing'; zpty -r shell out '*waiting*'
     zpty -w -n shell "$1"$'\\x14'; zpty -r shell out '*<<end>>*'; zpty -d shell
     print -rn -- $out | grep -ao '<<[^>]*>>' | sed 's/^<<//;s/>>$//' | grep -vx end | sort -u`,
    "zsh",
    line,
  ],
];

describe.each([
  ["bash", askBash],
  ["fish", askFish],
  ["zsh", askZsh],
] as const)("%s", (shell, ask) => {
  let [script, folder] = ["", ""];
  beforeAll(async () => {
    const { out, status } = await waybill(".", ["completion", shell]);
    expect(status).toBe(0);
    script = out;
  });

  test.skipIf(!isInstalled(shell))("reads the script without errors", () => {
    folder = folderWith({ script });
    expect(spawnSync(shell, ["-n", join(folder, "script")], { encoding: "utf8" })).toMatchObject({
      status: 0,
      stderr: "",
    });
  });

  test.skipIf(!isInstalled(shell)).each(cases)("%j", (line, words) => {
    folder = folderWith({ script, "flow.yaml": "" });
    const [command, args] = ask(join(folder, "script"), line);
    const env = { PATH: process.env["PATH"], HOME: folder, TERM: "dumb" };
    const { stdout, stderr } = spawnSync(command, args, { cwd: folder, env, encoding: "utf8", timeout: 20_000 });
    expect({ words: stdout.split("\n").filter(Boolean).sort(), stderr }).toEqual({
      words: [...words].sort(),
      stderr: "",
    });
  });
});

test("an unknown shell is a usage error", async () => {
  expect(await waybill(".", ["completion", "zs"])).toEqual({
    status: 2,
    out: "",
    err: "The shell must be one of bash, zsh, fish, not `zs`. Did you mean `zsh`?\n",
  });
});
