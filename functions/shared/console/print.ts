/** Prints on the terminals of consoles. */
import { printAbove } from "@wirelab/engine/terminal/terminal";
import { type ConsoleItem, type ConsoleKey, listConsoles, removeConsole } from "../store/console/console.ts";
import { send } from "../store/sockets/send.ts";

/** A message holds 128 KiB, and a character takes up to 3 bytes for each UTF-16 unit. */
const PART_CHARACTERS = 32_768;

/** Sends text to a terminal. @returns false when its connection is closed. */
export async function print(connectionId: string, text: string): Promise<boolean> {
  for (let rest = text; rest !== ""; ) {
    const part = firstPart(rest);
    if (!(await send(connectionId, part))) return false;
    rest = rest.slice(part.length);
  }
  return true;
}

/** Does not cut a surrogate pair. */
function firstPart(text: string): string {
  const part = text.slice(0, PART_CHARACTERS);
  return part.isWellFormed() || part.length === 1 ? part : part.slice(0, -1);
}

/**
 * Shows what was typed on a console, and its output, on the other consoles of the node, each above the line that is being typed there.
 * @param text begins with the typed line; ends with the prompt.
 */
export async function printOnOthers(own: ConsoleKey, text: string): Promise<void> {
  const consoles = await listConsoles(own.project_id, own.node_id);
  const others = consoles.filter(({ connection_id }) => connection_id !== own.connection_id);
  await Promise.all(others.map((other) => printOn(other, text)));
}

async function printOn(console: ConsoleItem, text: string): Promise<void> {
  const above = printAbove(console.terminal, console.prompt + text);
  // API Gateway may not report that a connection has ended.
  if (!(await print(console.connection_id, above))) await removeConsole(console);
}
