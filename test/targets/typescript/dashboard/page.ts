import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";
import { expect } from "vitest";
import { check, generate } from "../../../../src/compile.ts";
import { typescript } from "../../../../targets/typescript/index.ts";
import { languages } from "../../../languages.ts";

/** Where distributions install Chromium. */
const program = [
  process.env["CHROMIUM"] ?? "",
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
].find((path) => path !== "" && existsSync(path));

/** Why the tests of the page are skipped; undefined if there is a browser. */
export const whyNoBrowser = program === undefined ? "Chromium is not installed" : undefined;

/** Starts the browser. */
export const startBrowser = (): Promise<Browser> =>
  chromium.launch({ executablePath: program!, args: ["--no-sandbox", "--disable-dev-shm-usage"] });

/** A page of the dashboard, whose console errors and violations of its policy are collected. */
export interface OpenPage {
  readonly page: Page;
  readonly context: BrowserContext;
  /** Errors in the console, uncaught errors, and violations of the content security policy. */
  readonly errors: string[];
}

/** Opens a page without signing in. */
export async function openPage(browser: Browser, url: string, width = 1280): Promise<OpenPage> {
  const context = await browser.newContext({ viewport: { width, height: 800 } });
  const page = await context.newPage();
  const errors: string[] = [];
  page.on("console", (message) => message.type() === "error" && errors.push(message.text()));
  page.on("pageerror", (error) => errors.push(error.stack ?? error.message));
  page.on("dialog", (dialog) => {
    errors.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  await page.addInitScript(() => {
    const { addEventListener, console } = globalThis as unknown as {
      addEventListener(type: string, listener: (event: { readonly violatedDirective: string }) => void): void;
      readonly console: Console;
    };
    addEventListener("securitypolicyviolation", ({ violatedDirective }) => console.error(violatedDirective));
  });
  await page.goto(url);
  return { page, context, errors };
}

/** Opens a page and signs in with a token. */
export async function signIn(browser: Browser, url: string, token: string, hash = ""): Promise<OpenPage> {
  const opened = await openPage(browser, `${url}/${hash}`);
  await opened.page.getByLabel("Token").fill(token);
  await opened.page.getByRole("button", { name: "Continue" }).click();
  return opened;
}

/** The emitted files of the workflow `order`, with functions that fail for some customers. */
export async function orderProgram(): Promise<{ readonly [path: string]: string }> {
  const sources = [{ path: "order.yaml", text: readFileSync(join(import.meta.dirname, "order.yaml"), "utf8") }];
  const { program: order, diagnostics } = check({ sources, options: {} }, languages);
  expect(diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
  const { files } = await generate(order!, typescript);
  const emitted = Object.fromEntries(files.map(({ path, text }) => [path, text]));
  return { ...emitted, "functions.ts": functions };
}

const functions = `let isBroken = true;
export const functions = {
  async checkCustomer({ customer }, step) {
    if (customer === "busy" && step.attempt < 3)
      throw Object.assign(new Error("Too many requests."), { name: "CustomerServiceBusy" });
    return { status: "good", note: "<img src=x onerror=alert(1)>" };
  },
  rejectOrder: async () => ({}),
  reserveStock: async () => ({ warehouse: "w1" }),
  async reservePayment({ customer }) {
    if (customer !== "poor" || !isBroken) return { authorization: "p1" };
    isBroken = false;
    throw Object.assign(new Error("Declined <script>alert(1)</script>"), { name: "CardDeclined" });
  },
  shipLine: async ({ sku }) => ({ parcel: \`parcel-\${sku}\` }),
  notifyCustomer: async () => ({ sent: true }),
};
`;
