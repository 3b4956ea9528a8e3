/**
 * Open consoles: the terminal of each connection, and what was typed on it.
 *
 * Two messages of a connection can be handled at the same time, so a message is appended to the console's input first. Then one request
 * holds the console, and handles all input in order, until it releases the console with no input left:
 *
 *     typeOn(.. "a")  -> held: handle "a"            -> release refused: there is "b" -> handle "b" -> release
 *     typeOn(.. "b")       -> appended, held by the other request
 */

import type { TerminalState } from "@wirelab/engine/terminal/terminal";
import { Entity, type FormattedItem } from "dynamodb-toolbox/entity";
import { DeleteItemCommand } from "dynamodb-toolbox/entity/actions/delete";
import { GetItemCommand } from "dynamodb-toolbox/entity/actions/get";
import { PutItemCommand } from "dynamodb-toolbox/entity/actions/put";
import { $add, $append, $remove, $set, UpdateItemCommand } from "dynamodb-toolbox/entity/actions/update";
import { item } from "dynamodb-toolbox/schema/item";
import { list } from "dynamodb-toolbox/schema/list";
import { map } from "dynamodb-toolbox/schema/map";
import { number } from "dynamodb-toolbox/schema/number";
import { string } from "dynamodb-toolbox/schema/string";
import { QueryCommand } from "dynamodb-toolbox/table/actions/query";
import { document, optionalDocument } from "../base/document.ts";
import { table } from "../base/table.ts";
import { holds } from "../base/transact.ts";
import { when } from "../base/when.ts";

/** A message of the client. */
export interface TypedText {
  readonly id: string;
  /** When API Gateway received it, in milliseconds since 1970. */
  readonly at_ms: number;
  /** How many milliseconds later a function began to handle it. */
  readonly late_ms?: number | undefined;
  readonly text: string;
}

/** The terminal before the messages of the present line, and these messages in order. */
export interface TypedLine {
  readonly start: TerminalState;
  readonly messages: readonly TypedText[];
}

const ConsoleEntity = new Entity({
  name: "console",
  table,
  timestamps: false,
  schema: item({
    project_id: string().key(),
    node_id: string().key(),
    connection_id: string().key(),
    terminal: document<TerminalState>(),
    prompt: string(),
    /** The line that is being typed; consoles that were opened before an update have none. */
    line: optionalDocument<TypedLine>(),
    /** Messages in the order of their arrival; a repeated write may have stored one twice. */
    input: list(map({ id: string(), at_ms: number(), late_ms: number().optional(), text: string() })),
    /** How many messages of `input` have been handled. */
    handled: number(),
    /** The sizes of all messages in `input`. */
    characters: number(),
    /** Counts the messages, so that a release fails if another one has arrived. */
    revision: number(),
    /** The request that handles the input, and the time until which it may, in milliseconds since 1970. */
    holder: string().optional(),
    held_until_ms: number().optional(),
    /** The table's time to live: seconds since 1970. */
    expires_s: number(),
  }),
  computeKey: ({ project_id, node_id, connection_id }) => ({
    pk: consolesKey(project_id, node_id),
    sk: connection_id,
  }),
});

export type ConsoleItem = FormattedItem<typeof ConsoleEntity>;
export type ConsoleKey = Pick<ConsoleItem, "project_id" | "node_id" | "connection_id">;

const consolesKey = (projectId: string, nodeId: string): string => `CONSOLE#${projectId}#${nodeId}`;

/** What one console may hold of text that has not been handled. */
const INPUT_MAX_CHARACTERS = 65_536;

interface NewConsole extends ConsoleKey, Pick<ConsoleItem, "terminal" | "prompt" | "expires_s"> {}

/** Holds a console from the handshake until its greeting has been sent: what is typed meanwhile waits. */
const OPENING = "opening";
/** A greeting takes milliseconds. If it is never sent, the console works nevertheless. */
const OPENING_MS = 5_000;

/** Stores a console that is opening. */
export async function putConsole(opening: NewConsole): Promise<void> {
  await holds(
    ConsoleEntity.build(PutItemCommand).item({
      ...opening,
      input: [],
      handled: 0,
      characters: 0,
      revision: 0,
      holder: OPENING,
      held_until_ms: Date.now() + OPENING_MS,
    }),
  );
}

/** Lets requests handle the console's input. */
export async function endOpening(key: ConsoleKey): Promise<void> {
  await holds(
    ConsoleEntity.build(UpdateItemCommand)
      .item({ ...key, holder: $remove(), held_until_ms: $remove() })
      .options(when(ConsoleEntity, { holder: OPENING })),
  );
}

/** Returns undefined when the console has been closed. */
export async function getConsole(key: ConsoleKey): Promise<ConsoleItem | undefined> {
  const { Item } = await ConsoleEntity.build(GetItemCommand).key(key).options({ consistent: true }).send();
  return Item;
}

/** Returns the open consoles of a node. */
export async function listConsoles(projectId: string, nodeId: string): Promise<ConsoleItem[]> {
  const { Items = [] } = await table
    .build(QueryCommand)
    .query({ partition: consolesKey(projectId, nodeId) })
    .entities(ConsoleEntity)
    .options({ consistent: true, maxPages: Number.POSITIVE_INFINITY })
    .send();
  return Items;
}

export async function removeConsole(key: ConsoleKey): Promise<void> {
  await ConsoleEntity.build(DeleteItemCommand).key(key).send();
}

/** Who handles a console's input, and until when. */
export interface Hold {
  readonly holder: string;
  readonly untilMs: number;
}

export type Typed =
  /** The caller holds the console. */
  | { readonly state: "held"; readonly item: ConsoleItem }
  /** Another request holds it and handles the text. */
  | { readonly state: "left" }
  /** The text is stored; the caller has to hold the console later. */
  | { readonly state: "opening" }
  | { readonly state: "full" | "closed" };

/** Appends a message to the console's input and holds the console, unless another request does. */
export async function typeOn(key: ConsoleKey, typed: TypedText, hold: Hold): Promise<Typed> {
  const taken = await take(key, hold, typed);
  if (taken !== undefined) return { state: "held", item: taken };
  const appended = await append(key, typed);
  if (appended === undefined) return { state: (await getConsole(key)) ? "full" : "closed" };
  // The other request may have released the console between the two writes.
  return isHeld(appended) ? { state: stateOf(appended) } : holdConsole(key, hold);
}

/** Holds a console whose input has the caller's text, unless another request does. */
export async function holdConsole(key: ConsoleKey, hold: Hold): Promise<Typed> {
  const taken = await take(key, hold);
  if (taken !== undefined) return { state: "held", item: taken };
  return { state: stateOf(await getConsole(key)) };
}

/**
 * Passes a console from one request to another, or extends its hold.
 * @returns undefined when the console was closed, or the hold has expired and another request has taken it.
 */
export const passConsole = (
  { project_id, node_id, connection_id }: ConsoleKey,
  from: string,
  { holder, untilMs }: Hold,
): Promise<ConsoleItem | undefined> =>
  changed(
    ConsoleEntity.build(UpdateItemCommand)
      .item({ project_id, node_id, connection_id, holder, held_until_ms: untilMs })
      // Also a repeated write of the other request.
      .options({
        ...when(ConsoleEntity, { or: [{ holder: from }, { holder }] }),
        returnValues: "ALL_NEW",
      }),
  );

const isHeld = ({ held_until_ms = 0 }: ConsoleItem): boolean => held_until_ms > Date.now();

function stateOf(item: ConsoleItem | undefined): "left" | "opening" | "closed" {
  if (item === undefined) return "closed";
  return item.holder === OPENING ? "opening" : "left";
}

const added = ({ id, at_ms, late_ms, text }: TypedText) => ({
  input: $append([{ id, at_ms, text, ...(late_ms !== undefined && { late_ms }) }]),
  characters: $add(text.length),
  revision: $add(1),
});

const IS_OPEN = { attr: "revision", exists: true } as const;

const hasRoomFor = ({ text }: TypedText) =>
  ({ attr: "characters", lte: INPUT_MAX_CHARACTERS - text.length }) as const;

function take(
  key: ConsoleKey,
  { holder, untilMs }: Hold,
  typed?: TypedText,
): Promise<ConsoleItem | undefined> {
  const free = [
    { holder: undefined },
    { attr: "held_until_ms", lt: Date.now() },
    // A repeated write of this request.
    { holder },
  ] as const;
  const room = typed ? [hasRoomFor(typed)] : [];
  return changed(
    ConsoleEntity.build(UpdateItemCommand)
      .item({ ...key, ...(typed && added(typed)), holder, held_until_ms: untilMs })
      .options({ ...when(ConsoleEntity, IS_OPEN, { or: free }, ...room), returnValues: "ALL_NEW" }),
  );
}

const append = (key: ConsoleKey, typed: TypedText): Promise<ConsoleItem | undefined> =>
  changed(
    ConsoleEntity.build(UpdateItemCommand)
      .item({ ...key, ...added(typed) })
      .options({ ...when(ConsoleEntity, IS_OPEN, hasRoomFor(typed)), returnValues: "ALL_NEW" }),
  );

/** Returns the changed item, or undefined when the condition does not hold. */
async function changed(update: {
  send(): Promise<{ Attributes?: unknown }>;
}): Promise<ConsoleItem | undefined> {
  let attributes: unknown;
  const isChanged = await holds({
    async send() {
      attributes = (await update.send()).Attributes;
    },
  });
  return isChanged ? (attributes as ConsoleItem) : undefined;
}

/** The terminal after the handled input. */
export type Progress = Pick<ConsoleItem, "terminal" | "prompt" | "line" | "handled">;

/**
 * Stores what has been handled, before a command runs: a request that dies while it runs must not run it twice.
 * @returns false when the console was closed, or its hold has expired and another request has taken it.
 */
export const saveProgress = (key: ConsoleKey, holder: string, progress: Progress): Promise<boolean> =>
  holds(
    ConsoleEntity.build(UpdateItemCommand)
      .item({ ...key, ...progress })
      .options(when(ConsoleEntity, { holder })),
  );

/** @returns false when there is more input, or another request holds the console, or it was closed. */
export const releaseConsole = (
  { project_id, node_id, connection_id, revision, holder }: ConsoleItem,
  { terminal, prompt, line }: Omit<Progress, "handled">,
): Promise<boolean> =>
  holds(
    ConsoleEntity.build(UpdateItemCommand)
      .item({
        ...{ project_id, node_id, connection_id, terminal, prompt, line },
        // An array without $set changes single elements.
        input: $set([]),
        handled: 0,
        characters: 0,
        holder: $remove(),
        held_until_ms: $remove(),
      } as never)
      .options(when(ConsoleEntity, { revision, holder: holder ?? "" })),
  );
