/**
 * Open WebSocket connections, in one partition. API Gateway names them; a connection ends after two hours at the latest.
 */
import { Entity, type FormattedItem } from "dynamodb-toolbox/entity";
import { DeleteItemCommand } from "dynamodb-toolbox/entity/actions/delete";
import { GetItemCommand } from "dynamodb-toolbox/entity/actions/get";
import { PutItemCommand } from "dynamodb-toolbox/entity/actions/put";
import { UpdateItemCommand } from "dynamodb-toolbox/entity/actions/update";
import { boolean } from "dynamodb-toolbox/schema/boolean";
import { item } from "dynamodb-toolbox/schema/item";
import { number } from "dynamodb-toolbox/schema/number";
import { string } from "dynamodb-toolbox/schema/string";
import { QueryCommand } from "dynamodb-toolbox/table/actions/query";
import type { Caller } from "../../edge/principal.ts";
import { document } from "../base/document.ts";
import { table } from "../base/table.ts";
import { holds } from "../base/transact.ts";
import { when } from "../base/when.ts";

/** API Gateway's limit for a connection: https://docs.aws.amazon.com/apigateway/latest/developerguide/limits.html */
const CONNECTION_SECONDS = 2 * 3600;
/** The item outlives its connection, whose end may be reported late. */
const SPARE_SECONDS = 600;

const PARTITION = "SOCKETS";

/** Attributes of an item that keep its caller. */
export const callerAttributes = {
  user: string(),
  role: string().enum("viewer", "editor", "admin"),
  anonymous: boolean().optional(),
};

const ConnectionEntity = new Entity({
  name: "connection",
  table,
  timestamps: false,
  schema: item({
    connection_id: string().key(),
    /** Name of the channel: functions/sockets/channels.ts. */
    channel: string(),
    /** Values of the variables in the path, such as `project_id`. */
    params: document<Readonly<Record<string, string>>>(),
    /** The query of the client, without `path`. */
    query: document<Readonly<Record<string, string>>>(),
    ...callerAttributes,
    /** Set when the channel has been informed that the connection is open. */
    opened: boolean().optional(),
    /** The table's time to live: seconds since 1970. */
    expires_s: number(),
  }),
  computeKey: ({ connection_id }) => ({ pk: PARTITION, sk: connection_id }),
});
type ConnectionItem = FormattedItem<typeof ConnectionEntity>;

export interface Connection extends Pick<ConnectionItem, "connection_id" | "channel" | "params" | "query"> {
  /** The user, with the role that they had when they connected. */
  readonly caller: Caller;
}

type StoredCaller = Pick<ConnectionItem, "user" | "role" | "anonymous">;

export const fromCaller = ({ name, role, isAnonymous }: Caller): StoredCaller => ({
  user: name,
  role,
  ...(isAnonymous && { anonymous: true }),
});

export const toCaller = ({ user, role, anonymous }: StoredCaller): Caller => ({
  name: user,
  role,
  ...(anonymous && { isAnonymous: true }),
});

/** Returns the time to live of an item about a connection that opens now, in seconds since 1970. */
export const connectionExpiry = (nowMs = Date.now()): number =>
  Math.ceil(nowMs / 1000) + CONNECTION_SECONDS + SPARE_SECONDS;

export async function putConnection({ caller, ...connection }: Connection): Promise<void> {
  await holds(
    ConnectionEntity.build(PutItemCommand).item({
      ...connection,
      ...fromCaller(caller),
      expires_s: connectionExpiry(),
    }),
  );
}

/** Returns undefined when the connection has been closed. */
export async function getConnection(connection_id: string): Promise<Connection | undefined> {
  const { Item } = await ConnectionEntity.build(GetItemCommand)
    .key({ connection_id })
    .options({ consistent: true })
    .send();
  return Item && toConnection(Item);
}

/** Returns the connections that have opened. Some may be closed by now. @param opening also returns those that are about to open. */
export async function listConnections({ opening = false } = {}): Promise<Connection[]> {
  const { Items } = await table
    .build(QueryCommand)
    .query({ partition: PARTITION })
    .entities(ConnectionEntity)
    .options({ maxPages: Number.POSITIVE_INFINITY, consistent: opening })
    .send();
  return (Items ?? []).filter(({ opened }) => opened || opening).map(toConnection);
}

/** @returns false when another request has marked the connection as opened, or the connection has been closed. */
export const markOpened = (connection_id: string): Promise<boolean> =>
  holds(
    ConnectionEntity.build(UpdateItemCommand)
      .item({ connection_id, opened: true })
      .options(when(ConnectionEntity, { opened: undefined }, { attr: "connection_id", exists: true })),
  );

/** Returns the connection that was removed, or undefined when another request has removed it. */
export async function removeConnection(connection_id: string): Promise<Connection | undefined> {
  const { Attributes } = await ConnectionEntity.build(DeleteItemCommand)
    .key({ connection_id })
    .options({ returnValues: "ALL_OLD" })
    .send();
  return Attributes && toConnection(Attributes as ConnectionItem);
}

const toConnection = (stored: ConnectionItem): Connection => {
  const { connection_id, channel, params, query } = stored;
  return { connection_id, channel, params, query, caller: toCaller(stored) };
};
