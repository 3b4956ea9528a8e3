/** The page with a lab of more nodes than one request starts. */
import { existsSync } from "node:fs";
import type { Browser, Page, Route } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { largeLab } from "../bench/page/large-lab.ts";
import { BROWSER, violationsOf } from "../helpers/page/browser.ts";
import { joinBrowser, sharedService } from "../helpers/page/join.ts";

/** 16 switches with nine PCs each. */
const COLUMNS = 4;
const PCS = 144;

describe.skipIf(!existsSync(BROWSER))("a large lab (skipped without chromium)", () => {
  const stack = sharedService();
  let browser: Browser;
  let page: Page;
  let lab = "";

  const call = async <T>(method: string, path: string, body?: Uint8Array<ArrayBuffer>) => {
    const headers = { "content-type": "application/octet-stream" };
    const response = await fetch(`${stack.url}/v2${path}`, { method, ...(body && { body, headers }) });
    expect(response.ok, `${method} ${path}`).toBe(true);
    return response.json() as Promise<T>;
  };
  const started = async (): Promise<number> =>
    (await call<{ node_type: string; status: string }[]>("GET", `${lab}/nodes`)).filter(
      ({ node_type, status }) => node_type === "vpcs" && status === "started",
    ).length;

  /** Requests wait until the test lets them go. */
  const held: Route[] = [];
  const release = async () => {
    await expect.poll(() => held.length).toBe(1);
    await held.shift()!.continue();
  };

  beforeAll(async () => {
    const archive = new Uint8Array(largeLab(COLUMNS).archive);
    const { project_id } = await call<{ project_id: string }>(
      "POST",
      `/projects/${crypto.randomUUID()}/import?name=large`,
      archive,
    );
    lab = `/projects/${project_id}`;
    browser = await joinBrowser();
    page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
    page.setDefaultTimeout(60_000);
    await page.goto(`${stack.url}/v2/page#/labs/${project_id}`);
    await page.waitForFunction(() => performance.getEntriesByName("topology drawn").length > 0);
    await page.route(/\/nodes\/(start|stop)$/, (route) => void held.push(route));
  });

  afterAll(async () => {
    await browser?.close();
  });

  test("starts in batches, and keeps what was started when it is cancelled", async () => {
    await page.getByRole("button", { name: "Start all" }).click();
    await page.getByText(`Starting 0 of ${PCS}…`).waitFor();
    expect(await page.getByRole("button", { name: "Stop all" }).isDisabled()).toBe(true);
    expect(await violationsOf(page)).toEqual([]);
    await page.getByRole("button", { name: "Cancel" }).click();
    await page.getByText(`Starting 0 of ${PCS}, ending…`).waitFor();
    await release();
    await page.getByText(`100 of ${PCS} devices were started.`).waitFor();
    expect(await page.getByRole("progressbar").count()).toBe(0);
    expect(await started()).toBe(100);
  });

  test("starts the others when it is started again", async () => {
    await page.getByRole("button", { name: "Start all" }).click();
    await release();
    await expect.poll(started).toBe(PCS);
    // The page has heard of it: a stop of all counts what it knows to be on.
    await expect.poll(() => page.locator(".parts button[aria-label^='Start ']").count()).toBe(0);
  });

  test("shows how far a stop is", async () => {
    await expect.poll(() => page.getByRole("button", { name: "Stop all" }).isEnabled()).toBe(true);
    await page.getByRole("button", { name: "Stop all" }).click();
    await release();
    await page.getByText(`Stopping 100 of ${PCS}…`).waitFor();
    await release();
    await page.getByText(`${PCS} of ${PCS} devices were stopped.`).waitFor();
    expect(await started()).toBe(0);
  });
});
