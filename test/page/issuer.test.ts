/** Signing in at an OpenID Connect issuer, in a browser, with the authorizer of a stack with auth=jwt. */
import { once } from "node:events";
import { existsSync } from "node:fs";
import type { Browser, Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import WebSocket from "ws";
import type { LocalStack } from "../../infra/local/local-stack.ts";
import { BROWSER, violationsOf } from "../helpers/page/browser.ts";
import { type Issuer, startIssuer } from "../helpers/page/issuer.ts";
import { joinBrowser } from "../helpers/page/join.ts";
import { startStackWith } from "../helpers/stack/assembly.ts";

describe.skipIf(!existsSync(BROWSER))("signing in at an issuer (skipped without chromium)", () => {
  let issuer: Issuer;
  let stack: LocalStack;
  let browser: Browser;
  let page: Page;
  const faults: string[] = [];

  beforeAll(async () => {
    issuer = await startIssuer("wirelab-page");
    stack = await startStackWith({
      inMemory: true,
      port: 0,
      quiet: true,
      auth: "jwt",
      context: { jwt_issuer: issuer.url, jwt_audience: "wirelab-page" },
    });
    browser = await joinBrowser();
    page = await browser.newPage();
    page.setDefaultTimeout(60_000);
    page.on("console", (message) => {
      if (message.type() === "error") faults.push(message.text());
    });
    page.on("pageerror", (error) => faults.push(error.message));
  }, 300_000);

  afterAll(async () => {
    await browser?.close();
    await stack?.stop();
    issuer?.stop();
  });

  const start = () => page.getByRole("button", { name: /^Sign in at 127\.0\.0\.1/ });

  test("reports a refusal at the issuer", async () => {
    await page.goto(stack.url);
    await start().waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await start().click();
    await page.getByRole("link", { name: "Refuse" }).click();
    await page.getByRole("alert").getByText("Signing in has failed").waitFor();
    expect(page.url()).not.toContain("error=");
  });

  test("refuses a response that this tab has not asked for", async () => {
    await page.goto(`${stack.url}/v2/page?code=stolen&state=other`);
    await page.getByRole("alert").getByText("this tab has not begun to sign in").waitFor();
    expect(page.url()).not.toContain("code=");
  });

  test("signs in by the keyboard, renews a token that expires, and works", async () => {
    await start().focus();
    await page.keyboard.press("Enter");
    await page.getByRole("link", { name: "I am Alice" }).click();
    await page.getByText("There is no lab yet").waitFor();
    expect(page.url()).not.toContain("code=");
    await expect.poll(issuer.refreshed).toBe(1);
    await page.getByLabel("Name of the new lab").fill("Alice's lab");
    await page.getByRole("button", { name: "Create" }).click();
    await page.getByText("This lab is empty").waitFor();
    expect(issuer.refreshed()).toBe(1);
  });

  test("stays signed in when the page is loaded again, in the same lab", async () => {
    await page.reload();
    await page.getByText("This lab is empty").waitFor();
  });

  test("signs out here and at the issuer", async () => {
    await page.getByRole("link", { name: "All labs" }).click();
    await page.getByRole("button", { name: "Sign out" }).click();
    await expect.poll(issuer.ended).toBe(1);
    await start().waitFor();
    const kept = await page.evaluate("JSON.stringify({ ...sessionStorage })");
    expect(kept).toBe("{}");
  });

  test("returns to the lab whose address was opened", async () => {
    await page.getByRole("button", { name: /^Sign in/ }).click();
    await page.getByRole("link", { name: "I am Alice" }).click();
    await page.getByRole("link", { name: "Alice's lab" }).click();
    await page.getByText("This lab is empty").waitFor();
    const address = page.url();
    const other = await browser.newPage();
    await other.goto(address);
    // A refusal that arrives after the sign-in must not ask for another one.
    await other.route("**/v2/projects*", async (route) => {
      const hasCredentials = route.request().headers().authorization !== undefined;
      if (!hasCredentials) await new Promise((resolve) => setTimeout(resolve, 1000));
      await route.continue();
    });
    await other.getByRole("button", { name: /^Sign in/ }).click();
    await other.getByRole("link", { name: "I am Alice" }).click();
    await other.getByText("This lab is empty").waitFor();
    expect(other.url()).toBe(address);
    await other.close();
  });

  const typed = async (terminal: Locator, line: string) => {
    await terminal.filter({ hasText: /PC1>/ }).waitFor();
    await page.keyboard.type(line, { delay: 5 });
    await page.keyboard.press("Enter");
  };

  test("types at a console, whose WebSocket has the token as a subprotocol", async () => {
    await page
      .getByRole("navigation", { name: "Devices to add" })
      .getByRole("button", { name: "PC", exact: true })
      .click();
    await page.getByRole("button", { name: "Start all" }).click();
    await page.getByRole("button", { name: "Stop PC1" }).waitFor();
    const frames: string[] = [];
    const addresses: string[] = [];
    page.on("websocket", (socket) => {
      addresses.push(socket.url());
      socket.on("framereceived", ({ payload }) => frames.push(String(payload)));
    });
    await page.locator(".parts .part", { hasText: "PC1" }).first().dblclick();
    await typed(page.locator(".terminal:not([hidden]) .xterm-rows"), "ip 10.0.0.1/24");
    await expect.poll(() => frames.join(""), { timeout: 60_000 }).toContain("255.255.255.0");
    expect(addresses.join(" ")).not.toContain("token");
  });

  test("a token that is none, or that comes in the wrong place, opens nothing", async () => {
    const address = `${stack.url.replace("http", "ws")}/v2/notifications/ws`;
    const refusal = (protocols: string[]) =>
      new Promise<number | undefined>((resolve, reject) => {
        const socket = new WebSocket(address, protocols);
        socket.once("unexpected-response", (_request, { statusCode }) => resolve(statusCode));
        socket.once("open", () => reject(new Error("the handshake succeeded")));
        socket.once("error", reject);
      });
    expect(await refusal([])).toBe(403);
    expect(await refusal(["wirelab"])).toBe(403);
    expect(await refusal(["wirelab", "wirelab.token.a.b.c"])).toBe(403);
    const token = JSON.parse(await page.evaluate("JSON.stringify({ ...sessionStorage })"))[
      "wirelab.authorization"
    ].replace("Bearer ", "");
    const headers = { "Sec-WebSocket-Protocol": `wirelab, wirelab.token.${token}` };
    expect((await fetch(`${stack.url}/v2/projects`, { headers })).status).toBe(401);
    const socket = new WebSocket(address, ["wirelab", `wirelab.token.${token}`]);
    await once(socket, "open");
    expect(socket.protocol).toBe("wirelab");
    socket.terminate();
  });

  test("causes no error on the browser's console but for 401", () => {
    expect(faults.filter((text) => !text.includes("401"))).toEqual([]);
  });
});
