// Makes the screenshots of the README with Chromium: `node --no-warnings test/playground/screenshots.ts`. Look at them
// before they are committed.

import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { servePlayground } from "../../src/cli/playground.ts";
import { startBrowser } from "../targets/typescript/dashboard/page.ts";
import { temporarySite } from "./site.ts";

const folder = join(import.meta.dirname, "../../.github");

/** The first example: an order in Serverless Workflow 1.0. */
const screenshots: { readonly [file: string]: { readonly dark: boolean; prepare(page: Page): Promise<void> } } = {
  "playground-run.png": {
    dark: false,
    async prepare(page) {
      await page.getByRole("tab", { name: "Picture" }).click();
      await page.getByRole("button", { name: /two lines are shipped/ }).click();
      const step = page.getByRole("list", { name: "Steps" }).getByRole("button", { name: /reservePayment/ });
      await step.first().click();
      await page.locator(".picture .is-current").first().waitFor();
    },
  },
  "playground-mistake.png": {
    dark: true,
    async prepare(page) {
      await page.getByRole("textbox", { name: "Definition" }).focus();
      await page.keyboard.press("ControlOrMeta+f");
      await page.keyboard.type("then: reserve }");
      await page.keyboard.press("Enter");
      await page.keyboard.press("Escape");
      await page.keyboard.insertText("then: reserv }");
      const mistake = page.locator(".definition .cm-lintRange-error");
      await mistake.waitFor();
      await page.locator(".definition .status").focus();
      await mistake.hover();
      await page.locator(".cm-tooltip-lint").waitFor();
    },
  },
};

const [browser, site] = await Promise.all([startBrowser(), temporarySite()]);
const server = await servePlayground(site.folder, 0);
try {
  for (const [file, { dark, prepare }] of Object.entries(screenshots)) {
    const page = await openLoaded(browser, server.url, dark);
    await prepare(page);
    await page.waitForTimeout(1000);
    await page.screenshot({ path: join(folder, file) });
    await page.close();
  }
} finally {
  await browser.close();
  await server.close();
  site.remove();
}

/** Opens the page after its first result. */
async function openLoaded(on: Browser, url: string, dark: boolean): Promise<Page> {
  const page = await on.newPage({ viewport: { width: 1160, height: 720 }, colorScheme: dark ? "dark" : "light" });
  await page.goto(url);
  await page.locator("html[data-ready]").waitFor();
  return page;
}
