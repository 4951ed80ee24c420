import type { Access, Api } from "./api.ts";
import { h } from "./dom.ts";
import { createHeader, type Header } from "./header.ts";
import type { Connection } from "./poll.ts";

/** A view of the page. */
export interface View {
  readonly title: string;
  readonly element: HTMLElement;
  /** Ends its requests and timers. */
  close(): void;
}

/** What views need. */
export interface App {
  readonly api: Api;
  readonly access: Access;
  /** The address of the list of runs with the filters that it had last. */
  readonly list: { address: string };
  /** Shows whether the data are current. */
  connection(state: Connection): void;
  /** Announces a message for a few seconds, also to screen readers. */
  notify(message: string, kind?: "info" | "error"): void;
}

/** The frame of the page: header, view and messages. */
export interface Frame {
  readonly header: Header;
  show(view: View): void;
  notify: App["notify"];
}

const messageTime = 6000;

/** Creates the frame in the body of the page. */
export function createFrame(signOut: () => void): Frame {
  const header = createHeader(signOut);
  const main = h("main", { id: "main", tabindex: -1 });
  const messages = h("div", { class: "messages", role: "status", "aria-live": "polite" });
  const skip = h("a", { class: "skip", href: "#main", onclick: focusMain }, "Skip to content");
  document.body.replaceChildren(skip, header.element, main, messages);
  let shown: View | undefined;

  function focusMain(event: Event): void {
    event.preventDefault();
    main.focus();
  }

  return {
    header,
    show(view) {
      shown?.close();
      document.title = view.title;
      main.replaceChildren(view.element);
      if (shown) main.focus({ preventScroll: true });
      shown = view;
    },
    notify(message, kind = "info") {
      const element = h("p", { class: `message ${kind}` }, message);
      messages.append(element);
      setTimeout(() => element.remove(), messageTime);
    },
  };
}
