/**
 * Scans the whole table and bucket and reports every dangling reference. Leftovers that an interrupted request may leave
 * are not reported: unreferenced objects, items that expire, a project that is being deleted. A project with a pending commit is
 * checked as its next reader finds it, with the changes made.
 */
import { gunzipSync, inflateRawSync } from "node:zlib";
import { DynamoDBClient, paginateScan } from "@aws-sdk/client-dynamodb";
import { GetObjectCommand, paginateListObjectsV2, S3Client } from "@aws-sdk/client-s3";
import { unmarshall } from "@aws-sdk/util-dynamodb";

export interface Stores {
  readonly dynamodbEndpoint: string;
  readonly s3Endpoint: string;
  readonly tableName: string;
  readonly bucketName: string;
  readonly region: string;
  readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string };
}

// biome-ignore lint/suspicious/noExplicitAny: items of all entities, as they are stored
type Item = Record<string, any>;

async function scan({ dynamodbEndpoint, region, credentials, tableName }: Stores): Promise<Item[]> {
  const client = new DynamoDBClient({ endpoint: dynamodbEndpoint, region, credentials });
  const items: Item[] = [];
  const pages = paginateScan({ client }, { TableName: tableName, ConsistentRead: true });
  for await (const page of pages) items.push(...(page.Items ?? []).map((each) => unmarshall(each)));
  client.destroy();
  return items;
}

/** Keys of the objects, and their bytes. */
type Objects = ReadonlyMap<string, number>;

const bucketClient = ({ s3Endpoint: endpoint, region, credentials }: Stores): S3Client =>
  new S3Client({ endpoint, region, credentials, forcePathStyle: true });

async function list(stores: Stores): Promise<Objects> {
  const client = bucketClient(stores);
  const objects = new Map<string, number>();
  for await (const page of paginateListObjectsV2({ client }, { Bucket: stores.bucketName })) {
    for (const { Key, Size } of page.Contents ?? []) objects.set(Key!, Size!);
  }
  client.destroy();
  return objects;
}

export const objectKeys = async (stores: Stores): Promise<string[]> => [...(await list(stores)).keys()];

const commitKey = ({ project_id, pending }: Item): string => `commits/${project_id}/${pending}`;

/** Returns the items as they are once the pending commits are made: functions/shared/store/commit/run-steps.ts. */
async function settle(stores: Stores, items: readonly Item[], objects: Objects): Promise<Item[]> {
  const settled = new Map(items.map((item) => [`${item.pk} ${item.sk}`, item]));
  const client = bucketClient(stores);
  for (const project of items) {
    if (project.sk !== "META" || project.pending === undefined || !objects.has(commitKey(project))) continue;
    const { Body } = await client.send(
      new GetObjectCommand({ Bucket: stores.bucketName, Key: commitKey(project) }),
    );
    const { run, changes } = JSON.parse(gunzipSync(await Body!.transformToByteArray()).toString());
    for (const change of changes) {
      const { kind, item } = change;
      const sk = change.sk ?? `${kind.toUpperCase()}#${change[`${kind}_id`]}`;
      const key = `${project.pk} ${sk}`;
      const before = settled.get(key);
      if (before?.state_run >= run) continue;
      if (kind === "put") settled.set(key, { ...item, pk: project.pk, sk });
      else if (kind === "delete") settled.delete(key);
      else if (before !== undefined) settled.set(key, changed(before, change));
    }
  }
  client.destroy();
  return [...settled.values()];
}

/** Returns a node or a link with the bytes that a run has added. */
function changed(item: Item, { status, state, guestBytes, added }: Item): Item {
  if (guestBytes) return { ...item, status, state: JSON.stringify(state), guest_bytes: guestBytes.after };
  const isOf = added && item.capture?.capture_id === added.capture_id;
  return isOf ? { ...item, capture: { ...item.capture, bytes: added.bytes } } : item;
}

/** One line for each dangling reference, and for each half of a pair without its counterpart. */
export async function danglingReferences(stores: Stores): Promise<string[]> {
  const [stored, objects] = await Promise.all([scan(stores), list(stores)]);
  const items = await settle(stores, stored, objects);
  const byKey = new Map(items.map((item) => [`${item.pk} ${item.sk}`, item]));
  /** All items of a project have its key. */
  const byProject = Map.groupBy(items, ({ pk }) => pk);
  const removed = new Set(items.filter(({ deleting }) => deleting).map(({ pk }) => pk));
  const shares = new Set(
    items.filter(({ sk }) => sk.startsWith("SHARE#")).map(({ pk, user }) => `${pk} ${user}`),
  );
  const problems: string[] = [];
  const claim = (isRight: unknown, message: string): void => {
    if (!isRight) problems.push(message);
  };
  // Requests read a file as it is stored until the changes of a pending commit are made.
  for (const { pk, sk, object_key, size_bytes } of stored) {
    if (!sk.startsWith("FILE#") || removed.has(pk)) continue;
    claim(objects.get(object_key) === size_bytes, `${pk} ${sk} has no object of its size`);
  }
  for (const item of items) {
    const { pk, sk } = item;
    if (removed.has(pk)) continue;
    const inProject = (key: string): Item | undefined => byKey.get(`${pk} ${key}`);
    const what = `${pk} ${sk}`;
    if (/^PROJECT#/.test(pk) && sk !== "META") claim(inProject("META"), `${what} has no project`);
    if (sk.startsWith("NODE#")) checkNode(item, inProject, claim, objects);
    else if (sk.startsWith("LINK#")) checkLink(item, inProject, claim, objects);
    else if (sk.startsWith("CAPTURE#")) checkCapture(item, inProject, claim, objects);
    else if (sk === "META") {
      checkCounts(item, byProject.get(pk)!, claim);
      claim(
        item.pending === undefined || objects.has(commitKey(item)),
        `${what} has a pending commit whose changes are not there`,
      );
      claim(
        item.states === undefined || objects.has(`states/${item.project_id}/${item.states}`),
        `${what} names states that are not there`,
      );
      const apart = inProject("SETTINGS");
      claim(
        item.settings ?? apart?.settings_revision === item.settings_revision,
        `${what} lacks its settings`,
      );
      for (const { user } of JSON.parse(item.settings ?? apart?.document ?? "{}").shared_with ?? []) {
        claim(shares.has(`${pk} ${user}`), `${what} is not in the list of ${user}`);
      }
    } else if (sk.startsWith("TAKEN#")) {
      claim(
        inProject(`NODE#${item.node_id}`)?.name === item.claimed,
        `${what} claims a name that no node has`,
      );
    } else if (sk.startsWith("FILE#")) {
      claim(objects.get(item.object_key) === item.size_bytes, `${what} gets no object of its size`);
    } else if (sk.startsWith("SNAPSHOT#")) {
      claim(inProject(`TAKEN_SNAPSHOT#${item.name}`), `${what} has not claimed its name`);
      for (const key of [item.object_key, ...(item.file_keys ?? [])])
        claim(objects.has(key), `${what} lacks ${key}`);
    } else if (sk.startsWith("DELETED#")) {
      for (const key of [item.object_key, ...item.guest_keys])
        claim(objects.has(key), `${what} lacks ${key}`);
    } else if (sk.startsWith("SYMBOL#")) {
      claim(objects.has(item.object_key), `${what} has no object`);
    } else if (sk.startsWith("SEGMENTS#")) {
      const segments = numbered(item.capture_id, item.segments, item.number);
      if (isRead(item, byProject.get(pk)!)) checkSegments(item, segments, inProject, claim, objects);
    } else if (pk === "PROJECT_NAMES") {
      const project = byKey.get(`PROJECT#${item.project_id} META`);
      const name = item.claimed.split("\t").at(-1);
      claim(project?.name === name, `${what} claims a name that no project has`);
    }
  }
  checkSymbolCounters(items, claim);
  return problems;
}

/** What a project's item counts, by the beginning of its parts' keys. */
const COUNTS = {
  node_count: "NODE#",
  link_count: "LINK#",
  capture_count: "CAPTURE#",
  drawing_count: "DRAWING#",
  file_count: "FILE#",
  snapshot_count: "SNAPSHOT#",
  deletions: "DELETED#",
};

function checkCounts(project: Item, own: readonly Item[], claim: Claim): void {
  for (const [name, prefix] of Object.entries(COUNTS)) {
    const count = own.filter(({ sk }) => sk.startsWith(prefix)).length;
    claim(
      (project[name] ?? 0) === count,
      `${project.pk} has ${name} ${project[name]}, and ${count} are there`,
    );
  }
  const bytes = own.reduce((sum, item) => sum + storedBytesOf(item), 0);
  claim(
    (project.stored_bytes ?? 0) === bytes,
    `${project.pk} has stored_bytes ${project.stored_bytes}, and ${bytes} are there`,
  );
}

/** A running capture counts in its link, and a stopped one in its own item. */
function storedBytesOf({
  sk,
  size_bytes,
  held_bytes,
  guest_bytes,
  capture,
  bytes,
  stopped_at,
}: Item): number {
  if (sk.startsWith("DELETED#")) return size_bytes + held_bytes;
  if (/^(FILE|SNAPSHOT)#/.test(sk)) return size_bytes;
  if (sk.startsWith("NODE#")) return guest_bytes ?? 0;
  if (sk.startsWith("LINK#")) return capture?.bytes ?? 0;
  return sk.startsWith("CAPTURE#") && stopped_at !== undefined ? bytes : 0;
}

/** The counters of symbols, for the service and for each user, equal the sums over the symbols' own items. */
function checkSymbolCounters(items: readonly Item[], claim: Claim): void {
  const symbols = items.filter(({ sk }) => sk.startsWith("SYMBOL#"));
  const agree = (counter: Item, counted: readonly Item[], what: string): void => {
    const bytes = counted.reduce((sum, { size_bytes }) => sum + size_bytes, 0);
    const { symbol_count = 0, symbol_bytes = 0 } = counter;
    claim(
      symbol_count === counted.length && symbol_bytes === bytes,
      `${what} counts ${symbol_count} symbols of ${symbol_bytes} bytes, not ${counted.length} of ${bytes}`,
    );
  };
  const find = (pk: string, sk: string): Item => items.find((item) => item.pk === pk && item.sk === sk) ?? {};
  agree(find("SYMBOLS", "USAGE#SYMBOLS"), symbols, "the service");
  const counters = items.filter(({ pk, sk }) => pk.startsWith("USAGE#") && sk === "SYMBOLS");
  const users = [
    ...counters.map(({ pk }) => pk.slice("USAGE#".length)),
    ...symbols.flatMap(({ owner }) => owner ?? []),
  ];
  for (const user of new Set(users)) {
    agree(
      find(`USAGE#${user}`, "SYMBOLS"),
      symbols.filter(({ owner }) => owner === user),
      `user ${user}`,
    );
  }
}

type InProject = (key: string) => Item | undefined;
type Claim = (isRight: unknown, message: string) => void;

function checkNode(node: Item, inProject: InProject, claim: Claim, objects: Objects): void {
  claim(inProject(`TAKEN#${node.name}`)?.node_id === node.node_id, `${node.sk} has not claimed its name`);
  const guest = node.state && JSON.parse(node.state).device?.guest;
  const isOn = guest !== undefined && node.status !== "stopped";
  if (isOn) {
    const key = `guests/${node.project_id}/${node.node_id}/${guest}`;
    claim(
      objects.get(key) === node.guest_bytes,
      `${node.sk} is on, and counts ${node.guest_bytes} bytes for the state of its guest, which has ${objects.get(key)}`,
    );
  } else claim(!node.guest_bytes, `${node.sk} is off, and counts ${node.guest_bytes} bytes for a guest`);
  for (const [port, { link_id }] of Object.entries<Item>(node.links)) {
    const link = inProject(`LINK#${link_id}`);
    claim(link, `${node.sk} port ${port} has a link that is not there`);
  }
}

function checkLink(link: Item, inProject: InProject, claim: Claim, objects: Objects): void {
  for (const { node_id, adapter_number, port_number } of JSON.parse(link.document).nodes) {
    const node = inProject(`NODE#${node_id}`);
    const port = node?.links[`${adapter_number}_${port_number}`];
    claim(port?.link_id === link.link_id, `${link.sk} is not on the port of ${node_id}`);
  }
  if (link.capture === undefined) return;
  const { capture_id, segments, recent } = link.capture;
  claim(inProject(`CAPTURE#${link.link_id}#${capture_id}`), `${link.sk} runs a capture that is not there`);
  claim(Number.isInteger(segments), `${link.sk} does not know its segments`);
  claim(recent.length <= segments, `${link.sk} has more segments than it counts`);
  checkSegments(link, numbered(capture_id, recent, segments - recent.length), inProject, claim, objects);
}

/** Reports whether the page's capture exists and is not one object yet. Otherwise the page is a leftover for the sweeper. */
const isRead = ({ capture_id }: Item, own: readonly Item[]): boolean =>
  own.some((item) => item.sk.startsWith("CAPTURE#") && item.capture_id === capture_id && !item.stored);

/** Returns segments with the keys that their packets have if they are items. */
const numbered = (captureId: string, segments: readonly Item[], first: number): Item[] =>
  segments.map((segment, i) => ({
    ...segment,
    key: `PACKETS#${captureId}#${String(first + i).padStart(9, "0")}`,
  }));

function checkSegments(
  item: Item,
  segments: readonly Item[],
  inProject: InProject,
  claim: Claim,
  objects: Objects,
): void {
  for (const { object_id, offset, length, key } of segments) {
    if (length === 0) continue;
    const deflated = inProject(key)?.deflated;
    const isThere = object_id
      ? (objects.get(`segments/${item.project_id}/${object_id}`) ?? 0) >= offset + length
      : deflated !== undefined && inflateRawSync(deflated).length === length;
    claim(isThere, `${item.pk} ${item.sk} has a segment that is not there`);
  }
}

function checkCapture(capture: Item, inProject: InProject, claim: Claim, objects: Objects): void {
  const link = inProject(`LINK#${capture.link_id}`);
  claim(link, `${capture.sk} has no link`);
  const runs = link?.capture?.capture_id === capture.capture_id;
  claim(runs || capture.stopped_at, `${capture.sk} neither runs nor is stopped`);
  const { capture_id, recent = [], segments } = capture;
  checkSegments(capture, numbered(capture_id, recent, segments - recent.length), inProject, claim, objects);
  if (!capture.stored) return;
  const prefix = `captures/${capture.project_id}/${capture.capture_id}/`;
  claim(
    [...objects.keys()].some((key) => key.startsWith(prefix)),
    `${capture.sk} has no object`,
  );
}
