/**
 * Whether a path matches a glob: `*`, `?`, `[…]`, `{a,b}` without nesting, and `**` for any folders. Linear in the path
 * for each star.
 */
export function matchesGlob(path: string, glob: string): boolean {
  const segments = path.split("/");
  return alternativesOf(glob).some((pattern) => matchesFolders(segments, pattern.split("/").map(segmentOf)));
}

/** A glob without wildcards names one file or folder. */
export const hasWildcards = (glob: string): boolean => /[*?[{]/.test(glob);

/** A glob may have at most this many alternatives, as groups multiply. */
const maxAlternatives = 1_000;

function alternativesOf(glob: string): readonly string[] {
  let all = [""];
  for (const part of glob.split(/(\{[^{}]*\})/)) {
    const choices = /^\{.*\}$/.test(part) ? part.slice(1, -1).split(",") : [part];
    all = all.flatMap((before) => choices.map((choice) => before + choice)).slice(0, maxAlternatives);
  }
  return all;
}

/** A character, a set of them, any one, or any number. */
type Token = { readonly kind: "one"; fits(character: string): boolean } | { readonly kind: "many" };

type Segment = readonly Token[] | "folders";

function segmentOf(text: string): Segment {
  if (text === "**") return "folders";
  const tokens: Token[] = [];
  for (const [part] of text.matchAll(/\*+|\?|\[!?\]?[^\]]*\]|[\s\S]/gu)) {
    if (part.startsWith("*")) tokens.push({ kind: "many" });
    else if (part === "?") tokens.push({ kind: "one", fits: () => true });
    else if (part.length > 1 && part.startsWith("[")) tokens.push({ kind: "one", fits: setOf(part.slice(1, -1)) });
    else tokens.push({ kind: "one", fits: (character) => character === part });
  }
  return tokens;
}

function setOf(text: string): (character: string) => boolean {
  const isNegated = text.startsWith("!");
  const members = [...text.slice(isNegated ? 1 : 0).matchAll(/([\s\S])-([\s\S])|[\s\S]/gu)].map(
    ([whole, from = whole, to = whole]) => [from, to] as const,
  );
  return (character) => members.some(([from, to]) => from <= character && character <= to) !== isNegated;
}

function matchesFolders(path: readonly string[], pattern: readonly Segment[]): boolean {
  const isHidden = (segment: string): boolean => segment.startsWith(".") || segment === "node_modules";
  return matchesSequence(
    path,
    pattern.map((segment) =>
      segment === "folders"
        ? { kind: "many", fits: (name: string) => !isHidden(name) }
        : { kind: "one", fits: (name: string) => matchesSequence([...name], segment) },
    ),
  );
}

/**
 * Matches items with a pattern in which `many` stands for any number of items. Backtracks only to the last one of
 * these.
 */
function matchesSequence<Item>(
  items: readonly Item[],
  pattern: readonly { readonly kind: "one" | "many"; readonly fits?: ((item: Item) => boolean) | undefined }[],
): boolean {
  const mayTake = (index: number, item: Item): boolean => pattern[index]!.fits?.(item) ?? true;
  let [at, next] = [0, 0];
  let retry: { readonly next: number; at: number } | undefined;
  while (at < items.length) {
    const wanted = pattern[next];
    if (wanted?.kind === "many") {
      retry = { next, at };
      next += 1;
    } else if (wanted?.fits?.(items[at]!)) {
      at += 1;
      next += 1;
    } else if (retry && mayTake(retry.next, items[retry.at]!)) {
      retry.at += 1;
      at = retry.at;
      next = retry.next + 1;
    } else return false;
  }
  return pattern.slice(next).every(({ kind }) => kind === "many");
}
