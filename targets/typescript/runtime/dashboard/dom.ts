/** A child of an element; strings become text, never markup. */
export type Child = Node | string | undefined | false;

/** Attributes by name; `on…` members are listeners. Undefined and false ones are absent, true ones are empty. */
export interface Attributes {
  readonly [name: string]: string | number | boolean | undefined | ((event: Event) => void);
}

/** Creates an element. */
export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(name.slice(2), value);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== undefined && value !== false) element.setAttribute(name, String(value));
  }
  element.append(...present(children));
  return element;
}

const present = (children: readonly Child[]): (Node | string)[] =>
  children.filter((child) => child !== undefined && child !== false);

/** Replaces the children of an element. */
export const fill = (element: Element, ...children: readonly Child[]): void =>
  element.replaceChildren(...present(children));

/** Sets the text of an element if it differs, so that selections and screen readers are undisturbed. */
export function setText(element: Element, text: string): void {
  if (element.textContent !== text) element.textContent = text;
}

/** Creates an SVG element. */
export function svg(tag: string, attributes: { readonly [name: string]: string | number }, ...children: Child[]) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
  element.append(...present(children));
  return element;
}

/** The outlines of icons on a grid of 16 × 16. */
const outlines = {
  running: "M8 2a6 6 0 1 1-6 6",
  waiting: "M8 2a6 6 0 1 0 0 12a6 6 0 1 0 0-12M8 4.8V8l2.2 1.6",
  succeeded: "M8 2a6 6 0 1 0 0 12a6 6 0 1 0 0-12M5.4 8.2l1.8 1.8l3.4-3.8",
  failed: "M8 2a6 6 0 1 0 0 12a6 6 0 1 0 0-12M6 6l4 4M10 6l-4 4",
  cancelled: "M8 2a6 6 0 1 0 0 12a6 6 0 1 0 0-12M3.8 3.8l8.4 8.4",
  stranded: "M8 2.2L14 13H2zM8 6.4v3M8 11.2v.2",
  copy: "M6 6h7v7H6zM10 6V3H3v7h3",
  event: "M2.5 4h11v8h-11zM2.5 4.5L8 9l5.500-4.500",
  search: "M7 2.500a4.500 4.500 0 1 0 0 9a4.500 4.500 0 1 0 0-9M10.300 10.300L14 14",
} as const;

/** The name of an icon. */
export type IconName = keyof typeof outlines;

/** Creates an icon; the text next to it carries the meaning. */
export const icon = (name: IconName) =>
  svg(
    "svg",
    { viewBox: "0 0 16 16", class: `icon icon-${name}`, "aria-hidden": "true" },
    svg("path", { d: outlines[name] }),
  );
