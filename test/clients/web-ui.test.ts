/** The GNS3 Web UI in a browser: a whole day's work against a service with users and against one without. */
import { existsSync, mkdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Browser, chromium } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type ClientStack, startClientStack } from "../helpers/service/client-stacks.ts";
import { findClient } from "../helpers/service/clients.ts";
import { type SameOrigin, serveWith } from "../helpers/service/same-origin.ts";
import { type Day, STEPS } from "./web-ui-day.ts";

const PREFIX = "/static/web-ui";
const BROWSER = "/usr/bin/chromium";
const pages = findClient("gns3-web-ui-bundle");
/** Pictures of the page after a step that failed. */
const PICTURES = join(tmpdir(), "wirelab-web-ui");

describe.skipIf(pages === undefined || !existsSync(BROWSER)).each(["none", "basic"] as const)(
  "the Web UI with auth=%s (skipped without chromium and the UI's files: test/clients/fetch.sh)",
  (auth) => {
    let service: ClientStack;
    let origin: SameOrigin;
    let browser: Browser;
    let day: Day;
    let failed: string | undefined;

    beforeAll(async () => {
      service = await startClientStack(auth);
      const { stack, credentials } = service;
      origin = await serveWith(pages!, PREFIX, { url: stack.url, credentials });
      browser = await chromium.launch({ executablePath: BROWSER, args: ["--no-sandbox"] });
      const page = await browser.newPage({
        viewport: { width: 1400, height: 900 },
        acceptDownloads: true,
      });
      page.setDefaultTimeout(15_000);
      // The pages load scripts of other hosts; a test calls no other host.
      await page.route(
        (url) => url.origin !== origin.url,
        (route) => route.abort(),
      );
      const api = async (path: string) => (await fetch(`${origin.url}/v2${path}`)).json();
      let received = "";
      page.on("websocket", (socket) => {
        if (!socket.url().endsWith("/console/ws")) return;
        socket.on("framereceived", ({ payload }) => {
          received += String(payload);
        });
      });
      const consoleText = () => received;
      day = { page, consoleText, url: origin.url, api, name: `web-ui-${auth}`, projectId: "" };
      mkdirSync(PICTURES, { recursive: true });
    }, 180_000);

    afterAll(async () => {
      await browser?.close();
      await origin?.stop();
      await service?.stack.stop();
    });

    test.each(Object.entries(STEPS))(
      "%s",
      async (name, step) => {
        expect(failed, "an earlier step failed").toBeUndefined();
        failed = name;
        await step(day).catch(async (fault) => {
          await day.page.screenshot({ path: join(PICTURES, `${auth}-${name.replaceAll(" ", "-")}.png`) });
          throw fault;
        });
        failed = undefined;
      },
      90_000,
    );
  },
);
