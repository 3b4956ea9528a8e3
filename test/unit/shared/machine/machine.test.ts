/** The helper machine's steps against the fake of EC2: test/helpers/ec2. */
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { FAKE_CREDENTIALS, FAKE_REGION, FakeEc2, type Fate } from "../../../helpers/ec2/fake-ec2.ts";
import { MemoryStore } from "../../../helpers/ec2/memory-store.ts";

Object.assign(process.env, FAKE_CREDENTIALS, {
  AWS_REGION: FAKE_REGION,
  TABLE_NAME: "unused",
  COMPUTE_LOOPBACK: "true",
  HELPER_STACK: "Wirelab",
  HELPER_TYPE: "c8i.xlarge",
});
const { advance } = await import("../../../../functions/shared/machine/advance.ts");
const { ensureHelper } = await import("../../../../functions/shared/machine/ensure.ts");
const { awaitServer } = await import("../../../../functions/helper/await-server.ts");

const CONFIG = { stack: "Wirelab", template: "lt-1", type: "c8i.xlarge" };
const TAGS = { "wirelab:helper": "Wirelab", Name: "Wirelab helper" };
const MINUTE_US = 60_000_000;

let ec2: FakeEc2;
let gns3: Server;
let version: string;
let store: MemoryStore;

beforeAll(async () => {
  ec2 = await FakeEc2.start();
  process.env.AWS_ENDPOINT_URL_EC2 = ec2.endpoint;
  gns3 = createServer(({ headers, url }, response) => {
    const isKnown = headers.authorization === `Basic ${Buffer.from("gns3:secret").toString("base64")}`;
    response.statusCode = !isKnown ? 401 : url === "/v2/compute/capabilities" ? 200 : 404;
    response.end(JSON.stringify(isKnown ? { version } : { message: "Unauthorized" }));
  });
  await new Promise<void>((resolve) => gns3.listen(0, "127.0.0.1", resolve));
});

afterAll(async () => {
  await ec2.stop();
  await new Promise((resolve) => gns3.close(resolve));
});

beforeEach(() => {
  vi.unstubAllEnvs();
  ec2.reset();
  version = "2.2.54";
  store = new MemoryStore();
  const { port } = gns3.address() as AddressInfo;
  store.simvm = { ...store.simvm, enable: true, port, vcpus: 1, ram: 2048 };
});

const step = () => advance(CONFIG, store);
/** As many attempts as the schedule's call has time for. */
const answer = (attempts = 1, password = "secret") => {
  let left = attempts;
  return awaitServer({
    store,
    password: async () => password,
    remainingTimeMs: () => (--left > 0 ? 60_000 : 0),
    pause: async () => {},
  });
};
const ask = (project?: string) =>
  ensureHelper(project, store).then(
    () => "ready",
    (error) => error,
  );
const passed = (us: number) => {
  store.helper = {
    ...store.helper,
    used_us: store.helper.used_us - us,
    since_us: store.helper.since_us - us,
  };
};

/** Brings the machine to `ready`. */
async function makeReady(): Promise<void> {
  await step();
  ec2.settle();
  await step();
  expect(await answer()).toBe(true);
}

describe("a start", () => {
  test("launches one instance from the template, waits for it and registers it as compute vm", async () => {
    await step();
    expect(store.helper).toMatchObject({ state: "starting", instance_id: ec2.instances[0]!.id });
    expect(ec2.instances).toHaveLength(1);
    expect(ec2.instances[0]).toMatchObject({ type: "c8i.xlarge", tags: TAGS });
    expect(ec2.calls.find(({ action }) => action === "RunInstances")!.form).toMatchObject({
      "LaunchTemplate.LaunchTemplateId": "lt-1",
      "TagSpecification.2.ResourceType": "volume",
      MaxCount: "1",
    });
    expect(await answer()).toBe(false);

    await step();
    expect(store.helper.state).toBe("starting");
    ec2.settle();
    await step();
    expect(store.helper).toMatchObject({ state: "booting", address: "127.0.0.1" });
    expect(store.vm).toBeUndefined();

    expect(await answer()).toBe(true);
    expect(store.helper.state).toBe("ready");
    expect(store.vm).toEqual({
      name: "GNS3 VM (helper)",
      protocol: "http",
      host: "127.0.0.1",
      port: store.simvm.port,
      user: "gns3",
      has_password: true,
    });
  });

  test("starts the stopped instance that the settings name, and gives it a type of its family that has the vcpus and the ram", async () => {
    const other = ec2.add({ tags: { ...TAGS, Name: "other" }, type: "c8i.large" });
    ec2.add({ tags: { "wirelab:helper": "Another stack", Name: "other" } });
    store.simvm = { ...store.simvm, vmname: "other", vcpus: 3, ram: 12_000 };
    await step();
    expect(other).toMatchObject({ state: "pending", type: "c8i.2xlarge" });
    expect(ec2.instances.map(({ state }) => state)).toEqual(["pending", "stopped"]);
  });

  test("leaves the type alone without allocate_vcpus_ram", async () => {
    const own = ec2.add({ tags: TAGS, type: "c8i.large" });
    store.simvm = { ...store.simvm, allocate_vcpus_ram: false, vcpus: 64 };
    await step();
    expect(own).toMatchObject({ state: "pending", type: "c8i.large" });
    expect(ec2.calls.map(({ action }) => action)).not.toContain("ModifyInstanceAttribute");
  });

  test("waits for an instance that is still stopping, then starts it", async () => {
    const own = ec2.add({ tags: TAGS, state: "stopping" });
    await step();
    expect(store.helper.state).toBe("wanted");
    ec2.settle();
    await step();
    expect(own.state).toBe("pending");
  });

  test("is tried a few times when EC2 ends the instance, and then waits for a request", async () => {
    const states: string[] = [];
    for (let attempt = 0; attempt < 5; attempt++) {
      await step();
      states.push(store.helper.state);
      for (const one of ec2.instances) {
        Object.assign(one, { state: "terminated", reason: "Client.InternalError: Client error on launch" });
      }
    }
    expect(states).toEqual(["starting", "starting", "starting", "off", "off"]);
    expect(ec2.instances).toHaveLength(3);
    expect(store.helper.error).toBe("EC2 has ended the instance: it no longer exists");
    const refused = await ask();
    expect(refused).toMatchObject({ status: 503 });
    await step();
    expect(ec2.instances).toHaveLength(4);
  });

  test.each<[Exclude<Fate, string>, RegExp]>([
    [{ code: "InsufficientInstanceCapacity", status: 500 }, /no capacity for this instance type/],
    [{ code: "UnauthorizedOperation", status: 403 }, /needs the tag wirelab:helper/],
    [{ code: "RequestLimitExceeded", status: 503 }, /throttles/],
    [{ code: "VcpuLimitExceeded" }, /quota of virtual processors/],
    [{ code: "InternalError", status: 500 }, /failed; try again/],
    [{ code: "SomethingNew" }, /SomethingNew planned/],
  ])("that EC2 refuses with %j is a 503 in words, and is tried again", async (fate, words) => {
    const own = ec2.add({ tags: TAGS });
    ec2.decide = ({ action }) => (action === "StartInstances" ? fate : "pass");
    await step();
    expect(store.helper).toMatchObject({ state: "wanted", error: expect.stringMatching(words) });
    const refused = await ask("p1");
    expect(refused).toMatchObject({
      code: "simvm.unavailable",
      status: 503,
      message: expect.stringMatching(words),
    });
    expect(refused.retryAfterS).toBeGreaterThan(1);
    ec2.decide = () => "pass";
    await step();
    expect(own.state).toBe("pending");
    expect(store.helper.error).toBeUndefined();
  });

  test("of an instance that does not exist is refused in words, and nothing is launched", async () => {
    store.simvm = { ...store.simvm, vmname: "nowhere" };
    await step();
    expect(store.helper.error).toMatch(/no virtual machine named nowhere/);
    expect(ec2.instances).toEqual([]);
  });
});

describe("the server of the machine", () => {
  beforeEach(async () => {
    await step();
    ec2.settle();
    await step();
  });

  test("is asked until it answers", async () => {
    const { port } = store.simvm;
    // A port of no server.
    store.simvm = { ...store.simvm, port: 1 };
    let attempts = 0;
    const answered = await awaitServer({
      store,
      password: async () => "secret",
      remainingTimeMs: () => 60_000,
      pause: async () => {
        attempts += 1;
        if (attempts === 2) store.simvm = { ...store.simvm, port };
      },
    });
    expect(answered).toBe(true);
    expect(attempts).toBe(2);
    expect(store.helper.error).toBeUndefined();
  });

  test("with another version or another password is reported, and not registered", async () => {
    version = "3.0.5";
    expect(await answer(2)).toBe(false);
    expect(store.helper).toMatchObject({
      state: "booting",
      error: "its server has version 3.0.5, and 2.2 is needed",
    });
    expect(await answer(2, "wrong")).toBe(false);
    expect(store.helper.error).toMatch(/does not accept the user and the password/);
    expect((await ask()).message).toMatch(/does not accept the user and the password/);
    expect(store.vm).toBeUndefined();
  });

  test("that does not answer is reported after a quarter of an hour, and its instance is stopped after an hour", async () => {
    passed(15 * MINUTE_US);
    await step();
    expect(store.helper).toMatchObject({
      state: "booting",
      error: expect.stringMatching(/has not answered on port/),
    });
    passed(45 * MINUTE_US);
    await step();
    expect(ec2.instances[0]!.state).toBe("stopping");
  });
});

describe("a request that needs the machine", () => {
  test("does nothing while the helper machine is another engine's, or off", async () => {
    store.simvm = { ...store.simvm, engine: "remote" };
    expect(await ask("p1")).toBe("ready");
    store.simvm = { ...store.simvm, engine: "ec2", enable: false };
    expect(await ask("p1")).toBe("ready");
    expect(store.helper.revision).toBe(0);
  });

  test("starts it, gets 503 with Retry-After until it is ready, and keeps it for its project", async () => {
    const words: string[] = [];
    const asked = async () => {
      const { status, message, retryAfterS } = await ask("p1");
      expect([status, retryAfterS > 1]).toEqual([503, true]);
      words.push(message.split(": ")[1]);
    };
    await asked();
    await step();
    await asked();
    ec2.settle();
    await step();
    await asked();
    expect(words).toEqual([
      "its start has been asked for; try again",
      "EC2 is starting its instance; try again",
      "its instance runs, and its GNS3 server does not answer yet; try again",
    ]);
    await answer();
    expect(await ask("p1")).toBe("ready");
    expect(store.helper.projects).toEqual(["p1"]);
  });

  test("brings back a machine that is stopping", async () => {
    await makeReady();
    store.helper = { ...store.helper, state: "stopping" };
    await step();
    expect(ec2.instances[0]!.state).toBe("stopping");
    await ask("p1");
    await step();
    ec2.settle();
    await step();
    expect(ec2.instances[0]!.state).toBe("pending");
  });
});

describe("a stop", () => {
  beforeEach(makeReady);

  test("follows when no project that uses the machine is open for the time of the setting", async () => {
    vi.stubEnv("HELPER_IDLE_MINUTES", "10");
    store.opened.add("p1");
    await ask("p1");
    passed(11 * MINUTE_US);
    await step();
    expect(store.helper.state).toBe("ready");

    store.opened.delete("p1");
    passed(9 * MINUTE_US);
    await step();
    expect(store.helper).toMatchObject({ state: "ready", projects: [] });
    passed(2 * MINUTE_US);
    await step();
    expect(store.helper.state).toBe("stopping");
    expect(store.vm).toBeUndefined();
    expect(ec2.instances[0]).toMatchObject({ state: "stopping", hibernated: false });
    ec2.settle();
    await step();
    expect(store.helper.state).toBe("off");
  });

  test("never follows with when_exit keep, also not when the helper machine is disabled", async () => {
    store.simvm = { ...store.simvm, when_exit: "keep" };
    passed(10_000 * MINUTE_US);
    await step();
    expect(store.helper.state).toBe("ready");
    store.simvm = { ...store.simvm, enable: false };
    await step();
    expect([store.helper.state, store.vm, ec2.instances[0]!.state]).toEqual(["off", undefined, "running"]);
  });

  test("follows at once when the helper machine is disabled", async () => {
    store.opened.add("p1");
    await ask("p1");
    store.simvm = { ...store.simvm, enable: false };
    await step();
    expect(ec2.instances[0]!.state).toBe("stopping");
  });

  test("hibernates with when_exit suspend, and stops without when EC2 refuses for ten minutes", async () => {
    store.simvm = { ...store.simvm, when_exit: "suspend", enable: false };
    await step();
    expect(store.helper).toMatchObject({
      state: "stopping",
      error: expect.stringMatching(/cannot hibernate/),
    });
    expect(ec2.instances[0]!.state).toBe("running");
    passed(11 * MINUTE_US);
    await step();
    expect(ec2.instances[0]).toMatchObject({ state: "stopping", hibernated: false });

    ec2.reset();
    const own = ec2.add({ tags: TAGS, state: "running", hibernates: true });
    store.helper = { ...store.helper, state: "ready", enabled: true, instance_id: own.id };
    await step();
    expect(own).toMatchObject({ state: "stopping", hibernated: true });
  });

  test("by an operator takes the compute away, and the next request starts the machine again", async () => {
    ec2.instances[0]!.state = "stopped";
    await step();
    expect([store.helper.state, store.vm]).toEqual(["off", undefined]);
    await ask("p1");
    await step();
    expect(ec2.instances[0]!.state).toBe("pending");
  });
});

test("another port of the settings registers the machine anew", async () => {
  await makeReady();
  const { port } = store.simvm;
  store.simvm = { ...store.simvm, port: 1 };
  await step();
  expect([store.helper.state, store.vm]).toEqual(["booting", undefined]);
  store.simvm = { ...store.simvm, port };
  await answer();
  expect(store.vm?.port).toBe(port);
});

/** A whole life, by the calls that the schedule and the events make. */
async function live(): Promise<void> {
  for (let minute = 0; minute < 8; minute++) {
    await step();
    ec2.settle();
    await answer();
  }
}

class Death extends Error {}

describe("a function that dies", () => {
  /** Counts calls of EC2 and writes; the chosen one is the function's last. */
  const dieAt = (last: number, performed: boolean) => {
    let count = 0;
    const isLast = () => count++ === last;
    ec2.decide = () => (isLast() ? (performed ? "lost-response" : "lost-request") : "pass");
    const strike = () => {
      if (isLast()) throw new Death();
    };
    if (performed) store.afterWrite = strike;
    else store.beforeWrite = strike;
    return () => count;
  };
  const survive = (promise: Promise<unknown>) =>
    promise.catch((error) => {
      if (!(error instanceof Death)) throw error;
    });

  test.each([false, true])(
    "at any call of a start leaves one instance, which the next calls make ready (performed: %s)",
    async (performed) => {
      let calls = 1;
      for (let last = 0; last < calls; last++) {
        ec2.reset();
        store.helper = { ...(await new MemoryStore().read()) };
        store.vm = undefined;
        const counted = dieAt(last, performed);
        for (let minute = 0; minute < 4; minute++) {
          await survive(step());
          ec2.settle();
          await survive(answer());
        }
        calls = counted();
        store.beforeWrite = store.afterWrite = () => {};
        ec2.decide = () => "pass";
        await live();
        expect([last, store.helper.state, ec2.instances.length]).toEqual([last, "ready", 1]);
        expect(store.vm).toBeDefined();
        calls = Math.min(calls, 12);
      }
      expect(calls).toBeGreaterThan(7);
    },
  );

  test.each([false, true])(
    "at any call of a stop leaves an instance that the next calls stop (performed: %s)",
    async (performed) => {
      for (let last = 0; last < 5; last++) {
        ec2.reset();
        const own = ec2.add({ tags: TAGS, state: "running" });
        store.vm = { name: "vm", protocol: "http", host: "127.0.0.1", port: 1 };
        store.helper = {
          ...store.helper,
          state: "ready",
          enabled: true,
          instance_id: own.id,
          address: own.address,
        };
        store.simvm = { ...store.simvm, enable: false };
        dieAt(last, performed);
        await survive(step());
        ec2.settle();
        await survive(step());
        store.beforeWrite = store.afterWrite = () => {};
        ec2.decide = () => "pass";
        await live();
        expect([last, store.helper.state, own.state, store.vm]).toEqual([last, "off", "stopped", undefined]);
        store.simvm = { ...store.simvm, enable: true };
      }
    },
  );
});

test("two calls at once start one instance", async () => {
  await Promise.all([step(), step(), step()]);
  expect(ec2.instances).toHaveLength(1);
});
