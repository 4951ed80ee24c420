import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

// Comments, documentation and messages use the words of `src/glossary.md`. Each entry is a word or phrase that this project does not use, and what to write
// instead. Quoted code (`…`) is not checked.

const words: readonly (readonly [pattern: RegExp, replacement: string])[] = [
  [/\b(?:is|are|was|were|be|been) told\b(?! apart)|\btells\b/gi, "reports, logs, prints, returns, documents"],
  [/\bstands\b(?! for)/gi, "is, appears"],
  [/\bgo(?:es)? on\b|\bwent on\b/gi, "continues, resumes"],
  [/\bmend(?:s|ed|ing)?\b/gi, "fix"],
  [/\bremarks?\b/gi, "info"],
  [/\b(?:a|each|any|no|other) texts?\b(?! (?:file|sample|editor))|\btexts\b/gi, "string, source text, file"],
  [/\b(?:ways? out|each way|every way)\b/gi, "path, edge, exit"],
  [/\bholes?\b/gi, "interpolation"],
  [/\bpass(?:ed|es) over\b/gi, "skipped"],
  [/\bput aside\b/gi, "dead-lettered"],
  [/\b(?:is|are|was|were) no\b(?! (?:longer|such|order|need))/gi, "is not a"],
  [/\b(?<!(?:any|one|each|all|some) )of which\b/gi, "whose"],
  [/\btime-outs?\b/gi, "timeout"],
  [/\bthere (?:is|are) none\b|\bwhere there (?:is|are)\b/gi, "if omitted; if there is no …"],
  [/\bbe it\b/gi, "including, even if"],
  [/\bis asked\b|\basks (?:again|for|whether|what)\b/gi, "checks, queries, requests"],
  [/\bbeside\b/gi, "next to, in addition to, except for"],
  [/\bwhoever\b|\bwho (?:runs|calls|hears|goes|executes)\b/gi, "name the actor: the caller, the run, another process"],
  [/\bhears\b|\bheard\b/gi, "receives, observes, subscribes"],
  [/\bby (?:itself|themselves)\b/gi, "automatically, on its own"],
  [/(?<!")\bnobody\b/gi, "name the actor"],
  [/\bleaves? out\b|\bleft out\b/gi, "omits, skips"],
  [/\b(?:becomes?|comes?) of\b/gi, "results from"],
  [/\bfor ever\b/gi, "indefinitely"],
];

/** Files whose subject is replaced as a whole in a later change, which brings its own words. The list may only become shorter. */
const later = /^targets\/typescript\/runtime\/(?:functions|main|server)\//;

const root = join(import.meta.dirname, "..");

const files = execFileSync("git", ["ls-files"], { cwd: root, encoding: "utf8", maxBuffer: 1 << 28 })
  .split("\n")
  .filter(
    (path) =>
      /\.(?:[mc]?[jt]s|md|hbs|json)$/.test(path) &&
      !/^golden\/|^CHANGELOG|lock\.json$|\/vocabulary\.test\.ts$|^src\/glossary\.md$/.test(path),
  )
  .filter((path) => !later.test(path) && existsSync(join(root, path)));

/** The prose of a file: its comments, its Markdown, the messages of diagnostics, the descriptions of a schema. */
function proseOf(path: string, text: string): string {
  if (path.endsWith(".md") || path.endsWith(".hbs"))
    return text.replace(/^```[\s\S]*?^```/gm, " ").replace(/`[^`\n]*`/g, " ");
  if (path.endsWith(".json"))
    return [...text.matchAll(/"description": "((?:[^"\\]|\\.)*)"/g)].map(([, found]) => found).join("\n");
  const comments = [...text.matchAll(/\/\*\*?([\s\S]*?)\*\/|(?:^|\s)\/\/(?!\/)([^\n]*)/g)].map(([, block, line]) =>
    (block ?? line)!.replace(/^\s*\*/gm, " "),
  );
  const messages = /\/diagnostics\//.test(path)
    ? [...text.matchAll(/["`]([A-Z][^"`\n]{20,})["`]/g)].map(([, found]) => found!)
    : [];
  return [...comments, ...messages].join("\n").replace(/`[^`\n]*`/g, " ");
}

test("comments, documentation and messages use the project's vocabulary", () => {
  const found = files.flatMap((path) => {
    const prose = proseOf(path, readFileSync(join(root, path), "utf8"));
    return words.flatMap(([pattern, replacement]) =>
      [...prose.matchAll(pattern)].map(({ 0: word, index }) => {
        const around = prose.slice(Math.max(0, index - 40), index + 40).replace(/\s+/g, " ");
        return `${path}: "${word}" in "…${around}…": write ${replacement}`;
      }),
    );
  });
  expect(found).toEqual([]);
});
