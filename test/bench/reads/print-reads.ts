/** Prints the time of the most common reads beside the floor of each. */
import type { LocalStack } from "../../../infra/local/local-stack.ts";
import { RECIPES, type Send } from "../recipes.ts";
import { printReadRates } from "./read-rate.ts";
import { printReadTimes } from "./read-time.ts";

const pathOf = async (send: Send, route: string): Promise<string> =>
  (await RECIPES[route]!(send, 1))[0]!.path;

export async function printReads(stack: LocalStack, send: Send): Promise<void> {
  const link = await pathOf(send, "getLink");
  await printReadRates(stack, {
    link,
    available_filters: `${link}/available_filters`,
    symbols: "/symbols",
    "built-in symbol": "/symbols/:/symbols/classic/router.svg/raw",
    "uploaded symbol": await pathOf(send, "getSymbolRaw"),
    version: "/version",
  });
  await printReadTimes(stack, link);
}
