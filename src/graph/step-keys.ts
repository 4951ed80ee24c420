/**
 * The pattern of a step key that a program records: the key without the counters of repeated steps and the numbers of
 * iterations. `Ask#3`, `Ask#retry#2` and `Ask#token` are `Ask`; `Each#[4]/Ship` is `Each#[]/Ship`; `Reserve#Stock/Ask#2` is
 * `Reserve#Stock/Ask`; `Pay#/Ask`, a step of the subflow that `Pay` started, is `Pay`. A `#` in the name of a branch is
 * doubled in keys and in patterns.
 */
export function patternOfKey(key: string): string {
  let pattern = "";
  for (let at = 0; at < key.length; ) {
    const next = key.indexOf("#", at);
    if (next < 0) return pattern + key.slice(at);
    pattern += key.slice(at, next);
    if (key[next + 1] === "/") return pattern;
    if (key[next + 1] === "#") {
      pattern += "##";
      at = next + 2;
      continue;
    }
    at = endOfMark(key, next + 1);
    const mark = key.slice(next + 1, at);
    if (key[at] === "/") pattern += `#${iteration.test(mark) ? "[]" : mark}`;
    else if (!counter.test(mark)) pattern += `#${mark}`;
  }
  return pattern;
}

/** The prefix of the patterns in a branch of a step. */
export const branchPrefix = (pattern: string, branch: string): string => {
  const doubled = branch.replaceAll("#", "##");
  return patternOfKey(`${pattern}#${branch.includes("/") ? doubled.replaceAll("/", "#/") : doubled}/`);
};

/** The prefix of the patterns in the iterations of a step. */
export const iterationPrefix = (pattern: string): string => `${pattern}#[]/`;

/** A mark ends before the next `/` or single `#`. In it, `##` is a `#` and `#/` is a `/`. */
function endOfMark(key: string, start: number): number {
  for (let at = start; at < key.length; at++) {
    if (key[at] === "/") return at;
    if (key[at] !== "#") continue;
    const isCounted = key[at + 1] === "/" && counter.test(key.slice(start, at));
    if (isCounted || (key[at + 1] !== "#" && key[at + 1] !== "/")) return at;
    at += 1;
  }
  return key.length;
}

const iteration = /^\[\d*\]$/;
const counter = /^(?:\d+|retry|time|timeout|token|answer|gap|rest)$/;
