import { createSearcher } from "../library/backtracking.ts";

/** A regular expression of JSONata whose searches take bounded time; beyond that, they fail. */
export class BoundedRegExp extends RegExp {
  /** JSONata passes numbers, too. */
  override exec(value: unknown): RegExpExecArray | null {
    const text = String(value);
    const searcher = createSearcher(this.source, this.flags, text);
    if (searcher instanceof RegExp) return super.exec(text);
    searcher.lastIndex = this.lastIndex;
    const found = searcher.exec(text);
    this.lastIndex = searcher.lastIndex;
    return found;
  }
}
