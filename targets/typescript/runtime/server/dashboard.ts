import { dashboardFiles } from "../../../../src/generated/dashboard.js";
import type { Exchange } from "./handler.ts";
import { Refusal } from "./refusal.ts";

const types: { readonly [extension: string]: string } = {
  html: "text/html; charset=utf-8",
  css: "text/css; charset=utf-8",
  js: "text/javascript; charset=utf-8",
};

/** The page holds no data; its script requests them with a token. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src data:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types picture",
].join("; ");

/** Responds with a file of the dashboard. */
export function getDashboardFile({ request, response, options }: Exchange, name: string): void {
  const text = Object.hasOwn(dashboardFiles(), name) ? dashboardFiles()[name] : undefined;
  if (text === undefined) throw new Refusal(404, "Not found", "There is nothing at this path.");
  const isOpen = options.token === undefined && options.credentials === undefined;
  const file = name === "index.html" && isOpen ? text.replace('data-token="required"', 'data-token="none"') : text;
  const tag = tagOf(file);
  const headers = {
    "content-type": types[name.slice(name.lastIndexOf(".") + 1)]!,
    "cache-control": "no-cache",
    etag: tag,
    "content-security-policy": policy,
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
  };
  if (request.headers["if-none-match"] === tag) response.writeHead(304, headers).end();
  else response.writeHead(200, { ...headers, "content-length": Buffer.byteLength(file) }).end(file);
}

const tagOf = (text: string): string =>
  `"${process.getBuiltinModule("node:crypto").createHash("sha256").update(text).digest("base64url").slice(0, 22)}"`;
