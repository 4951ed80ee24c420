/** A part of the page that F6 can focus. */
export interface FocusablePart {
  readonly element: Element | null;
  focus(): void;
}

/** What the keys of the page do. */
export interface KeyActions {
  /** In the order in which F6 visits them. */
  readonly parts: readonly FocusablePart[];
  /** Goes to the next or the previous step of a run; returns whether there is a run. */
  step(by: 1 | -1): boolean;
}

/** Handles F6 and Alt with an arrow in the whole page. */
export function handleKeys({ parts, step }: KeyActions): void {
  document.addEventListener("keydown", (event) => {
    const isArrow = event.altKey && (event.key === "ArrowLeft" || event.key === "ArrowRight");
    if (event.key === "F6") {
      event.preventDefault();
      focusPart(parts, event.shiftKey ? -1 : 1);
    } else if (isArrow && step(event.key === "ArrowLeft" ? -1 : 1)) event.preventDefault();
  });
}

function focusPart(parts: readonly FocusablePart[], by: number): void {
  const at = parts.findIndex(({ element }) => element?.contains(document.activeElement));
  const next = at < 0 ? 0 : (at + by + parts.length) % parts.length;
  parts[next]?.focus();
}

/** Focuses the element of the first selector that has one. */
export const focusFirst = (...selectors: readonly string[]): void =>
  selectors
    .map((selector) => document.querySelector<HTMLElement>(selector))
    .find((found) => found !== null)
    ?.focus();
