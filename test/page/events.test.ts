/** How the page follows events and keeps its session: over a WebSocket with a token, and what it does when either does not work. */
import { existsSync, mkdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, Page, Request } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { LocalStack } from "../../infra/local/local-stack.ts";
import { BROWSER, violationsOf } from "../helpers/page/browser.ts";
import { joinBrowser } from "../helpers/page/join.ts";
import { type PageLab, twoPcs } from "../helpers/page/two-pcs.ts";
import { startInMemory } from "../helpers/stack/in-memory.ts";

const PICTURES = join(tmpdir(), "wirelab-page");
const PASSWORD = "a first password that nobody guesses";

describe.skipIf(!existsSync(BROWSER))("events of the page (skipped without chromium)", () => {
  let stack: LocalStack;
  let browser: Browser;
  let lab: PageLab;

  beforeAll(async () => {
    mkdirSync(PICTURES, { recursive: true });
    stack = await startInMemory({
      auth: "basic",
      adminPassword: PASSWORD,
    });
    lab = await twoPcs(stack.url, `Basic ${btoa(`admin:${PASSWORD}`)}`);
    browser = await joinBrowser();
  }, 600_000);

  afterAll(async () => {
    await browser?.close();
    await stack?.stop();
  });

  interface Opened {
    readonly page: Page;
    /** Requests for a stream of events. */
    readonly streams: Request[];
    /** Addresses of WebSockets. */
    readonly sockets: string[];
  }

  /** Opens the lab in a tab of its own, whose user has not signed in. @param script runs before the page's. */
  async function openLab(script?: string): Promise<Opened> {
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
    const page = await context.newPage();
    page.setDefaultTimeout(60_000);
    if (script !== undefined) await page.addInitScript(script);
    const streams: Request[] = [];
    const sockets: string[] = [];
    page.on("request", (request) => {
      if (request.method() === "GET" && /\/notifications(\?|$)/.test(request.url())) streams.push(request);
    });
    page.on("websocket", (socket) => sockets.push(socket.url()));
    await page.goto(lab.address);
    await signIn(page);
    await device(page, "PC2").waitFor();
    return { page, streams, sockets };
  }

  async function signIn(page: Page): Promise<void> {
    await page.getByLabel("Name").fill("admin");
    await page.getByLabel("Password").fill(PASSWORD);
    await page.keyboard.press("Enter");
  }

  const device = (page: Page, name: string) => page.locator(".parts .part", { hasText: name }).first();
  const rename = (name: string) => lab.api("PUT", lab.nodes[0]!, { name });

  test("come over a WebSocket, and no request is held open while a tab is", async () => {
    const { page, streams, sockets } = await openLab();
    await rename("OverSocket");
    await device(page, "OverSocket").waitFor();
    expect(streams).toEqual([]);
    expect(sockets.map((url) => new URL(url).pathname)).toContainEqual(
      expect.stringMatching(/^\/v2\/projects\/[^/]+\/notifications\/ws$/),
    );
    // No address has the token, and the tab keeps it in place of the password.
    const [authorization, kept] = (await page.evaluate(
      `[sessionStorage.getItem("wirelab.authorization"), JSON.stringify(sessionStorage)]`,
    )) as [string, string];
    expect(authorization).toMatch(/^Bearer /);
    expect(kept).not.toContain(btoa(`admin:${PASSWORD}`).slice(0, 20));
    for (const url of sockets) expect(url).not.toContain(authorization.slice("Bearer ".length));
    await page.context().close();
  });

  test("of all labs come over a WebSocket, too", async () => {
    const { page, streams } = await openLab();
    await page.goto(`${stack.url}/v2/page#/`);
    await page.getByRole("heading", { name: "Labs" }).waitFor();
    const { project_id } = (await lab.api("POST", "/projects", { name: "another lab" })) as {
      project_id: string;
    };
    await page.getByText("another lab").first().waitFor();
    await lab.api("DELETE", `/projects/${project_id}`);
    await page.getByText("another lab").first().waitFor({ state: "hidden" });
    expect(streams).toEqual([]);
    await page.context().close();
  });

  test("come as a stream where no WebSocket can be opened", async () => {
    const { page, streams } = await openLab(`
      window.WebSocket = class {
        constructor() {
          setTimeout(() => this.onclose?.(new Event("close")));
        }
        close() {}
      };`);
    await rename("OverStream");
    await device(page, "OverStream").waitFor();
    // One before the sign-in, which was refused, and the one that is held.
    expect(streams.length).toBeGreaterThan(0);
    await page.context().close();
  });

  test("a session that has ended is continued over the view, and the change that was refused is made", async () => {
    const { page } = await openLab();
    await page.evaluate(`sessionStorage.setItem("wirelab.kept", "yes")`);
    const code = "access.credentials";
    const refuse = { status: 401, json: { status: 401, code, message: "Credentials are missing or wrong" } };
    await page.route(`**/v2${lab.link}`, (route) => route.fulfill(refuse));
    await page.getByRole("button", { name: /e0 – PC2 e0/ }).click();
    await page.getByRole("button", { name: "Suspend", exact: true }).click();
    const dialog = page.getByRole("dialog", { name: "Sign in again" });
    await dialog.waitFor();
    await device(page, "PC2").waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await page.screenshot({ path: join(PICTURES, "sign in again.png") });
    await page.unroute(`**/v2${lab.link}`);
    await signIn(page);
    await dialog.waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Resume" }).waitFor();
    await page.context().close();
  });
});
