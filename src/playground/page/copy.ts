import { h } from "./dom.ts";

/** A button that copies a string. */
export function copyButton(text: () => string, label = "Copy"): HTMLButtonElement {
  const button = h("button", { type: "button", class: "small", onclick: () => void copy() }, label);
  async function copy(): Promise<void> {
    button.textContent = (await isCopied(text())) ? "Copied" : "Not permitted";
    setTimeout(() => {
      button.textContent = label;
    }, 1500);
  }
  return button;
}

/** Copies a string. The clipboard is available only to pages over HTTPS or of this machine. */
export async function isCopied(text: string): Promise<boolean> {
  const { clipboard }: { readonly clipboard?: Clipboard } = navigator;
  return (
    clipboard?.writeText(text).then(
      () => true,
      () => false,
    ) ?? false
  );
}
