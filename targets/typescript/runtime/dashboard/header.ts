import { h, setText } from "./dom.ts";
import type { Connection } from "./poll.ts";

/** The header of the page. */
export interface Header {
  readonly element: HTMLElement;
  /** Marks the current page, `runs` or `workflows`. */
  current(page: string): void;
  connection(state: Connection): void;
  /** Whether there is a token to forget. */
  signedIn(isSignedIn: boolean): void;
}

/** Creates the header. */
export function createHeader(signOut: () => void): Header {
  const links = ["runs", "workflows"].map((page) =>
    h("a", { href: `#/${page}`, class: "nav" }, page === "runs" ? "Runs" : "Workflows"),
  );
  const state = h("span", { class: "connection", role: "status" });
  const out = h("button", { class: "quiet", type: "button", onclick: signOut, hidden: true }, "Sign out");
  const nav = h("nav", { "aria-label": "Pages", hidden: true }, ...links);
  return {
    element: h("header", { class: "top" }, h("span", { class: "brand" }, "Waybill"), nav, state, out),
    current(page) {
      nav.hidden = page === "";
      for (const link of links)
        if (link.hash === `#/${page}`) link.setAttribute("aria-current", "page");
        else link.removeAttribute("aria-current");
    },
    connection(connection) {
      state.className = `connection ${connection ?? ""}`;
      setText(state, connection === "live" ? "Live" : connection === "lost" ? "Not reachable, retrying" : "");
    },
    signedIn(isSignedIn) {
      out.hidden = !isSignedIn;
    },
  };
}
