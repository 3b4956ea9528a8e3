/** Files of projects and nodes over HTTP. */
import { beforeAll, describe, expect, test } from "vitest";
import { entityTag } from "../../functions/shared/edge/http/entity-tag.ts";
import { user } from "../helpers/service/callers.ts";
import { EventFollower } from "../helpers/service/events.ts";
import { perform, useServiceStores } from "../helpers/service/in-process.ts";
import { addNode, client, type Lab, makeLab, uuid } from "../helpers/service/lab.ts";
import { startLab } from "../helpers/service/running-lab.ts";
import { localStack } from "../helpers/stack/this-stack.ts";
import { danglingReferences, objectKeys } from "../helpers/stores/store-checker.ts";

const LIMIT_BYTES = 4 * 1024 * 1024;

let operations: typeof import("../../functions/files/project-files.ts");

beforeAll(async () => {
  useServiceStores();
  operations = await import("../../functions/files/project-files.ts");
});

const put = (path: string, raw: Uint8Array | string) => client.call("POST", path, { raw });
const objectsOf = async ({ projectId }: Lab): Promise<string[]> =>
  (await objectKeys(localStack())).filter((key) => key.startsWith(`files/${projectId}/`));

describe("a file of a project", () => {
  test("is returned as it was written, with its type, its tag and its date", async () => {
    const { path } = await makeLab();
    const text = Buffer.from("Ünïcode\0 and binary \xff");
    const written = await put(`${path}/files/README.txt`, text);
    expect([written.status, written.bytes.length]).toEqual([201, 0]);
    const { status, headers, bytes } = await client.get(`${path}/files/README.txt`);
    expect([status, headers["content-type"], headers.etag]).toEqual([
      200,
      "text/plain; charset=utf-8",
      entityTag(text),
    ]);
    expect(Math.abs(Date.parse(String(headers["last-modified"])) - Date.now())).toBeLessThan(600_000);
    expect(headers["content-security-policy"]).toContain("sandbox");
    expect(bytes.equals(text)).toBe(true);
    const known = await client.get(`${path}/files/README.txt`, {
      headers: { "if-none-match": entityTag(text) },
    });
    expect([known.status, known.bytes.length]).toEqual([304, 0]);
    const head = await fetch(`${localStack().baseUrl}${path}/files/README.txt`, { method: "HEAD" });
    expect([head.status, head.headers.get("etag")]).toEqual([200, entityTag(text)]);
  });

  test("is replaced, and its old object is deleted", async () => {
    const lab = await makeLab();
    for (const text of ["one", "two", ""]) {
      await put(`${lab.path}/files/a/b/c.cfg`, text);
      expect((await client.get(`${lab.path}/files/a/b/c.cfg`)).bytes.toString()).toBe(text);
      expect(await objectsOf(lab)).toHaveLength(1);
    }
    expect(await danglingReferences(localStack())).toEqual([]);
  });

  test("can be written and read while the project is closed, and goes with the project", async () => {
    const lab = await makeLab();
    await client.post(`${lab.path}/close`);
    await put(`${lab.path}/files/README.txt`, "closed");
    expect((await client.get(`${lab.path}/files/README.txt`)).bytes.toString()).toBe("closed");
    await client.delete(lab.path);
    expect((await client.get(`${lab.path}/files/README.txt`)).status).toBe(404);
    expect(await objectsOf(lab)).toEqual([]);
  });

  test("that does not exist, and a folder, are 404", async () => {
    const { path } = await makeLab();
    await put(`${path}/files/a/b.txt`, "b");
    for (const file of ["none.txt", "a", "a/b.txt/c"]) {
      const { status, json } = await client.get(`${path}/files/${file}`);
      expect([status, json.message]).toEqual([404, `Not Found: the project has no file ${file}`]);
    }
    expect((await put(`/projects/${uuid()}/files/a.txt`, "a")).status).toBe(404);
    expect((await client.get(`/projects/${uuid()}/files/a.txt`)).status).toBe(404);
  });

  test.each([
    ["as it is", ".."],
    ["encoded", "%2e%2e"],
    ["encoded twice", "%252e%252e"],
    ["half encoded", ".%2e"],
  ])("outside of the project is 403: dots %s", async (_what, dots) => {
    const [lab, other] = [await makeLab(), await makeLab()];
    await put(`${other.path}/files/README.txt`, "another's");
    for (const file of [
      `${dots}/x`,
      `${dots}%2fx`,
      `a/${dots}/${dots}/x`,
      `${dots}/${other.projectId}/README.txt`,
      `a%5c${dots}%5cx`,
      `a/${dots}`,
      `%2f${dots}%2fetc%2fpasswd`,
    ]) {
      expect((await put(`${lab.path}/files/${file}`, "x")).status, file).toBe(403);
      expect((await client.get(`${lab.path}/files/${file}`)).status, file).toBe(403);
    }
    expect(await objectsOf(lab)).toEqual([]);
  });

  test("with an absolute path lies in the project", async () => {
    const { path } = await makeLab();
    await put(`${path}/files/%2fetc%2fpasswd`, "mine");
    expect((await client.get(`${path}/files/etc/passwd`)).bytes.toString()).toBe("mine");
  });

  test.each(["a%00b", "a%0d%0ab", "x".repeat(256), "a/".repeat(260)])("named %.12s is 400", async (file) => {
    const { path } = await makeLab();
    expect((await put(`${path}/files/${file}`, "x")).status).toBe(400);
    expect((await client.get(`${path}/files/${file}`)).status).toBe(400);
  });

  test("of more than 4 MiB is 413, and of 4 MiB is stored", async () => {
    const { path } = await makeLab();
    expect((await put(`${path}/files/big`, new Uint8Array(LIMIT_BYTES + 1))).status).toBe(413);
    expect((await put(`${path}/files/big`, new Uint8Array(LIMIT_BYTES))).status).toBe(201);
    expect((await client.get(`${path}/files/big`)).bytes.length).toBe(LIMIT_BYTES);
  });

  test("larger than that, as an import can bring it, comes from the bucket", async () => {
    const { projectId, path } = await makeLab();
    const bytes = new Uint8Array(LIMIT_BYTES + 1).fill(7);
    const params = { project_id: projectId, file_path: "disk.img" };
    await perform(operations.putProjectFile, { params, body: bytes });
    const direct = await fetch(`${localStack().baseUrl}${path}/files/disk.img`, { redirect: "manual" });
    expect(direct.status).toBe(303);
    expect((await client.get(`${path}/files/disk.img`)).bytes.equals(Buffer.from(bytes))).toBe(true);
  });

  test("written by concurrent requests is whole", async () => {
    const lab = await makeLab();
    const texts = Array.from({ length: 6 }, (_, index) => `text ${index}\n`.repeat(1000));
    await Promise.all(texts.map((text) => put(`${lab.path}/files/a.txt`, text)));
    expect(texts).toContain((await client.get(`${lab.path}/files/a.txt`)).bytes.toString());
    expect(await objectsOf(lab)).toHaveLength(1);
    expect(await danglingReferences(localStack())).toEqual([]);
  });
});

describe("quotas", () => {
  const write = (lab: Lab, name: string, bytes: number) =>
    perform(operations.putProjectFile, {
      params: { project_id: lab.projectId, file_path: name },
      body: new Uint8Array(bytes),
    });

  test("bound the number of a project's files", async () => {
    process.env.QUOTA_FILES = "2";
    try {
      const lab = await makeLab();
      for (const name of ["a", "b", "a"]) await write(lab, name, 1);
      await expect(write(lab, "c", 1)).rejects.toThrow("The project has 2 files, and its quota is 2");
      expect(await objectsOf(lab)).toHaveLength(2);
    } finally {
      delete process.env.QUOTA_FILES;
    }
  });

  test("count the bytes with those of captures; a replaced file gives its room back", async () => {
    process.env.QUOTA_STORED_BYTES = "1000";
    try {
      const lab = await makeLab();
      await write(lab, "a", 900);
      await expect(write(lab, "b", 101)).rejects.toThrow(
        "The project stores 900 bytes, and 101 more would pass its quota of 1000",
      );
      await write(lab, "a", 10);
      await write(lab, "b", 990);
      await expect(write(lab, "a", 11)).rejects.toThrow("quota of 1000");
      expect(await danglingReferences(localStack())).toEqual([]);
    } finally {
      delete process.env.QUOTA_STORED_BYTES;
    }
  });

  test("count the bytes for the project's owner", async () => {
    process.env.QUOTA_USER_STORED_BYTES = "1000";
    const name = `filer-${uuid()}`;
    const { json } = await user(name, "editor").post("/projects", { name });
    const lab = { projectId: json.project_id, path: `/projects/${json.project_id}` };
    try {
      await write(lab, "a", 900);
      await expect(write(lab, "b", 101)).rejects.toThrow(`All projects of ${name} store 900`);
      expect(await objectsOf(lab)).toHaveLength(1);
    } finally {
      delete process.env.QUOTA_USER_STORED_BYTES;
    }
  });
});

describe("the files of a PC", () => {
  test("are what it has saved", async () => {
    const lab = await startLab("pair");
    const path = `${lab.path}/nodes/${lab.node("PC1")}/files`;
    await lab.type("PC1", "ip 10.9.9.9/24", "save", "save other");
    const saved = await client.get(`${path}/startup.vpc`);
    expect([saved.status, saved.headers["content-type"]]).toEqual([200, "text/plain; charset=utf-8"]);
    expect(saved.bytes.toString()).toContain("ip 10.9.9.9");
    expect((await client.get(`${path}/other.vpc`)).bytes.equals(saved.bytes)).toBe(true);
    const known = { headers: { "if-none-match": String(saved.headers.etag) } };
    expect((await client.get(`${path}/startup.vpc`, known)).status).toBe(304);
    const inProject = `${lab.path}/files/project-files/vpcs/${lab.node("PC1")}/startup.vpc`;
    expect((await client.get(inProject)).bytes.equals(saved.bytes)).toBe(true);
  });

  test("are its script, and 404 without one", async () => {
    const lab = await makeLab();
    const bare = await addNode(lab);
    expect((await client.get(`${lab.path}/nodes/${bare}/files/startup.vpc`)).status).toBe(404);
    const node = await addNode(lab, { properties: { startup_script: "set pcname %h\nip 10.0.0.1/24" } });
    const { bytes } = await client.get(`${lab.path}/nodes/${node}/files/startup.vpc`);
    expect(bytes.toString()).toBe("set pcname PC2\nip 10.0.0.1/24");
  });

  test("are read by a PC that never ran when it starts", async () => {
    const lab = await makeLab();
    const node = `${lab.path}/nodes/${await addNode(lab)}`;
    expect((await put(`${node}/files/startup.vpc`, "\ufeffip 10.4.4.4/24\r\n")).status).toBe(201);
    await client.post(`${node}/start`);
    const { json } = await client.post(`${node}/console`, { commands: ["show ip", "load startup"] });
    expect(json.output).toContain("10.4.4.4/24");
  });

  test("are read by a running PC at its next start, and it goes on meanwhile", async () => {
    const lab = await startLab("pair");
    const file = `${lab.path}/files/project-files/vpcs/${lab.node("PC1")}/startup.vpc`;
    await lab.type("PC1", "ip 10.8.8.8/24");
    expect((await put(file, "ip 10.7.7.7/24\n")).status).toBe(201);
    expect(await lab.type("PC1", "show ip")).toContain("10.8.8.8/24");
    await client.post(`${lab.path}/nodes/${lab.node("PC1")}/reload`);
    expect(await lab.type("PC1", "show ip")).toContain("10.7.7.7/24");
    expect((await client.get(file)).bytes.toString()).toBe("ip 10.7.7.7/24\n");
  });

  test("are dropped when the script is changed later", async () => {
    const lab = await makeLab();
    const node = `${lab.path}/nodes/${await addNode(lab)}`;
    await put(`${node}/files/startup.vpc`, "ip 10.4.4.4/24");
    await client.put(node, { properties: { startup_script: "ip 10.3.3.3/24" } });
    expect((await client.get(`${node}/files/startup.vpc`)).bytes.toString()).toBe("ip 10.3.3.3/24");
  });

  test("have names without folders, and text that a PC can keep", async () => {
    const lab = await makeLab();
    const files = `${lab.path}/nodes/${await addNode(lab)}/files`;
    for (const [name, body, message] of [
      ["a/b.vpc", "", "No such file or directory"],
      ["startup.vpc", "x".repeat(16_385), "A file holds 16384 characters at most"],
      ["startup.vpc", Buffer.from([0xff, 0xfe]), "is not text in UTF-8"],
    ] as const) {
      const { status, json } = await put(`${files}/${name}`, body);
      expect([status, json.message]).toEqual([400, expect.stringContaining(message)]);
    }
    for (const dots of ["%2e%2e/startup.vpc", "a/../startup.vpc", "..%5cx"]) {
      expect((await put(`${files}/${dots}`, "x")).status).toBe(403);
      expect((await client.get(`${files}/${dots}`)).status).toBe(403);
    }
    expect((await put(`${lab.path}/nodes/${uuid()}/files/startup.vpc`, "x")).status).toBe(404);
    expect((await client.get(`${lab.path}/nodes/${uuid()}/files/startup.vpc`)).status).toBe(404);
  });
});

test("the start-up configuration of a router is read and written as a file", async () => {
  const lab = await makeLab();
  const node = `${lab.path}/nodes/${await addNode(lab, { node_type: "router", name: "R1" })}`;
  const file = `${node}/files/startup-config.json`;
  const { json: config, headers } = await client.get(file);
  expect(headers["content-type"]).toBe("application/json");
  config.ports[0].ipv4 = "10.6.0.1/24";
  expect((await put(file, JSON.stringify(config))).status).toBe(201);
  await client.post(`${node}/start`);
  const { json } = await client.post(`${node}/console`, { commands: ["show run"] });
  expect(json.output).toContain("10.6.0.1/24");
  expect((await client.get(file)).json).toEqual(config);
  const wrong = await put(file, '{"ports":[{"ipv4":"nowhere"}]}');
  expect([wrong.status, wrong.json.errors[0].path]).toEqual([400, "body.ports.0.ipv4"]);
  const other = await put(`${node}/files/notes.txt`, "x");
  expect([other.status, other.json.code]).toEqual([409, "node.no-such-file"]);
  expect((await client.get(`${node}/files/notes.txt`)).status).toBe(404);
});

describe("the files of a Linux node", () => {
  const makeLinux = async (files: Record<string, string>, others = {}) => {
    const lab = await makeLab();
    const properties = { image: "frr", files, ...others };
    const nodeId = await addNode(lab, { name: "L1", node_type: "linux", properties });
    return { lab, nodeId, node: `${lab.path}/nodes/${nodeId}` };
  };
  const textAt = async (path: string) => {
    const { status, bytes } = await client.get(path);
    return [status, bytes.toString()];
  };
  const OSPF = "router ospf\n";

  test("are those of its properties, by each way to write their paths", async () => {
    const { lab, nodeId, node } = await makeLinux({ "etc/frr/frr.conf": OSPF, "/root/note": "" });
    const found = await client.get(`${node}/files/etc/frr/frr.conf`);
    expect([found.status, found.headers["content-type"], found.headers.etag, found.bytes.toString()]).toEqual(
      [200, "text/plain; charset=utf-8", entityTag(Buffer.from(OSPF)), OSPF],
    );
    const known = { headers: { "if-none-match": String(found.headers.etag) } };
    expect((await client.get(`${node}/files/etc/frr/frr.conf`, known)).status).toBe(304);
    for (const path of [
      `${node}/files/%2fetc/frr/frr.conf`,
      `${node}/files/etc%2f%2ffrr/./frr.conf`,
      `${lab.path}/files/project-files/docker/${nodeId}/etc/frr/frr.conf`,
    ])
      expect(await textAt(path), path).toEqual([200, OSPF]);
    expect(await textAt(`${node}/files/root/note`)).toEqual([200, ""]);
    for (const missing of ["etc", "etc/passwd", "etc/frr/frr.conf/x"]) {
      const { status, json } = await client.get(`${node}/files/${missing}`);
      expect([status, json.code], missing).toEqual([404, "node.file-not-found"]);
    }
  });

  test("are set one by one, which is a change of the node, and keep the others", async () => {
    const { lab, nodeId, node } = await makeLinux({ "etc/x": "x" }, { commands: ["true"], usage: "a note" });
    const before = (await client.get(node)).json;
    const follower = await EventFollower.open(`${localStack().baseUrl}${lab.path}/notifications`);
    try {
      expect((await put(`${node}/files/etc/x`, "\ufeffnew ü\n")).status).toBe(201);
      const inProject = `${lab.path}/files/project-files/docker/${nodeId}/etc/y`;
      expect((await put(inProject, "y")).status).toBe(201);
      const after = (await client.get(node)).json;
      expect(after).toEqual({
        ...before,
        properties: { ...before.properties, files: { "etc/x": "new ü\n", "/etc/y": "y" } },
      });
      const events = await follower.until(({ event }) => JSON.stringify(event.properties).includes("/etc/y"));
      // The stream may begin before the event of the node's creation is published.
      const updates = events.filter(({ action }) => action !== "node.created");
      expect(updates.map(({ action }) => action)).toEqual(["node.updated", "node.updated"]);
      expect(events.at(-1)!.event.properties).toEqual(after.properties);
      // A client may send back all that it received.
      expect((await client.put(node, { properties: after.properties })).json).toEqual(after);
    } finally {
      follower.close();
    }
  });

  test("written by concurrent requests are all there", async () => {
    const { node } = await makeLinux({});
    const names = ["a", "b", "c", "d", "e", "f"];
    const written = await Promise.all(names.map((name) => put(`${node}/files/etc/${name}`, name)));
    expect(written.map(({ status }) => status)).toEqual(names.map(() => 201));
    expect((await client.get(node)).json.properties.files).toEqual(
      Object.fromEntries(names.map((name) => [`/etc/${name}`, name])),
    );
  });

  test("are refused beyond the bounds of its properties, and nothing changes", async () => {
    const files = Object.fromEntries(Array.from({ length: 64 }, (_, file) => [`f${file}`, ""]));
    const { node } = await makeLinux(files);
    for (const [name, body, path, message] of [
      ["other", "", "body.properties.files", "has more than 64 files"],
      ["f1", "x".repeat(65_536), "body.properties", "is larger than 65536 bytes of JSON"],
      ["f1", "a\0b", "body.properties.files.f1", "must be a text, without NUL"],
      ["f1", Buffer.from([0xff, 0xfe]), "body", "is not text in UTF-8"],
    ] as const) {
      const { status, json } = await put(`${node}/files/${name}`, body);
      expect([status, json.errors], message).toEqual([400, [{ path, message }]]);
    }
    expect((await put(`${node}/files/%2e%2e/f1`, "x")).status).toBe(403);
    expect((await client.get(node)).json.properties.files).toEqual(files);
    expect((await put(`${node}/files/f1`, "x".repeat(60_000))).status).toBe(201);
  });

  test.each(["started", "suspended"] as const)("are its guest's while it is %s", async (power) => {
    const { lab, nodeId, node } = await makeLinux({ "etc/x": "x" });
    // Without an image, no run starts it.
    const store = await import("../../functions/shared/store/lab/node.ts");
    const turn = (status: "started" | "suspended" | "stopped") =>
      store.setNodeStatuses([{ project_id: lab.projectId, node_id: nodeId } as never], status);
    await turn(power);
    for (const path of ["etc/x", "etc/passwd"]) {
      const { status, json } = await client.get(`${node}/files/${path}`);
      expect([status, json.code], path).toEqual([409, "node.file-in-guest"]);
      expect(json.message).toContain(`read ${path} on the console (cat, base64), or stop the node`);
    }
    const { status, json } = await put(`${node}/files/etc/x`, "new");
    expect([status, json.code]).toEqual([409, "node.must-be-stopped"]);
    await turn("stopped");
    expect(await textAt(`${node}/files/etc/x`)).toEqual([200, "x"]);
  });
});

test("a switch keeps no files", async () => {
  const lab = await makeLab();
  const node = `${lab.path}/nodes/${await addNode(lab, { node_type: "ethernet_switch", name: "SW1" })}`;
  expect((await client.get(`${node}/files/a.txt`)).status).toBe(404);
  expect((await put(`${node}/files/a.txt`, "x")).json.message).toContain(
    "Node SW1, of type ethernet_switch, keeps no file",
  );
});
