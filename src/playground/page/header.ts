import { isCopied } from "./copy.ts";
import { fill, h, type IconName, icon } from "./dom.ts";
import type { ExampleEntry } from "./examples.ts";

/** The header of the page. */
export interface Header {
  readonly element: HTMLElement;
  showExamples(examples: readonly ExampleEntry[]): void;
  /** Selects an example; undefined after it was edited. */
  selectExample(name: string | undefined): void;
}

const themes = ["auto", "light", "dark"] as const;
const themeTitles = { auto: "Colors of the system", light: "Light colors", dark: "Dark colors" } as const;

/** Creates the header. */
export function createHeader(openExample: (name: string) => void): Header {
  const select = h("select", {
    "aria-label": "Example",
    onchange: () => select.value !== "" && openExample(select.value),
  });
  const shortcuts = createHelp();
  const element = h(
    "header",
    { class: "top" },
    h("a", { class: "skip", href: "#", onclick: skip }, "Skip to the definition"),
    h("h1", { class: "brand" }, "Waybill", h("span", {}, " playground")),
    select,
    h("span", { class: "spacer" }),
    shareButton(),
    themeButton(),
    h(
      "button",
      {
        type: "button",
        class: "quiet",
        title: "Keyboard",
        "aria-label": "Keyboard",
        onclick: () => shortcuts.showModal(),
      },
      icon("help"),
    ),
    shortcuts,
  );
  return {
    element,
    showExamples(examples) {
      const groups = Map.groupBy(examples, ({ language }) => language);
      fill(
        select,
        h("option", { value: "", hidden: true }, "Your own definition"),
        ...[...groups].map(([language, entries]) =>
          h("optgroup", { label: language }, ...entries.map(({ name, title }) => h("option", { value: name }, title))),
        ),
      );
    },
    selectExample(name) {
      select.value = name ?? "";
    },
  };
}

function skip(event: Event): void {
  event.preventDefault();
  document.querySelector<HTMLElement>(".definition .editor")?.focus();
}

function shareButton(): HTMLElement {
  const label = h("span", {}, "Copy link");
  const share = async (): Promise<void> => {
    label.textContent = (await isCopied(location.href)) ? "Copied" : "Copy the address";
    setTimeout(() => {
      label.textContent = "Copy link";
    }, 1500);
  };
  return h("button", { type: "button", class: "quiet", onclick: () => void share() }, icon("link"), label);
}

/** The colors are remembered on this device. */
function themeButton(): HTMLElement {
  let current: IconName & (typeof themes)[number] = themes.find((theme) => theme === stored()) ?? "auto";
  const button = h("button", { type: "button", class: "quiet", onclick: next });
  show();

  function next(): void {
    current = themes[(themes.indexOf(current) + 1) % themes.length]!;
    try {
      localStorage.setItem("theme", current);
    } catch {
      // Browsers may forbid storage; the choice then lasts until the page is closed.
    }
    show();
  }

  function show(): void {
    document.documentElement.dataset["theme"] = current;
    fill(button, icon(current));
    button.title = themeTitles[current];
    button.setAttribute("aria-label", themeTitles[current]);
  }

  return button;
}

function stored(): string | null {
  try {
    return localStorage.getItem("theme");
  } catch {
    return null;
  }
}

const keys: readonly (readonly [string, string])[] = [
  ["F6, Shift+F6", "next and previous part of the page"],
  ["Ctrl+Space", "complete"],
  ["F8, Shift+F8", "next and previous problem"],
  ["Ctrl+F", "search"],
  ["Alt+←, Alt+→", "previous and next step of the run"],
  ["← →", "in tabs: select"],
  ["↑ ↓", "in lists: select; on separators: resize"],
];

function createHelp(): HTMLDialogElement {
  const rows = keys.map(([key, meaning]) => h("div", {}, h("dt", {}, key), h("dd", {}, meaning)));
  const dialog: HTMLDialogElement = h(
    "dialog",
    { "aria-label": "Keyboard", onclick: ({ target }) => target === dialog && dialog.close() },
    h(
      "div",
      { class: "card" },
      h("h2", {}, "Keyboard"),
      h("dl", { class: "keys" }, ...rows),
      h("button", { type: "button", onclick: () => dialog.close() }, "Close"),
    ),
  );
  return dialog;
}
