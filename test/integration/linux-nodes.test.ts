/** Linux nodes in the service: created like other nodes, and run by the function `guests`. */
import { parseLabFile } from "@wirelab/lab/read/parse-lab-file";
import { toWire } from "@wirelab/lab/report/wire";
import { runLab } from "@wirelab/lab/run-lab";
import { applyFailures } from "@wirelab/lab/sweep/failures";
import { cacheFolder, imagesFolder, readFacts } from "@wirelab/linux/image/image";
import { afterEach, describe, expect, test } from "vitest";
import { SERVICE } from "../../functions/shared/edge/access.ts";
import type { Operation } from "../../functions/shared/edge/operation.ts";
import type { Route } from "../../functions/shared/edge/route.ts";
import { readFailures } from "../../functions/shared/lab-file/read-failures.ts";
import { makeGuests } from "../../packages/wirelab/guests.ts";
import { carryOut, playFile } from "../helpers/service/carry-out.ts";
import { perform } from "../helpers/service/in-process.ts";
import { addLink, addNode, client, end, freshName, type Lab, makeLab, uuid } from "../helpers/service/lab.ts";
import { settles } from "../helpers/settles.ts";
import { environmentOf, localStack } from "../helpers/stack/this-stack.ts";
import { danglingReferences } from "../helpers/stores/store-checker.ts";
import { runCli } from "../unit/wirelab/run-cli.ts";

Object.assign(process.env, environmentOf(localStack()));
const { listObjects } = await import("../../functions/shared/store/base/objects.ts");
const { getProject } = await import("../../functions/shared/store/project/project.ts");
const { createProject } = await import("../../functions/projects/create-project.ts");
const { LabGuests } = await import("../../functions/runs/lab-guests.ts");
const { runConsole } = await import("../../functions/runs/console.ts");
const power = await import("../../functions/runs/power.ts");
const { withGuests } = await import("../../functions/shared/run/guests.ts");

afterEach(() => {
  for (const name of ["QUOTA_STORED_BYTES", "QUOTA_USER_STORED_BYTES", "LINUX_MAX_STATE_MB"])
    delete process.env[name];
});

const IMAGE = "bird";
/** Guests only compute, so a busy machine takes several times as long as an idle one, which takes some seconds. */
const GUESTS_MS = 180_000;
const hasImage = readFacts(imagesFolder(cacheFolder(process.env)), IMAGE) !== undefined;

const addLinux = (lab: Lab, name: string, properties: Record<string, unknown> = {}): Promise<string> =>
  addNode(lab, { name, node_type: "linux", properties: { image: IMAGE, ...properties } });

const create = (lab: Lab, properties: Record<string, unknown>, node_type = "linux") =>
  client.post(`${lab.path}/nodes`, { name: "L1", compute_id: "local", node_type, properties });

describe("a Linux node", () => {
  test("is shown as a container whose image names that of the node, with its ports", async () => {
    const lab = await makeLab();
    const { status, json } = await create(lab, {
      image: "frr",
      ports: ["10.0.0.1/24", ["10.1.0.1/24", "fd00::1/64"], null],
      files: { "etc/frr/frr.conf": "router ospf\n" },
      commands: "ip route add default via 10.0.0.2\nsysctl -w net.ipv4.ip_forward=1\n",
      hostname: "edge-1",
    });
    expect(status).toBe(201);
    expect(json).toMatchObject({
      node_type: "docker",
      status: "stopped",
      console_type: "telnet",
      ports: [{ name: "eth0" }, { name: "eth1" }, { name: "eth2" }],
      properties: {
        image: "wirelab/linux:frr",
        adapters: 3,
        hostname: "edge-1",
        ports: [["10.0.0.1/24"], ["10.1.0.1/24", "fd00::1/64"], []],
        files: { "etc/frr/frr.conf": "router ospf\n" },
        commands: ["ip route add default via 10.0.0.2", "sysctl -w net.ipv4.ip_forward=1"],
        start_command: "",
      },
    });
  });

  test("is made of a container with such an image, and keeps what a change does not name", async () => {
    const lab = await makeLab();
    const { json } = await create(lab, { image: "wirelab/linux", adapters: 2, environment: "A=1" }, "docker");
    expect(json.properties).toMatchObject({ image: "wirelab/linux:debian", adapters: 2, environment: "A=1" });
    const path = `${lab.path}/nodes/${json.node_id}`;
    const { json: more } = await client.put(path, { properties: { ...json.properties, adapters: 3 } });
    expect(more).toMatchObject({
      properties: { ports: [[], [], []], environment: "A=1" },
      ports: [{}, {}, { name: "eth2" }],
    });
    const { json: addressed } = await client.put(path, { properties: { ports: ["10.0.0.1/24"] } });
    expect(addressed.properties).toMatchObject({ adapters: 1, ports: [["10.0.0.1/24"]] });
  });

  test.each([
    ["image", { image: "../etc" }, "properties.image"],
    ["image of another kind", { image: "wirelab/router" }, "properties.image"],
    ["ports", { adapters: 65 }, "properties.adapters"],
    ["addresses", { ports: ["10.0.0.1"] }, "properties.ports.0"],
    ["hostname", { hostname: "a b" }, "properties.hostname"],
    ["commands", { commands: [1] }, "properties.commands"],
    ["files", { files: { "etc/x": 1 } }, "properties.files.etc/x"],
    ["names of properties", { memory: 1 }, "properties"],
  ])("refuses wrong %s", async (_what, properties, path) => {
    const { status, json } = await create(await makeLab(), properties);
    expect(status).toBe(400);
    expect(json.errors[0].path).toContain(path);
  });

  test("has a template", async () => {
    const lab = await makeLab();
    const { json: templates } = await client.get("/templates");
    const { template_id } = templates.find(({ name }: { name: string }) => name === "Linux");
    const { status, json } = await client.post(`${lab.path}/templates/${template_id}`, {
      x: 0,
      y: 0,
      compute_id: "local",
    });
    expect({ status, json }).toMatchObject({
      status: 201,
      json: {
        name: "Linux1",
        node_type: "docker",
        properties: { image: "wirelab/linux:debian", adapters: 4 },
      },
    });
  });

  test("does not start without its image, and the error names the commands that make it", async () => {
    const lab = await makeLab();
    const node = await addLinux(lab, "L1", { image: "absent" });
    const refused = await carryOut(`${lab.path}/nodes/${node}/start`);
    expect(refused).toMatchObject({ status: 409, json: { code: "node.no-linux-image" } });
    expect(refused.json.message).toContain("wirelab image push absent");
    expect((await client.get(`${lab.path}/nodes/${node}`)).json.status).toBe("stopped");
  });

  test("starts at an address that its request returns at once, or in the request of a client that prefers to wait", async () => {
    const lab = await makeLab();
    const node = await addLinux(lab, "L1", { image: "absent" });
    const start = `${lab.path}/nodes/${node}/start`;
    const begun = await client.call("POST", start, { headers: { Prefer: "respond-async" } });
    expect(begun).toMatchObject({
      status: 202,
      headers: { location: `/v2${lab.path}/runs/${begun.json.run_id}` },
      json: { status: "running", elapsed: 0, answer: null, error: null },
    });
    expect(begun.headers).not.toHaveProperty("preference-applied");
    const waited = await client.call("POST", start, { headers: { Prefer: "wait=20" } });
    expect(waited).toMatchObject({ status: 409, json: { code: "node.no-linux-image" } });
  });

  test("that cannot start keeps a project that starts its nodes closed, and the error names what to do", async () => {
    const lab = await makeLab({ auto_start: true });
    await addLinux(lab, "L1", { image: "absent" });
    await addNode(lab);
    await client.post(`${lab.path}/close`);
    const refused = await carryOut(`${lab.path}/open`);
    expect(refused).toMatchObject({ status: 409, json: { code: "node.no-linux-image" } });
    expect(refused.json.message).toContain("wirelab image push absent");
    expect((await client.get(lab.path)).json.status).toBe("closed");
    expect((await client.get(`${lab.path}/nodes`)).json).toMatchObject([
      { status: "stopped" },
      { status: "stopped" },
    ]);
    await client.put(lab.path, { auto_start: false });
    expect((await client.post(`${lab.path}/open`)).json.status).toBe("opened");
  });

  test("of a lab file needs an image of the service, and the problem has its line, also before a sweep", async () => {
    const raw = "nodes:\n  a: {type: linux, image: absent}\n";
    for (const path of ["/labs/run", "/labs/sweep"]) {
      const { status, json } = await client.call("POST", path, { raw });
      expect({ status, json }).toMatchObject({ status: 400, json: { errors: [{ path: "body:2:20" }] } });
      expect(json.errors[0].message).toContain("wirelab image build absent && wirelab image push absent");
    }
    const unknown = await client.get(`/labs/run?run_id=${uuid()}`);
    expect(unknown).toMatchObject({ status: 404, json: { code: "run.not-found" } });
  });

  test("is one of at most 8 in a lab file", async () => {
    const nodes = Object.fromEntries(Array.from({ length: 9 }, (_, at) => [`n${at}`, { type: "linux" }]));
    for (const path of ["/labs/run", "/labs/sweep"]) {
      const { status, json } = await client.call("POST", path, { raw: JSON.stringify({ nodes }) });
      expect({ status, json }).toMatchObject({ status: 409, json: { code: "run.too-many-guests" } });
    }
  });

  test("an unknown run is not found", async () => {
    const lab = await makeLab();
    const { status, json } = await client.get(`${lab.path}/runs/${uuid()}`);
    expect({ status, json }).toMatchObject({ status: 404, json: { code: "run.not-found" } });
  });
});

/** Runs a scenario. @returns the report. */
async function runAll(lab: Lab, scenario: object) {
  const { status, json } = await carryOut(`${lab.path}/run`, scenario);
  expect(status, JSON.stringify(json)).toBe(200);
  return json;
}

/** @param path of the project. @returns the transcript. */
async function type(path: string, node: string, ...commands: string[]): Promise<string> {
  const { status, json } = await carryOut(`${path}/nodes/${node}/console`, { commands });
  expect(status, JSON.stringify(json)).toBe(200);
  return json.output;
}

/** Starts a node and types into its console, in one run. @returns the transcript. */
async function startAndType(lab: Lab, node_id: string, ...commands: string[]): Promise<string> {
  const actions = [{ action: "start", node_id }];
  return (await runAll(lab, { actions, consoles: [{ node_id, commands }] })).consoles[0].output;
}

/** @param query `?` and parameters, or nothing. @returns the report. */
async function play(query: string, text: string) {
  const { status, json } = await playFile(`/labs/run${query}`, text);
  expect(status, JSON.stringify(json)).toBe(200);
  return json;
}

const statusesOf = ({ verdicts }: { verdicts: { status: string }[] }) => verdicts.map(({ status }) => status);

/** The report of `wirelab test` for a lab file. */
function reportOfCommand(text: string, fail?: string): unknown {
  const file = parseLabFile(text, { name: "lab", guests: makeGuests() });
  const report = toWire(runLab(fail === undefined ? file : applyFailures(file, readFailures(fail, file))));
  return JSON.parse(JSON.stringify(report));
}

describe.skipIf(!hasImage)(
  `guests of the service (skipped without the image: wirelab image build ${IMAGE})`,
  { timeout: GUESTS_MS },
  () => {
    test("two nodes start, ping each other, and stay as they are between runs", async () => {
      const lab = await makeLab();
      const a = await addLinux(lab, "a", { ports: ["10.0.0.1/24"], files: { "root/note": "as configured" } });
      const b = await addLinux(lab, "b", { ports: ["10.0.0.2/24"] });
      await addLink(lab, [end(a), end(b)]);
      const { status, json } = await carryOut(`${lab.path}/run`, {
        actions: [
          { action: "start", node_id: a },
          { action: "start", node_id: b },
        ],
        consoles: [
          { node_id: a, commands: ["ping -c 2 10.0.0.2", "cat /root/note", "echo kept > /root/note"] },
        ],
      });
      expect(status, JSON.stringify(json)).toBe(200);
      expect(json).toMatchObject({ stopped: "idle", consoles: [{ name: "a", status: "done" }] });
      expect(json.consoles[0].output).toContain("2 packets received");
      expect(json.consoles[0].output).toContain("as configured");

      expect(await type(lab.path, a, "ip neigh show 10.0.0.2", "cat /root/note", "hostname")).toMatch(
        /lladdr 02:57:4c.*\na# cat \/root\/note\nkept\na# hostname\na\n/s,
      );
    });

    test("a node that stops loses what was written in its guest", async () => {
      const lab = await makeLab();
      const a = await addLinux(lab, "a", { files: { "root/note": "as configured" } });
      await startAndType(lab, a, "echo changed > /root/note");
      expect((await carryOut(`${lab.path}/nodes/${a}/stop`)).json.status).toBe("stopped");
      expect((await carryOut(`${lab.path}/nodes/${a}/start`)).json.status).toBe("started");
      expect(await type(lab.path, a, "cat /root/note")).toContain("as configured");
    });

    test("a file that is written while a node is off is in its guest at the next start", async () => {
      const lab = await makeLab();
      const node = await addLinux(lab, "a", { files: { "root/note": "as configured" } });
      const file = `${lab.path}/nodes/${node}/files/root/note`;
      expect((await client.call("POST", file, { raw: "it's new\n" })).status).toBe(201);
      const output = await startAndType(lab, node, "cat /root/note", "echo changed > /root/note");
      expect(output).toContain("\nit's new\n");
      expect((await client.get(file)).json).toMatchObject({ status: 409, code: "node.file-in-guest" });
      await carryOut(`${lab.path}/nodes/${node}/stop`);
      expect((await client.get(file)).bytes.toString()).toBe("it's new\n");
    });

    test("a guest is one object in the bucket, which the next run replaces, and which goes with the project", async () => {
      const lab = await makeLab();
      const node = await addLinux(lab, "a", { ports: ["10.0.0.1/24"] });
      const states = async () =>
        (await listObjects(`guests/${lab.projectId}/`, 10)).objects.map(({ key }) => key);
      await carryOut(`${lab.path}/nodes/${node}/start`);
      const [first, ...others] = await states();
      expect([first, others]).toEqual([expect.stringContaining(node), []]);
      await type(lab.path, node, "true");
      expect(await states()).toEqual([expect.not.stringContaining(first!)]);
      const copied = await client.post(`${lab.path}/duplicate`, { name: freshName() });
      const [copy] = (await client.get(`/projects/${copied.json.project_id}/nodes`)).json;
      expect(copy).toMatchObject({ name: "a", status: "stopped" });
      await client.delete(lab.path);
      expect(await states()).toEqual([]);
    });

    test("the bytes of a guest count in its project with each run, and no run begins without room but the stop of nodes", async () => {
      const owner = freshName("user");
      const by = { name: owner, role: "editor" } as const;
      const created = (await perform(createProject, { body: { name: freshName() } }, by)) as {
        project_id: string;
      };
      const lab = { projectId: created.project_id, path: `/projects/${created.project_id}` };
      const node = await addLinux(lab, "a", { ports: [null] });
      const counted = async () => (await getProject(SERVICE, lab.projectId))!.stored_bytes!;
      const params = { project_id: lab.projectId, node_id: node };
      const inGuests = async <R extends Route>(operation: Operation<R>, body: object) => {
        const guests = new LabGuests(lab.projectId);
        try {
          return await withGuests(guests, () => perform(operation, { params, body }, by));
        } finally {
          guests.close();
        }
      };
      const typeHere = (command: string) => inGuests(runConsole, { commands: [command] });
      const stateBytes = async () =>
        (await listObjects(`guests/${lab.projectId}/`, 9)).objects[0]?.bytes ?? 0;

      await inGuests(power.startNode, {});
      const first = await counted();
      expect(first).toBe(await stateBytes());
      process.env.QUOTA_STORED_BYTES = String(first + 1);
      await typeHere("dd if=/dev/urandom of=/x bs=1M count=1 2>&1");
      const grown = await counted();
      expect(grown - first).toBeGreaterThan(900_000);
      expect(grown).toBe(await stateBytes());
      await expect(typeHere("true")).rejects.toMatchObject({
        code: "run.no-room",
        facts: { whose: "the project", count: grown, limit: first + 1 },
      });
      delete process.env.QUOTA_STORED_BYTES;
      process.env.LINUX_MAX_STATE_MB = "1";
      await expect(typeHere("true")).rejects.toMatchObject({
        code: "run.too-much-state",
        facts: { limit: 1 },
      });
      delete process.env.LINUX_MAX_STATE_MB;
      process.env.QUOTA_USER_STORED_BYTES = String(grown);
      await expect(typeHere("true")).rejects.toMatchObject({
        code: "run.no-room",
        facts: { whose: `all projects of ${owner}`, limit: grown },
      });
      delete process.env.QUOTA_USER_STORED_BYTES;
      expect(await counted()).toBe(grown);
      expect(await danglingReferences(localStack())).not.toContainEqual(
        expect.stringContaining(lab.projectId),
      );
      process.env.QUOTA_STORED_BYTES = "0";
      await inGuests(power.stopNode, {});
      expect([await counted(), await stateBytes()]).toEqual([0, 0]);
    });

    test("a project with auto_start starts its Linux nodes with its PCs, within the limits of a run", async () => {
      const lab = await makeLab({ auto_start: true });
      const a = await addLinux(lab, "a", { ports: ["10.0.0.1/24"], commands: ["word=started"] });
      const pc = await addNode(lab, { properties: { startup_script: "ip 10.0.0.2/24" } });
      await addLink(lab, [end(a), end(pc)]);
      await client.post(`${lab.path}/close`);
      const { status, json } = await carryOut(`${lab.path}/open`);
      expect({ status, json }).toMatchObject({
        status: 201,
        json: { project_id: lab.projectId, status: "opened" },
      });
      for (const node of [a, pc])
        expect((await client.get(`${lab.path}/nodes/${node}`)).json.status).toBe("started");
      expect(await type(lab.path, pc, "ping 10.0.0.1 -c 1")).toContain("bytes from 10.0.0.1");

      for (let count = 2; count <= 9; count++) await addLinux(lab, `n${count}`, { ports: [null] });
      await client.post(`${lab.path}/close`);
      const refused = await carryOut(`${lab.path}/open`);
      expect(refused).toMatchObject({ status: 409, json: { code: "run.too-many-guests" } });
      expect((await client.get(lab.path)).json.status).toBe("closed");
    });

    test("a lab file with two guests has the same report as with the command", async () => {
      const text = `
nodes:
  a: {type: linux, image: ${IMAGE}, ports: [10.0.0.1/24], files: {root/note: a text}, commands: "ip route add default via 10.0.0.2"}
  b: {type: linux, image: ${IMAGE}, ports: [10.0.0.2/24]}
links: [a -- b]
run:
  - { at: 1s, console: { a: [cat /root/note, ip route, ping -c 1 10.0.0.2] } }
expect:
  - { console: a, contains: default via 10.0.0.2 }
  - { console: a, contains: a text }
  - { console: a, contains: 1 packets received }
`;
      const report = await play("", text);
      expect(statusesOf(report)).toEqual(["passed", "passed", "passed"]);
      expect(report).toEqual(reportOfCommand(text));
    });

    test("a lab file with a failed node has the same report as with the command, and a capture of what has failed", async () => {
      const text = `
nodes:
  a: {type: linux, image: ${IMAGE}, ports: [10.0.0.1/24]}
  b: 10.0.0.2/24
links: [a -- b]
run: [{ at: 0s, console: { a: ping -c 1 -W 1 10.0.0.2 } }]
expect: [{ console: a, contains: 1 packets received }]
`;
      const { captures, ...report } = await play("?fail=node:b&captures=failed", text);
      expect(statusesOf(report)).toEqual(["failed"]);
      expect(captures).toMatchObject([{ verdict: 0 }]);
      expect((await fetch(captures[0].url)).status).toBe(200);
      expect(report).toEqual(reportOfCommand(text, "node:b"));
    });

    test("a sweep of a lab file plays each case, and reports those that failed", async () => {
      const raw = `
nodes:
  a: {type: linux, image: ${IMAGE}, ports: [10.0.0.1/24]}
  b: 10.0.0.2/24
links: [a -- b]
expect: [reach: a -> b]
`;
      const sweep = (query: string) => client.call("POST", `/labs/sweep${query}`, { raw });
      const many = await sweep("?seeds=201");
      expect(many.json.errors[0].message).toBe(
        "makes 201 cases; the limit is 200 for a lab with Linux nodes",
      );
      const { status, json } = await sweep("?links=1");
      expect({ status, json }).toMatchObject({ status: 202, json: { cases: 2 } });
      const read = async () => (await client.get(`/labs/sweep/${json.sweep_id}`)).json;
      await settles(async () => expect((await read()).status).not.toBe("running"), { timeout: GUESTS_MS });
      expect(await read()).toMatchObject({
        status: "finished",
        done: 2,
        passed: 1,
        failed: 1,
        undecided: 0,
        failing: [{ failures: ["link:a-b"], verdicts: [{ status: "failed", got: "no reply" }] }],
      });
    });

    const restore = async (path: string, id: string) =>
      expect((await client.post(`${path}/snapshots/${id}/restore`, {})).status).toBe(201);

    test("a snapshot keeps what its guests know", async () => {
      const lab = await makeLab();
      const a = await addLinux(lab, "a", { ports: ["10.0.0.1/24"] });
      const b = await addLinux(lab, "b", { ports: ["10.0.0.2/24"] });
      await addLink(lab, [end(a), end(b)]);
      const suspend = { action: "suspend", node_id: b, at: 9 };
      const starts = [a, b].map((node_id) => ({ action: "start", node_id }));
      const words = ["word=kept", "echo on disk > /root/note", "ping -c 1 10.0.0.2"];
      await runAll(lab, { actions: [...starts, suspend], consoles: [{ node_id: a, commands: words }] });
      const { json: snapshot } = await client.post(`${lab.path}/snapshots`, { name: "s" });
      await runAll(lab, {
        actions: [{ action: "stop", node_id: b }],
        consoles: [{ node_id: a, commands: ["word=lost", "rm /root/note"] }],
      });
      await restore(lab.path, snapshot.snapshot_id);
      const questions = ["echo $word", "cat /root/note", "ip neigh show 10.0.0.2", "ping -c 1 10.0.0.2"];
      expect((await client.get(`${lab.path}/nodes/${b}`)).json.status).toBe("suspended");
      const report = await runAll(lab, {
        actions: [{ action: "start", node_id: b }],
        consoles: [{ node_id: a, commands: questions }],
      });
      expect(report.consoles[0].output).toMatch(/\nkept\n.*\non disk\n.*lladdr 02:57:4c/s);
      expect(report.consoles[0].output).toContain("1 packets received");
    });

    test("a duplicate has the snapshots of a project, with what their guests know", async () => {
      const lab = await makeLab();
      const a = await addLinux(lab, "a");
      await startAndType(lab, a, "word=kept", "echo on disk > /root/note");
      await client.post(`${lab.path}/snapshots`, { name: "s" });
      const { json: copied } = await client.post(`${lab.path}/duplicate`, { name: freshName() });
      await client.delete(lab.path);
      const copy = `/projects/${copied.project_id}`;
      await restore(copy, (await client.get(`${copy}/snapshots`)).json[0].snapshot_id);
      const [node] = (await client.get(`${copy}/nodes`)).json;
      expect(await type(copy, node.node_id, "echo $word", "cat /root/note")).toMatch(
        /\nkept\n.*\non disk\n/s,
      );
    });

    test("an image that is pushed to the bucket is listed there, and nodes start from it", async () => {
      const bucket = ["--bucket", localStack().bucketName];
      const cli = async (...args: string[]) =>
        (await runCli(["image", ...args, ...bucket])).stdout.toString();
      expect(await cli("push", IMAGE)).toMatch(/^pushed bird, [0-9.]+ MB\n$/);
      expect(await cli("list")).toContain("bird         ");
      const lab = await makeLab();
      const node = await addLinux(lab, "a");
      expect((await carryOut(`${lab.path}/nodes/${node}/start`)).status).toBe(200);
      expect(await cli("remove", IMAGE)).toBe("removed bird\n");
      expect(await cli("list")).toBe("");
    });
  },
);
