import type { Json } from "../json.ts";
import { h } from "./dom.ts";
import { bytes } from "./format.ts";

/** Longer values are shown in part until the reader requests the rest. */
const shownLength = 20_000;

const token = /("(?:[^"\\]|\\.)*")(\s*:)?|\b(?:true|false|null)\b|-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?/g;

/** A JSON value with colors and a button that copies it. */
export function jsonView(value: Json): HTMLElement {
  const text = JSON.stringify(value, undefined, 2);
  const pre = h("pre", { class: "json", tabindex: 0, "aria-label": "JSON" });
  pre.append(...colored(text.slice(0, shownLength)));
  const rest =
    text.length > shownLength &&
    h(
      "button",
      { type: "button", class: "link", onclick: ({ target }) => showAll(pre, text, target) },
      `Show all ${bytes(text.length)}`,
    );
  return h("div", { class: "json-view" }, pre, copyButton(text), rest);
}

/** A button that copies a string. */
export function copyButton(text: string, label = "Copy"): HTMLButtonElement {
  const button = h("button", { type: "button", class: "copy", onclick: () => void copy() }, label);
  async function copy(): Promise<void> {
    button.textContent = (await isCopied(text)) ? "Copied" : "Not permitted";
    setTimeout(() => {
      button.textContent = label;
    }, 1500);
  }
  return button;
}

/** Copies a string. The clipboard is available only to pages over HTTPS or of this machine. */
async function isCopied(text: string): Promise<boolean> {
  const { clipboard }: { readonly clipboard?: Clipboard } = navigator;
  return (
    clipboard?.writeText(text).then(
      () => true,
      () => false,
    ) ?? false
  );
}

function showAll(pre: HTMLElement, text: string, button: EventTarget | null): void {
  pre.textContent = text;
  if (button instanceof Element) button.remove();
}

/** The tokens of JSON as elements with classes. */
function colored(text: string): (Node | string)[] {
  const parts: (Node | string)[] = [];
  let end = 0;
  for (const match of text.matchAll(token)) {
    const [found, string, colon] = match;
    parts.push(text.slice(end, match.index));
    const kind = string === undefined ? "literal" : colon === undefined ? "string" : "member";
    parts.push(h("span", { class: kind }, string ?? found), colon ?? "");
    end = match.index + found.length;
  }
  return [...parts, text.slice(end)];
}
