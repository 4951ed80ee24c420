import { fill, h } from "./dom.ts";
import { renderMarkdown } from "./markdown.ts";

/** A dialog with the page of a diagnostic. */
export interface Explanation {
  readonly dialog: HTMLDialogElement;
  show(page: string): void;
}

/** Creates the dialog. */
export function createExplanation(): Explanation {
  const content = h("div", { class: "page" });
  const close = h("button", { type: "button", onclick: () => dialog.close() }, "Close");
  const dialog: HTMLDialogElement = h(
    "dialog",
    { class: "wide", "aria-label": "Explanation", onclick: ({ target }) => target === dialog && dialog.close() },
    h("div", { class: "card" }, content, close),
  );
  return {
    dialog,
    show(page) {
      fill(content, renderMarkdown(page));
      dialog.showModal();
    },
  };
}
