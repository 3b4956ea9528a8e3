/** Which callers are admitted, and how many tokens they consume, with a stopped clock. */
import { describe, expect, test, vi } from "vitest";
import { bucketsOf, sourceBucket } from "../../../functions/authorizer/attempt.ts";
import { makeGate } from "../../../functions/authorizer/hash-gate.ts";
import { makeJudge } from "../../../functions/authorizer/judge.ts";
import { KNOWN_SOURCE_SECONDS } from "../../../functions/authorizer/lock-out.ts";
import { Overloaded } from "../../../functions/authorizer/overloaded.ts";
import { generationOf, UNKNOWN_USERS_HASH } from "../../../functions/shared/store/user/password.ts";
import { settles } from "../../helpers/settles.ts";
import { type AttemptsInMemory, makeAttemptsInMemory } from "../../helpers/stores/attempts-in-memory.ts";

const RIGHT = "the right password";
const HOME = "203.0.113.7";
const DAY_MS = 86_400_000;
/** A minute after the clock's first time. */
const EVES_END_MS = 1_800_000_060_000;
/** An address in a network of its own for each index. */
const elsewhere = (index: number): string => `198.${18 + (index >> 8)}.${index & 255}.1`;

interface Setting {
  readonly atOnce?: number;
  readonly waiting?: number;
}

/** @param hashes receives every password that is checked. */
function makeService({ atOnce = 1_000, waiting = 0 }: Setting = {}) {
  const store = makeAttemptsInMemory();
  const hashes: string[] = [];
  let nowMs = 1_800_000_000_000;
  let broken: Error | undefined;
  let endless = false;
  const parts = {
    clock: {
      nowMs: () => nowMs,
      // Other attempts continue meanwhile.
      sleep: () => new Promise((resolve) => setImmediate(resolve)),
    },
    async findUser(name: string) {
      if (name === "eve")
        return { role: "editor" as const, password: UNKNOWN_USERS_HASH, endMs: EVES_END_MS };
      return name === "alice" ? { role: "editor" as const, password: UNKNOWN_USERS_HASH } : undefined;
    },
    async isPassword(password: string) {
      hashes.push(password);
      if (broken) throw broken;
      if (endless) await new Promise(() => {});
      await new Promise(setImmediate);
      return password === RIGHT;
    },
  };
  /** Starts a process; processes share only the table. */
  const startProcess = () => {
    const judge = makeJudge({ store, gate: makeGate({ atOnce, waiting, patienceMs: 1_000 }), ...parts });
    return (name: string, password: string, address: string, signal = new AbortController().signal) =>
      judge(`Basic ${Buffer.from(`${name}:${password}`).toString("base64")}`, address, signal);
  };
  return {
    store,
    hashes,
    startProcess,
    signIn: startProcess(),
    letTimePass: (ms: number) => {
      nowMs += ms;
    },
    breakHashes: (error: Error | undefined) => {
      broken = error;
    },
    makeHashesEndless: () => {
      endless = true;
    },
  };
}

const ALICE = expect.objectContaining({ user: "alice", role: "editor" });
const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index));
const tally = (verdicts: readonly unknown[]) =>
  Object.fromEntries(
    [...new Set(verdicts.map((each) => JSON.stringify(each)))].map((key) => [
      JSON.parse(key).user ?? JSON.parse(key),
      verdicts.filter((each) => JSON.stringify(each) === key).length,
    ]),
  );
const taken = (store: AttemptsInMemory, name: string, address: string) => [
  ...bucketsOf(name, address, { isKnown: false }).map(store.count),
  ...bucketsOf(name, address, { isKnown: true }).map(store.count),
];

test("a right password begins a session, which ends with that password", async () => {
  const { signIn } = makeService();
  expect(await signIn("alice", RIGHT, HOME)).toEqual({
    user: "alice",
    role: "editor",
    session: { generation: generationOf(UNKNOWN_USERS_HASH), signedInS: 1_800_000_000 },
  });
});

test("a user who has expired is refused with the right password, which counts as no guess, and with a wrong one", async () => {
  const { signIn, letTimePass, store } = makeService();
  letTimePass(59_999);
  expect(await signIn("eve", RIGHT, HOME)).toMatchObject({ user: "eve" });
  letTimePass(1);
  expect(await signIn("eve", RIGHT, HOME)).toBe("expired");
  expect(taken(store, "eve", HOME)).toEqual([0, 0, 0, 0]);
  expect(await signIn("eve", "a guess", HOME)).toBe("wrong");
});

describe("guesses in parallel", () => {
  test.each(["alice", "mallory"])("from one network under %s: five are checked", async (name) => {
    const { startProcess, hashes } = makeService();
    const verdicts = await Promise.all(
      times(60, (index) => startProcess()(name, `guess ${index}`, `203.0.113.${index}`)),
    );
    expect(tally(verdicts)).toEqual({ wrong: 5, "locked-out": 55 });
    expect(hashes.length).toBe(5);
  });

  test("from one address under many names: twenty are checked", async () => {
    const { startProcess, hashes } = makeService();
    const verdicts = await Promise.all(times(60, (index) => startProcess()(`u${index}`, "guess", HOME)));
    expect(tally(verdicts)).toEqual({ wrong: 20, "locked-out": 40 });
    expect(hashes.length).toBe(20);
  });

  test("under one name from all networks: sixty are checked, and one more after ten seconds", async () => {
    const { startProcess, letTimePass, signIn } = makeService();
    const verdicts = await Promise.all(
      times(300, (index) => startProcess()("alice", `guess ${index}`, elsewhere(index))),
    );
    expect(tally(verdicts)).toEqual({ wrong: 60, "locked-out": 240 });
    letTimePass(10_000);
    expect(await signIn("alice", RIGHT, elsewhere(400))).toEqual(ALICE);
  });

  test("from a known address are bounded, too", async () => {
    const { startProcess, signIn, hashes } = makeService();
    await signIn("alice", RIGHT, HOME);
    const verdicts = await Promise.all(times(50, (index) => startProcess()("alice", `guess ${index}`, HOME)));
    expect(tally(verdicts)).toEqual({ wrong: 20, "locked-out": 30 });
    expect(hashes.length).toBe(21);
  });
});

describe("right passwords in parallel", () => {
  test("from an unknown address are all admitted, in one process with one hash", async () => {
    const { signIn, hashes, store } = makeService();
    const verdicts = await Promise.all(times(50, () => signIn("alice", RIGHT, HOME)));
    expect(tally(verdicts)).toEqual({ alice: 50 });
    expect(hashes).toEqual([RIGHT]);
    expect(taken(store, "alice", HOME)).toEqual([0, 0, 0, 0]);
  });

  test("are all admitted by as many processes, though five tokens are fewer than fifty attempts", async () => {
    const { startProcess, store } = makeService();
    const verdicts = await Promise.all(times(50, () => startProcess()("alice", RIGHT, HOME)));
    expect(tally(verdicts)).toEqual({ alice: 50 });
    expect(taken(store, "alice", HOME)).toEqual([0, 0, 0, 0]);
  });

  test("from many networks at once are all admitted", async () => {
    const { startProcess } = makeService();
    const verdicts = await Promise.all(
      times(100, (index) => startProcess()("alice", RIGHT, elsewhere(index))),
    );
    expect(tally(verdicts)).toEqual({ alice: 100 });
  });

  test("do not admit another password from the same address", async () => {
    const { signIn } = makeService();
    const both = [signIn("alice", RIGHT, HOME), signIn("alice", "wrong", HOME), signIn("bob", RIGHT, HOME)];
    expect(await Promise.all(both)).toEqual([ALICE, "wrong", "wrong"]);
  });

  test("are checked again after the shared verdict", async () => {
    const { signIn, hashes } = makeService();
    await signIn("alice", RIGHT, HOME);
    await signIn("alice", RIGHT, HOME);
    expect(hashes).toEqual([RIGHT, RIGHT]);
  });
});

describe("a lock-out", () => {
  test("of a network ends three minutes later for one guess, and does not affect other networks", async () => {
    const { signIn, letTimePass } = makeService();
    for (const index of times(5, Number)) await signIn("alice", `guess ${index}`, "198.18.0.1");
    expect(await signIn("alice", RIGHT, "198.18.0.2")).toBe("locked-out");
    expect(await signIn("alice", RIGHT, HOME)).toEqual(ALICE);
    letTimePass(179_999);
    expect(await signIn("alice", RIGHT, "198.18.0.2")).toBe("locked-out");
    letTimePass(1);
    expect(await signIn("alice", RIGHT, "198.18.0.2")).toEqual(ALICE);
  });

  test("cannot be prolonged by a guess every fifteen minutes", async () => {
    const { signIn, letTimePass } = makeService();
    for (const index of times(12, Number)) await signIn("alice", `guess ${index}`, elsewhere(index));
    letTimePass(901_000);
    expect(await signIn("alice", "guess", elsewhere(20))).toBe("wrong");
    expect(await signIn("alice", RIGHT, elsewhere(21))).toEqual(ALICE);
  });

  test("of the name does not reach the addresses where its user has signed in", async () => {
    const { signIn } = makeService();
    await signIn("alice", RIGHT, HOME);
    for (const index of times(60, Number)) await signIn("alice", `guess ${index}`, elsewhere(index));
    expect(await signIn("alice", RIGHT, elsewhere(70))).toBe("locked-out");
    expect(await signIn("alice", RIGHT, HOME)).toEqual(ALICE);
  });

  test("of an address does not reach users who have signed in from it", async () => {
    const { signIn } = makeService();
    await signIn("alice", RIGHT, HOME);
    for (const index of times(20, Number)) await signIn(`u${index}`, "guess", HOME);
    expect(await signIn("u20", "guess", HOME)).toBe("locked-out");
    expect(await signIn("alice", RIGHT, HOME)).toEqual(ALICE);
  });

  test("also follows malformed headers", async () => {
    const { store } = makeService();
    const clock = { nowMs: () => 0, sleep: async () => {} };
    const judge = makeJudge({
      store,
      clock,
      gate: makeGate({ atOnce: 1, waiting: 0, patienceMs: 1 }),
      findUser: async () => undefined,
      isPassword: async () => false,
    });
    const verdicts = await Promise.all(
      times(25, (index) => judge(`Digest ${index}`, HOME, new AbortController().signal)),
    );
    expect(tally(verdicts)).toEqual({ malformed: 20, "locked-out": 5 });
    expect(store.count(sourceBucket(HOME))).toBe(20);
  });
});

describe("a known address", () => {
  test("stays known to a user who signs in within 30 days, as long as they do", async () => {
    const { signIn, letTimePass } = makeService();
    await signIn("alice", RIGHT, HOME);
    for (const _ of times(3, Number)) {
      letTimePass((KNOWN_SOURCE_SECONDS - 3_600) * 1000);
      await signIn("alice", RIGHT, HOME);
    }
    for (const index of times(60, Number)) await signIn("alice", `guess ${index}`, elsewhere(index));
    expect(await signIn("alice", RIGHT, HOME)).toEqual(ALICE);
  });

  test("expires after 30 days without a sign-in, and wrong passwords do not renew it", async () => {
    const { signIn, letTimePass } = makeService();
    await signIn("alice", RIGHT, HOME);
    letTimePass(KNOWN_SOURCE_SECONDS * 1000 - 3_600_000);
    await signIn("alice", "wrong", HOME);
    letTimePass(3_600_000);
    for (const index of times(60, Number)) await signIn("alice", `guess ${index}`, elsewhere(index));
    expect(await signIn("alice", RIGHT, HOME)).toBe("locked-out");
  });

  test("takes one write a day", async () => {
    const { signIn, letTimePass, store } = makeService();
    for (const _ of times(24, Number)) {
      await signIn("alice", RIGHT, HOME);
      letTimePass(DAY_MS / 12);
    }
    expect(store.calls.filter((call) => call === "remember").length).toBe(2);
  });
});

describe("the table calls of a sign-in", () => {
  test.each([
    ["a right password from a known address", RIGHT, { known: 1, take: 1, end: 1 }],
    ["a wrong password from a known address", "wrong", { known: 1, take: 1, end: 1 }],
  ])("%s", async (_name, password, calls) => {
    const { signIn, store } = makeService();
    await signIn("alice", RIGHT, HOME);
    store.calls.length = 0;
    await signIn("alice", password, HOME);
    expect(tally(store.calls)).toEqual(calls);
  });

  test.each([
    ["a right password from elsewhere", "alice", RIGHT, { known: 1, take: 3, end: 3, remember: 1 }],
    ["a wrong password", "alice", "wrong", { known: 1, take: 3, end: 3 }],
    ["an unknown name", "mallory", "wrong", { known: 1, take: 3, end: 3 }],
  ])("%s", async (_what, name, password, calls) => {
    const { signIn, store } = makeService();
    await signIn(name, password, HOME);
    expect(tally(store.calls)).toEqual(calls);
  });

  test.each(["alice", "mallory"])(
    "a refusal of %s, with no attempt in progress to wait for",
    async (name) => {
      const { signIn, store } = makeService();
      for (const index of times(5, Number)) await signIn(name, `guess ${index}`, HOME);
      store.calls.length = 0;
      expect(await signIn(name, "another", HOME)).toBe("locked-out");
      expect(tally(store.calls)).toEqual({ known: 2, take: 1, read: 1 });
    },
  );
});

describe("a process that checks as many as it can", () => {
  test("fails further requests without counting them", async () => {
    const { signIn, store, hashes } = makeService({ atOnce: 4 });
    const verdicts = await Promise.allSettled(
      times(15, (index) => signIn(`u${index}`, "guess", elsewhere(index))),
    );
    const failed = verdicts.flatMap((each) => (each.status === "rejected" ? [each.reason] : []));
    expect(verdicts.flatMap((each) => (each.status === "fulfilled" ? [each.value] : []))).toEqual(
      times(4, () => "wrong"),
    );
    expect(failed.map((reason) => reason instanceof Overloaded)).toEqual(times(11, () => true));
    expect(hashes.length).toBe(4);
    const counted = times(15, (index) => store.count(sourceBucket(elsewhere(index))));
    expect(counted.reduce((sum, each) => sum + each, 0)).toBe(4);
  });
});

describe("a check that does not finish in the function's time", () => {
  test("fails, and gives its tokens back", async () => {
    const { signIn, store, makeHashesEndless } = makeService();
    makeHashesEndless();
    const time = new AbortController();
    const checking = signIn("alice", RIGHT, HOME, time.signal);
    await settles(() => expect(taken(store, "alice", HOME)).toEqual([1, 1, 1, 0]));
    time.abort();
    await expect(checking).rejects.toBeInstanceOf(Overloaded);
    expect(taken(store, "alice", HOME)).toEqual([0, 0, 0, 0]);
  });

  test("fails before its tokens are taken, and gives back those that are taken too late", async () => {
    const { signIn, store } = makeService();
    const time = new AbortController();
    const checking = signIn("alice", RIGHT, HOME, time.signal);
    time.abort();
    await expect(checking).rejects.toBeInstanceOf(Overloaded);
    await settles(() => expect(store.calls.filter((call) => call === "end").length).toBe(3));
    expect(taken(store, "alice", HOME)).toEqual([0, 0, 0, 0]);
  });

  test("locks no user out, however often it happens", async () => {
    const { signIn } = makeService();
    const time = new AbortController();
    time.abort();
    for (const _ of times(30, Number))
      await expect(signIn("alice", RIGHT, HOME, time.signal)).rejects.toBeInstanceOf(Overloaded);
    expect(await signIn("alice", RIGHT, HOME)).toEqual(ALICE);
  });
});

describe("a table that fails during an attempt", () => {
  test("leaves no tokens taken, if it fails when the last one is taken", async () => {
    const { signIn, store } = makeService();
    const { takeAttempt } = store;
    vi.spyOn(store, "takeAttempt").mockImplementation((bucket, ...rest) =>
      bucket.from === "ANYWHERE" ? Promise.reject(new Error("no table")) : takeAttempt(bucket, ...rest),
    );
    await expect(signIn("alice", RIGHT, HOME)).rejects.toThrow("no table");
    expect(taken(store, "alice", HOME)).toEqual([0, 0, 0, 0]);
  });

  test("leaves no tokens taken, if it fails when the address of a right password is stored", async () => {
    const { signIn, store } = makeService();
    vi.spyOn(store, "rememberSource").mockRejectedValue(new Error("no table"));
    await expect(signIn("alice", RIGHT, HOME)).rejects.toThrow("no table");
    expect(taken(store, "alice", HOME)).toEqual([0, 0, 0, 0]);
  });
});

test("a hash that fails is a fault, is not counted, and is retried by the next request", async () => {
  const { signIn, store, breakHashes } = makeService();
  breakHashes(new Error("no memory"));
  await expect(signIn("alice", RIGHT, HOME)).rejects.toThrow("no memory");
  expect(taken(store, "alice", HOME)).toEqual([0, 0, 0, 0]);
  breakHashes(undefined);
  expect(await signIn("alice", RIGHT, HOME)).toEqual(ALICE);
});

test("a sign-in waits for attempts that never end only until the function's time limit", async () => {
  const { store, signIn } = makeService();
  const [network] = bucketsOf("alice", HOME, { isKnown: false });
  for (const _ of times(5, Number)) await store.takeAttempt(network!, 1_800_000_000_000);
  await expect(signIn("alice", RIGHT, HOME)).rejects.toBeInstanceOf(Overloaded);
  expect(store.count(network!)).toBe(5);
});
