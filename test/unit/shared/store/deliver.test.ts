/** Texts that are not stored, sent to the followers of a stream. The table and the connections are stand-ins. */
import { beforeEach, expect, test, vi } from "vitest";
import { sendToAll } from "../../../../functions/shared/store/sockets/deliver.ts";
import { settles } from "../../../helpers/settles.ts";

interface Follower {
  stream: string;
  connection_id: string;
  open?: boolean;
}
let followers: Follower[];
const sent: string[] = [];
/** Called at each read of a follower. */
let atRead: (read: number) => void;
let reads = 0;

vi.mock("../../../../functions/shared/store/sockets/follower.ts", () => ({
  listFollowers: async (stream: string) =>
    structuredClone(followers.filter((each) => each.stream === stream)),
  getFollower: async ({ connection_id }: Follower) => {
    reads += 1;
    atRead(reads);
    return followers.find((each) => each.connection_id === connection_id);
  },
}));
vi.mock("../../../../functions/shared/store/sockets/send.ts", () => ({
  send: async (connection: string, text: string) => {
    sent.push(`${connection} ${text}`);
    return true;
  },
}));
vi.mock("../../../../functions/shared/store/project/project.ts", () => ({
  getProject: async () => undefined,
}));
vi.mock("../../../../functions/shared/store/project/access.ts", () => ({}));
vi.mock("../../../../functions/shared/store/events/read-events.ts", () => ({}));
vi.mock("../../../../functions/shared/store/sockets/connection.ts", () => ({}));
vi.mock("node:timers/promises", () => ({
  setTimeout: () => new Promise((resolve) => setImmediate(resolve)),
}));

beforeEach(() => {
  sent.splice(0);
  reads = 0;
  atRead = () => undefined;
  followers = [
    { stream: "p1", connection_id: "a", open: true },
    { stream: "p1", connection_id: "b" },
    { stream: "p2", connection_id: "c", open: true },
  ];
});

test("a follower whose connection is about to open gets a text when it is open", async () => {
  atRead = (read) => {
    if (read < 3) return;
    expect(sent).toEqual(["a text"]);
    followers[1]!.open = true;
  };
  await sendToAll("p1", "text");
  expect(sent).toEqual(["a text", "b text"]);
});

test("texts for a follower that opens keep their order, also those that come when it has opened", async () => {
  atRead = (read) => {
    if (read === 2) followers[1]!.open = true;
  };
  const first = sendToAll("p1", "1");
  const second = sendToAll("p1", "2");
  await settles(() => expect(followers[1]!.open).toBe(true));
  await Promise.all([first, second, sendToAll("p1", "3")]);
  expect(sent.filter((each) => each.startsWith("b"))).toEqual(["b 1", "b 2", "b 3"]);
});

test("a follower that leaves before it is open, or does not open, gets nothing", async () => {
  atRead = (read) => {
    if (read === 2) followers = followers.filter(({ connection_id }) => connection_id !== "b");
  };
  await sendToAll("p1", "1");
  followers.push({ stream: "p1", connection_id: "b" });
  atRead = () => undefined;
  await sendToAll("p1", "2");
  expect(sent).toEqual(["a 1", "a 2"]);
});
