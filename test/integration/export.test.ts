/** Export of projects over HTTP. */
import { unzipSync } from "fflate";
import { describe, expect, test } from "vitest";
import { addLink, addNode, client, end, freshName, makeLab, uuid } from "../helpers/service/lab.ts";
import { svg } from "../unit/symbols/images.ts";

const put = (path: string, raw: string | Uint8Array) => client.call("POST", path, { raw });

/** Exports a project. @returns the contents by the names of the entries, in their order. */
async function exported(path: string, query = "") {
  const { status, headers, bytes } = await client.get(`${path}/export${query}`);
  expect(status).toBe(200);
  const files = Object.entries(unzipSync(bytes)).map(
    ([name, content]) => [name, Buffer.from(content)] as const,
  );
  const contents = Object.fromEntries(files) as Record<string, Buffer>;
  return { headers, contents, names: files.map(([name]) => name), size: bytes.length };
}

/** Two running PCs, a router and a switch, with a link, a drawing, a file and an uploaded symbol. */
async function makeFullLab() {
  const name = freshName("Räum lab");
  const lab = await makeLab({ name, zoom: 80, variables: [{ name: "seed", value: "7" }] });
  const symbol = `${freshName("export")}.svg`;
  await client.call("POST", `/symbols/${symbol}/raw`, { raw: svg(20, 30, "mine") });
  const pc1 = await addNode(lab, {
    x: -100,
    y: 50,
    symbol,
    properties: { startup_script: "set pcname %h\nip 10.0.0.1/24", ignore_checksums: true },
  });
  const pc2 = await addNode(lab);
  const router = await addNode(lab, {
    node_type: "router",
    name: "R1",
    properties: { ports: [{ ipv4: "10.0.0.254/24" }] },
  });
  const hub = await addNode(lab, { node_type: "ethernet_hub", name: "HUB" });
  const filters = { delay: [10, 2], packet_loss: [5], bpf: ["icmp"] };
  const link = await addLink(lab, [end(pc1), end(hub, 3)], {
    filters,
    suspend: true,
    link_style: { width: 3 },
  });
  await addLink(lab, [end(pc2), end(hub, 1)]);
  const drawing = '<svg width="10" height="10"><rect width="9" height="9"/></svg>';
  await client.post(`${lab.path}/drawings`, { svg: drawing, x: 5, y: 6, rotation: 45 });
  await put(`${lab.path}/files/README.txt`, "A lab");
  await put(`${lab.path}/files/project-files/captures/x.pcap`, "not exported");
  await client.post(`${lab.path}/nodes/start`);
  await client.post(`${lab.path}/nodes/${pc2}/console`, {
    commands: ["ip 10.0.0.2/24", "save", "save other"],
  });
  return { ...lab, name, symbol, pc1, pc2, router, hub, link, drawing };
}

describe("an exported project", () => {
  test("has the lab in the format of existing programs, and what devices have saved", async () => {
    const lab = await makeFullLab();
    const { headers, contents, names } = await exported(lab.path);
    expect(headers["content-type"]).toBe("application/gns3project");
    expect(headers["content-disposition"]).toContain(
      `filename*=UTF-8''${encodeURIComponent(lab.name)}.gns3project`,
    );
    expect(names[0]).toBe("project.gns3");
    expect(names.toSorted()).toEqual(
      [
        "README.txt",
        "project.gns3",
        `project-files/docker/${lab.router}/startup-config.json`,
        `project-files/vpcs/${lab.pc1}/startup.vpc`,
        `project-files/vpcs/${lab.pc2}/other.vpc`,
        `project-files/vpcs/${lab.pc2}/startup.vpc`,
        "wirelab/lab.json",
        `wirelab/symbols/${lab.symbol}`,
      ].toSorted(),
    );
    const topology = JSON.parse(contents["project.gns3"]!.toString());
    expect(topology).toMatchObject({
      type: "topology",
      revision: 9,
      name: lab.name,
      project_id: lab.projectId,
      zoom: 80,
      variables: [{ name: "seed", value: "7" }],
      supplier: null,
      auto_start: false,
    });
    for (const key of ["path", "filename", "status", "owner", "shared_with", "expires_at"])
      expect(topology).not.toHaveProperty(key);
    const { nodes, links, drawings, computes } = topology.topology;
    expect(computes).toEqual([]);
    expect(nodes.map((node: { name: string }) => node.name)).toEqual(["PC1", "PC2", "R1", "HUB"]);
    expect(nodes[0]).toMatchObject({
      node_type: "vpcs",
      properties: {},
      x: -100,
      y: 50,
      symbol: lab.symbol,
      width: 20,
    });
    for (const node of nodes)
      for (const key of ["project_id", "status", "ports", "console_host", "node_directory", "command_line"])
        expect(node).not.toHaveProperty(key);
    expect(links[0]).toMatchObject({
      link_id: lab.link,
      filters: { delay: [10, 2], packet_loss: [5], bpf: ["icmp"] },
      suspend: true,
      link_style: { width: 3 },
    });
    expect(drawings).toMatchObject([{ svg: lab.drawing, x: 5, y: 6, rotation: 45 }]);
    expect(contents["README.txt"]!.toString()).toBe("A lab");
    expect(contents[`project-files/vpcs/${lab.pc1}/startup.vpc`]!.toString()).toBe(
      "set pcname PC1\nip 10.0.0.1/24",
    );
    expect(contents[`project-files/vpcs/${lab.pc2}/startup.vpc`]!.toString()).toContain("ip 10.0.0.2");
    expect(contents[`project-files/docker/${lab.router}/startup-config.json`]!.toString()).toContain(
      "10.0.0.254/24",
    );
    expect(contents[`wirelab/symbols/${lab.symbol}`]!.toString()).toContain("mine");
    const own = JSON.parse(contents["wirelab/lab.json"]!.toString());
    expect(own.nodes[0].document.properties).toMatchObject({ ignore_checksums: true });
  });

  test("is the same while nothing changes, and changes nothing", async () => {
    const lab = await makeFullLab();
    const [one, other] = [await client.get(`${lab.path}/export`), await client.get(`${lab.path}/export`)];
    expect(one.bytes.equals(other.bytes)).toBe(true);
    expect((await client.get(`${lab.path}/nodes/${lab.pc1}`)).json.status).toBe("started");
  });

  test("is larger without compression, and can be closed", async () => {
    const lab = await makeFullLab();
    await client.post(`${lab.path}/close`);
    const [packed, stored] = [await exported(lab.path), await exported(lab.path, "?compression=NONE")];
    expect(packed.contents).toEqual(stored.contents);
    expect(packed.size).toBeLessThan(stored.size / 2);
  });

  test.each(["bzip2", "lzma", "rar"])(
    "with the compression %s is refused, with what is supported",
    async (kind) => {
      const { path } = await makeLab();
      const { status, json } = await client.get(`${path}/export?compression=${kind}`);
      expect([status, json.errors]).toEqual([
        400,
        [{ path: "query.compression", message: "is not supported; supported are zip and none" }],
      ]);
    },
  );

  test("takes the options of existing clients", async () => {
    const { path } = await makeLab();
    const query =
      "?include_snapshots=yes&include_images=no&reset_mac_addresses=yes&keep_compute_ids=yes&compression=zip&compression_level=3";
    expect((await exported(path, query)).names).toEqual(["project.gns3", "wirelab/lab.json"]);
  });

  test("that does not exist is 404", async () => {
    expect((await client.get(`/projects/${uuid()}/export`)).status).toBe(404);
  });
});
