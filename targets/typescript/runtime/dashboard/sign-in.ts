import type { RequestError } from "./api.ts";
import type { View } from "./app.ts";
import { h } from "./dom.ts";

/** A form for the token. The token is sent only to this server, and kept until the tab is closed. */
export function createSignInView(message: string | undefined, enter: (token: string) => Promise<void>): View {
  const input = h("input", {
    id: "token",
    type: "password",
    autocomplete: "off",
    required: true,
    spellcheck: "false",
    "aria-describedby": "token-help",
  });
  const button = h("button", { class: "primary", type: "submit" }, "Continue");
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    const token = input.value.trim();
    if (token === "" || /\s|[^\x20-\x7e]/.test(token)) return input.focus();
    button.disabled = true;
    await enter(token).finally(() => {
      button.disabled = false;
    });
  };
  const form = h(
    "form",
    { class: "card sign-in", onsubmit: (event) => void submit(event) },
    h("h1", {}, "Sign in"),
    message !== undefined && h("p", { class: "error", role: "alert" }, message),
    h("label", { for: "token" }, "Token"),
    input,
    h(
      "p",
      { id: "token-help", class: "help" },
      "The server prints a token when it starts, or has the one of its configuration. This tab forgets it when it is closed.",
    ),
    button,
  );
  requestAnimationFrame(() => input.focus());
  return { title: "Sign in", element: h("div", { class: "center" }, form), close: () => undefined };
}

/** Shows why there is nothing else to show. */
export function createFailureView(error: RequestError, again?: () => Promise<void>): View {
  const element = h(
    "div",
    { class: "center" },
    h(
      "div",
      { class: "card", role: "alert" },
      h("h1", {}, error.title),
      h("p", {}, error.message),
      again && h("button", { class: "primary", type: "button", onclick: () => void again() }, "Try again"),
    ),
  );
  return { title: error.title, element, close: () => undefined };
}
