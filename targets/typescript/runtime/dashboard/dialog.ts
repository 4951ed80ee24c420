import type { Json } from "../json.ts";
import { RequestError } from "./api.ts";
import { type Child, fill, h } from "./dom.ts";

/** A dialog with a form. */
export interface FormDialog {
  readonly title: string;
  readonly body: readonly Child[];
  /** The label of the button that submits it. */
  readonly action: string;
  readonly isDangerous?: boolean;
  /** Does the work. The dialog stays open and shows the error if it rejects. */
  submit(): Promise<void>;
}

let dialogCount = 0;

/** Shows a dialog; Escape and Cancel close it. */
export function showDialog({ title, body, action, isDangerous = false, submit }: FormDialog): void {
  const problem = h("div", { class: "problem", role: "alert" });
  const button = h("button", { type: "submit", class: isDangerous ? "danger" : "primary" }, action);
  const cancel = h("button", { type: "button", onclick: () => dialog.close() }, "Cancel");
  dialogCount += 1;
  const id = `dialog-${dialogCount}`;
  const form = h(
    "form",
    { onsubmit: (event) => void act(event) },
    h("h2", { id }, title),
    ...body,
    problem,
    h("div", { class: "buttons" }, cancel, button),
  );
  const dialog = h("dialog", { "aria-labelledby": id, onclose: () => dialog.remove() }, form);

  async function act(event: Event): Promise<void> {
    event.preventDefault();
    button.disabled = true;
    fill(problem);
    try {
      await submit();
      dialog.close();
    } catch (thrown) {
      if (!(thrown instanceof RequestError)) throw thrown;
      fill(problem, h("strong", {}, thrown.title), h("span", {}, thrown.message));
    } finally {
      button.disabled = false;
    }
  }

  document.body.append(dialog);
  dialog.showModal();
}

/** A field of a dialog with its label. */
export function field(label: string, input: HTMLElement, help?: string): HTMLElement {
  return h("label", { class: "field" }, h("span", {}, label), input, help !== undefined && h("small", {}, help));
}

/** An editor of a JSON value. */
export interface JsonEditor {
  readonly element: HTMLTextAreaElement;
  /** The value. Throws a `RequestError` with the position of the error if it is not JSON. */
  value(): Json;
}

/** Creates an editor of a JSON value. */
export function createJsonEditor(label: string, initial: string): JsonEditor {
  const element = h("textarea", { "aria-label": label, rows: 10, spellcheck: "false", class: "editor" });
  element.value = initial;
  return {
    element,
    value() {
      try {
        const value = JSON.parse(element.value) as Json;
        element.removeAttribute("aria-invalid");
        return value;
      } catch (reason) {
        element.setAttribute("aria-invalid", "true");
        element.focus();
        throw new RequestError(0, "Not JSON", reason instanceof Error ? reason.message : String(reason));
      }
    },
  };
}
