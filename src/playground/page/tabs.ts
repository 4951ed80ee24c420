import { h } from "./dom.ts";

/** A tab list, as the ARIA practices describe it: arrow keys move the selection. */
export interface Tabs<Name extends string> {
  readonly element: HTMLElement;
  selected(): Name;
  select(name: Name): void;
}

/** Creates tabs over one panel. */
export function createTabs<Name extends string>(
  label: string,
  names: readonly (readonly [Name, string])[],
  panel: HTMLElement,
  onSelect: (name: Name) => void,
): Tabs<Name> {
  let current = names[0]![0];
  const buttons = new Map(
    names.map(([name, title]) => {
      const id = `tab-${label.toLowerCase().replace(/\W+/g, "-")}-${name}`;
      const attributes = { type: "button", role: "tab", id, "aria-controls": panel.id, class: "tab" };
      return [name, h("button", { ...attributes, onclick: () => choose(name) }, title)] as const;
    }),
  );
  const element = h(
    "div",
    { class: "tabs", role: "tablist", "aria-label": label, onkeydown: move },
    ...buttons.values(),
  );
  panel.setAttribute("role", "tabpanel");
  select(current);

  function select(name: Name): void {
    current = name;
    for (const [each, button] of buttons) {
      button.setAttribute("aria-selected", String(each === name));
      button.tabIndex = each === name ? 0 : -1;
      if (each === name) panel.setAttribute("aria-labelledby", button.id);
    }
  }

  function choose(name: Name): void {
    if (name === current) return;
    select(name);
    onSelect(name);
  }

  function move(event: Event): void {
    if (!(event instanceof KeyboardEvent)) return;
    const at = names.findIndex(([name]) => name === current);
    const next = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: names.length - 1 }[event.key];
    if (next === undefined) return;
    event.preventDefault();
    const [name] = names[(next + names.length) % names.length]!;
    choose(name);
    buttons.get(name)?.focus();
  }

  return { element, selected: () => current, select };
}
