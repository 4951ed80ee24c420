import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { deflateRawSync, inflateRawSync } from "node:zlib";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { type PlaygroundServer, servePlayground } from "../../src/cli/playground.ts";
import { openPage, startBrowser, whyNoBrowser } from "../targets/typescript/dashboard/page.ts";
import { temporarySite } from "./site.ts";

// The playground in a real browser. Errors in the console and violations of its policy fail a test.

describe.skipIf(whyNoBrowser !== undefined)(
  `the playground${whyNoBrowser ? ` (skipped: ${whyNoBrowser})` : ""}`,
  { timeout: 60_000 },
  () => {
    let browser: Browser;
    let server: PlaygroundServer;
    let site: Awaited<ReturnType<typeof temporarySite>>;
    beforeAll(async () => {
      [browser, site] = await Promise.all([startBrowser(), temporarySite()]);
      server = await servePlayground(site.folder, 0);
    }, 120_000);
    afterAll(async () => {
      await browser?.close();
      await server?.close();
      site?.remove();
    });

    /** Opens the page with the draft of 2020's example, unless the hash describes something else. */
    async function open(
      hash = linkTo({ example: "serverless-workflow/order-process" }),
      width = 1280,
    ): Promise<{ readonly page: Page; readonly errors: readonly string[] }> {
      const { page, context, errors } = await openPage(browser, `${server.url}${hash}`, width);
      onTestFinished(() => context.close());
      await page.locator("html[data-ready]").waitFor();
      return { page, errors };
    }

    const definition = (page: Page) => page.getByRole("textbox", { name: "Definition" });
    const status = (page: Page) => page.locator(".definition .status");

    /** Selects a string in the definition and types another one over it. */
    async function replace(page: Page, old: string, now: string): Promise<void> {
      await definition(page).focus();
      await page.keyboard.press("ControlOrMeta+f");
      await page.keyboard.type(old);
      await page.keyboard.press("Enter");
      await page.keyboard.press("Escape");
      await page.keyboard.insertText(now);
    }

    /** Leaves the editor, which closes its completions: they may cover what is below it. */
    const blur = (page: Page) => page.locator(".definition .status").focus();

    /** The hash of a link, as the page writes it. */
    const linkTo = (state: object): string => `#${deflateRawSync(JSON.stringify(state)).toString("base64url")}`;

    const stateIn = (page: Page): unknown => {
      const bytes = Buffer.from(new URL(page.url()).hash.slice(1), "base64url");
      return JSON.parse(inflateRawSync(bytes).toString());
    };

    /** What the editor marks as wrong. */
    const marked = (page: Page) => page.locator(".definition .cm-lintRange-error").allTextContents();

    test("a mistake is marked at its place, explained, and disappears when it is fixed", async () => {
      const { page, errors } = await open();
      await eventually(() => status(page).textContent()).toContain("No errors");
      await replace(page, "nextState: Decide", "nextState: Decid");
      await eventually(() => status(page).textContent()).toBe("1 error");
      await eventually(() => marked(page)).toEqual(["Decid"]);
      const problem = page.getByRole("list", { name: "Problems of the definition" }).getByRole("listitem").first();
      expect(await problem.textContent()).toContain("Did you mean Decide?");
      expect(await problem.textContent()).toContain("22:");
      await page.getByText("There is no state machine for AWS Step Functions because of 1 error:").waitFor();
      await blur(page);
      await problem.getByRole("button", { name: "WB2001" }).click();
      await page.getByRole("dialog").getByText("What it means").waitFor();
      await page.keyboard.press("Escape");
      await replace(page, "nextState: Decid", "nextState: Decide");
      await eventually(() => status(page).textContent()).toContain("No errors");
      await eventually(() => marked(page)).toEqual([]);
      expect(errors).toEqual([]);
    });

    test("a fix is applied by a button", async () => {
      const { page, errors } = await open();
      await replace(page, "transition: { nextState: Decide", "transitoin: { nextState: Decide");
      await blur(page);
      await page.getByRole("button", { name: "Fix", exact: true }).first().click();
      await eventually(() => status(page).textContent()).toContain("No errors");
      expect(errors).toEqual([]);
    });

    test("all outputs are shown", async () => {
      const { page, errors } = await open();
      const output = page.getByRole("textbox", { name: "Output" });
      await eventually(() => output.textContent()).toContain('"QueryLanguage": "JSONata"');
      await page.getByRole("tab", { name: "Program" }).click();
      await eventually(() => output.textContent()).toContain("defineWorkflow");
      await page.getByLabel("File", { exact: true }).first().selectOption({ index: 1 });
      await eventually(() => output.textContent()).not.toContain("defineWorkflow,");
      await page.getByRole("tab", { name: "Composition" }).click();
      await eventually(() => output.textContent()).toContain('"Entry"');
      await page.getByRole("tab", { name: "IR" }).click();
      await eventually(() => output.textContent()).toContain("workflow order-process");
      await page.getByRole("tab", { name: "Picture" }).click();
      await page.getByRole("img", { name: /From an order to its parcels/ }).waitFor();
      expect(errors).toEqual([]);
    });

    test("a run is stepped through: in the definition, in the picture, with its data", async () => {
      const { page, errors } = await open();
      await page.getByRole("button", { name: /the customer service is busy at first/ }).click();
      const steps = page.getByRole("list", { name: "Steps" });
      await steps.getByRole("button", { name: /2 min/ }).first().waitFor();
      await page.getByRole("button", { name: "First step" }).click();
      await page.locator(".picture .is-current[data-node='Check']").waitFor();
      expect(await page.locator(".cm-step").first().textContent()).toContain("name: Check");
      await steps.getByRole("button", { name: /ReservePayment/ }).click();
      expect(await page.locator(".cm-step").first().textContent()).toContain("name: ReservePayment");
      expect(await page.locator(".picture .is-current .wb-name").textContent()).toBe("ReservePayment");
      expect(await page.locator(".picture .is-taken[data-node='Decide']").count()).toBe(1);
      expect(await page.locator(".picture .is-taken[data-node='Notify']").count()).toBe(0);
      const details = page.getByRole("group", { name: "Step" });
      expect(await details.textContent()).toContain("at 3 s, took 3 s");
      expect(await details.locator(".added").allTextContents()).toContainEqual(expect.stringContaining("auth-8"));
      await page.getByRole("button", { name: "Outcome", exact: true }).click();
      expect(await details.textContent()).toContain("succeeded after 2 min 8 s");
      expect(errors).toEqual([]);
    });

    test("a reload restores what the address describes", async () => {
      const { page, errors } = await open();
      await replace(page, "From an order to its parcels", "Mine");
      await page.getByRole("button", { name: /the customer service is busy at first/ }).click();
      await page.getByRole("list", { name: "Steps" }).getByRole("button", { name: /2 min/ }).first().waitFor();
      await eventually(() => page.getByLabel("Example").inputValue()).toBe("");
      await page
        .getByRole("list", { name: "Steps" })
        .getByRole("button", { name: /ShipLine/ })
        .click();
      await eventually(() => stateIn(page)).toMatchObject({
        scenario: "the customer service is busy at first",
        step: 7,
        definition: { text: expect.stringContaining("name: Mine") },
      });
      await page.reload();
      await page.locator(".picture .is-current .wb-name").filter({ hasText: "ShipLine" }).waitFor();
      expect(await definition(page).textContent()).toContain("name: ShipLine");
      await page.getByRole("img", { name: /^Mine/ }).waitFor();
      expect(await page.getByRole("tab", { name: "Picture" }).getAttribute("aria-selected")).toBe("true");
      expect(errors).toEqual([]);
    });

    test("a link that is not a state, or expands without end, opens the first example", async () => {
      const bomb = `#${deflateRawSync(Buffer.alloc(30_000_000, " ")).toString("base64url")}`;
      for (const hash of ["#%%%", "#AAAA", bomb, linkTo([]), linkTo({ view: "x", definition: 7, step: -1 })]) {
        const { page, errors } = await open(hash);
        expect(await page.getByLabel("Example").inputValue()).not.toBe("");
        expect(errors).toEqual([]);
      }
    });

    test("the page opens with an example in Serverless Workflow 1.0, whose scenarios pass", async () => {
      const { page, errors } = await open("");
      expect(await page.locator(".language").textContent()).toContain("Serverless Workflow 1.0");
      await eventually(() => status(page).textContent()).toContain("No errors");
      await page.getByRole("button", { name: /two lines are shipped and received/ }).click();
      const steps = page.getByRole("list", { name: "Steps" });
      await steps
        .getByRole("button", { name: /receipt/ })
        .first()
        .click();
      await page.locator(".picture .is-current").waitFor();
      expect(await page.locator(".cm-step").first().textContent()).toContain("receipt:");
      expect(errors).toEqual([]);
    });

    test("another example opens in its language", async () => {
      const { page, errors } = await open();
      const options = page.getByLabel("Example").locator("optgroup[label^=YaWL] option");
      await page.getByLabel("Example").selectOption((await options.first().getAttribute("value"))!);
      await eventually(() => page.locator(".language").textContent()).toContain("YaWL");
      await eventually(() => status(page).textContent()).toContain("No errors");
      expect(errors).toEqual([]);
    });

    test("the page is used with the keyboard alone", async () => {
      const { page, errors } = await open();
      const focused = () => page.evaluate("document.activeElement?.textContent ?? ''");
      await page.keyboard.press("F6");
      await page.keyboard.press("ControlOrMeta+End");
      await page.keyboard.type("\nmetad");
      await page.locator(".cm-tooltip-autocomplete").getByText("metadata").waitFor();
      await page.waitForTimeout(150);
      await page.keyboard.press("Enter");
      await eventually(() => definition(page).textContent()).toContain("metadata: ");
      for (let i = 0; i < 8; i++) await page.keyboard.press("ControlOrMeta+z");
      await eventually(() => definition(page).textContent()).not.toContain("metad");
      await page.keyboard.press("F6");
      expect(await focused()).toBe("Machine");
      await page.keyboard.press("End");
      expect(await focused()).toBe("Picture");
      await page.getByRole("img").first().waitFor();
      await page.getByRole("list", { name: "Steps" }).getByRole("button", { name: /Check/ }).waitFor();
      await page.keyboard.press("F6");
      await page.keyboard.press("ArrowDown");
      await eventually(focused).toContain("Check");
      await page.keyboard.press("ArrowDown");
      await eventually(focused).toContain("Decide");
      await page.locator(".picture .is-current[data-node='Decide']").waitFor();
      await page.keyboard.press("Alt+ArrowLeft");
      await page.locator(".picture .is-current[data-node='Check']").waitFor();
      await page.keyboard.press("Shift+F6");
      expect(await focused()).toBe("Picture");
      expect(errors).toEqual([]);
    });

    test("hostile text of a definition never becomes markup", async () => {
      const hostile = `id: "<img src=x onerror=alert(1)>"
name: "</title><script>alert(2)</script>"
version: '1.0'
states:
- name: "<svg onload=alert(3)>"
  type: delay
  start: { kind: default }
  timeDelay: PT1S
  transition: { nextState: "<iframe src='javascript:alert(4)'>" }
`;
      const { page, errors } = await open(linkTo({ definition: { path: "<b>.yaml", text: hostile }, view: "picture" }));
      await eventually(() => status(page).textContent()).toMatch(/error/);
      await page.getByRole("img").first().waitFor();
      expect(await page.locator("img, iframe, body script, [onload], [onerror]").count()).toBe(0);
      expect(await page.locator(".picture").textContent()).toContain("<svg onload=alert(3)>");
      expect(errors).toEqual([]);
    });

    test("after the first visit, the page opens without a network", async () => {
      const { page, context, errors } = await openPage(browser, server.url);
      onTestFinished(() => context.close());
      await page.evaluate("navigator.serviceWorker.ready");
      await page.reload();
      await page.locator("html[data-ready]").waitFor();
      await context.setOffline(true);
      await page.reload();
      await page.locator("html[data-ready]").waitFor();
      await eventually(() => status(page).textContent()).toContain("No errors");
      expect(errors.filter((error) => !error.includes("ERR_INTERNET_DISCONNECTED"))).toEqual([]);
    });

    test("a narrow window shows one part below the other", async () => {
      const { page, errors } = await open(undefined, 400);
      const [left, right] = await Promise.all(
        [".definition", ".outputs"].map((part) => page.locator(part).boundingBox()),
      );
      expect(right!.y).toBeGreaterThanOrEqual(left!.y + left!.height - 1);
      expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(400);
      expect(errors).toEqual([]);
    });

    test("the first result comes soon, and its time is printed next to that of an empty worker", async () => {
      const empty = await serveEmptyWorker();
      onTestFinished(() => empty.close());
      const times: { readonly worker: number; readonly result: number }[] = [];
      for (let i = 0; i < 5; i++) {
        const context = await browser.newContext();
        const page = await context.newPage();
        await page.goto(empty.url);
        const worker = (await page.evaluate(startEmptyWorker)) as number;
        await page.goto(server.url);
        await page.locator("html[data-ready]").waitFor();
        const result = (await page.evaluate("performance.getEntriesByName('compiler')[0].duration")) as number;
        times.push({ worker, result });
        await context.close();
      }
      const [worker, result] = [median(times.map((time) => time.worker)), median(times.map((time) => time.result))];
      console.log(`first result: ${result.toFixed(0)} ms, empty worker: ${worker.toFixed(0)} ms`);
      expect(result).toBeLessThan(10_000);
      // The goal is 20 times. Other work delays the compiler, which needs the processor, more than an empty worker.
      if (process.env["MEASURE_PLAYGROUND"]) expect(result / worker).toBeLessThanOrEqual(20);
    });
  },
);

/** Retries an assertion: other work of the machine may delay the page. */
const eventually = <Value>(value: () => Value) => expect.poll(value, { timeout: 20_000 });

const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1]!;

const startEmptyWorker = `new Promise((resolve) => {
  const began = performance.now();
  new Worker("worker.js", { type: "module" }).onmessage = () => resolve(performance.now() - began);
})`;

/** Serves a page with a worker that only sends a message. */
async function serveEmptyWorker(): Promise<{ readonly url: string; close(): void }> {
  const server = createServer(({ url }, response) => {
    const isScript = url === "/worker.js";
    response.setHeader("content-type", isScript ? "text/javascript" : "text/html");
    response.end(isScript ? "postMessage(1);" : "<!doctype html><title>Empty</title>");
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, close: () => void server.close() };
}
