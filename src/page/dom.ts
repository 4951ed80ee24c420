// Elements of pages: the playground, and the dashboard of programs.

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

/** Sets the content of an element if it differs, so that selections and screen readers are undisturbed. */
export function setText(element: Element, text: string): void {
  if (element.textContent !== text) element.textContent = text;
}

/** Creates an SVG element. */
export function svg(
  tag: string,
  attributes: { readonly [name: string]: string | number },
  ...children: readonly Child[]
): SVGElement {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
  element.append(...present(children));
  return element;
}

/** Creates an icon with an outline on a grid of 16 × 16; the text next to it carries the meaning. */
export const outlinedIcon = (name: string, outline: string): SVGElement =>
  svg("svg", { viewBox: "0 0 16 16", class: `icon icon-${name}`, "aria-hidden": "true" }, svg("path", { d: outline }));
