/**
 * The client of EC2 against moto's server, another author's model of EC2: what our fake takes, moto takes too. moto checks no signatures and
 * changes states at once.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { FAKE_CREDENTIALS } from "../helpers/ec2/fake-ec2.ts";
import { findPython } from "../helpers/service/clients.ts";
import { settles } from "../helpers/settles.ts";

const python = findPython("moto.server", "flask", "flask_cors");
const STARTED_TIMEOUT_MS = 60_000;

describe.skipIf(python === undefined)("EC2 as moto models it (skipped without Python's moto[server])", () => {
  let moto: ChildProcess;
  let ec2: typeof import("../../functions/shared/store/ec2/instances.ts");
  let query: typeof import("../../functions/shared/store/ec2/query.ts");
  let template = "";

  beforeAll(async () => {
    const port = await freePort();
    moto = spawn(python!, ["-m", "moto.server", "-p", String(port)], { stdio: "ignore" });
    const endpoint = `http://127.0.0.1:${port}`;
    Object.assign(process.env, FAKE_CREDENTIALS, {
      AWS_REGION: "eu-central-1",
      AWS_ENDPOINT_URL_EC2: endpoint,
    });
    await settles(async () => expect((await fetch(`${endpoint}/moto-api/`)).status).toBe(200), {
      timeout: STARTED_TIMEOUT_MS,
      interval: 200,
    });
    ec2 = await import("../../functions/shared/store/ec2/instances.ts");
    query = await import("../../functions/shared/store/ec2/query.ts");
    const { textAt } = await import("../../functions/shared/store/ec2/read-xml.ts");
    const created = await query.callEc2("CreateLaunchTemplate", {
      LaunchTemplateName: "helper",
      LaunchTemplateData: { ImageId: "ami-12c6146b" },
    });
    template = textAt(created, "launchTemplate", "launchTemplateId")!;
  });
  afterAll(async () => {
    if (moto?.kill()) await once(moto, "exit");
  });

  const launch = (token: string, stack = "Wirelab") =>
    ec2.launchInstance({ template, stack, name: "helper", type: "m5.large", token });
  const stateOf = async (id: string) =>
    (await ec2.listInstances("Wirelab")).find(({ instanceId }) => instanceId === id)?.state;

  test("an instance is launched from the template, and listed with the stack's tag alone", async () => {
    const own = await launch("one");
    const other = await launch("two", "Another");
    expect(own).toMatchObject({
      name: "helper",
      type: "m5.large",
      address: expect.stringMatching(/^\d+\.\d+\.\d+\.\d+$/),
    });
    const listed = await ec2.listInstances("Wirelab");
    expect(listed.map(({ instanceId }) => instanceId)).toEqual([own.instanceId]);
    expect((await ec2.listInstances("Another"))[0]!.instanceId).toBe(other.instanceId);
  });

  test("it stops, gets another type, and starts with the address that it had", async () => {
    const { instanceId, address } = await launch("three");
    await ec2.stopInstance(instanceId, { hibernate: false });
    expect(await stateOf(instanceId)).toBe("stopped");
    await ec2.setInstanceType(instanceId, "m5.xlarge");
    await ec2.startInstance(instanceId);
    const started = (await ec2.listInstances("Wirelab")).find((each) => each.instanceId === instanceId);
    expect(started).toMatchObject({ state: "running", type: "m5.xlarge", address });
  });

  test("hibernation is a request that EC2 takes", async () => {
    const { instanceId } = await launch("four");
    await ec2.stopInstance(instanceId, { hibernate: true });
    expect(await stateOf(instanceId)).toBe("stopped");
  });

  test("a terminated instance is not listed any more", async () => {
    const { instanceId } = await launch("five");
    await query.callEc2("TerminateInstances", { InstanceId: [instanceId] });
    expect(await stateOf(instanceId)).toBeUndefined();
  });

  test("the types of a family are listed, the smallest first and without bare-metal ones", async () => {
    const types = await ec2.listTypes("m5");
    expect(types[0]).toEqual({ name: "m5.large", vcpus: 2, ramMb: 8192 });
    expect(types.filter(({ name }) => name.includes("metal"))).toEqual([]);
    expect(types.length).toBeGreaterThan(3);
  });

  test("refusals are words with what to do", async () => {
    await expect(ec2.startInstance("i-00000000000000000")).rejects.toMatchObject({
      code: "simvm.refused",
      message: expect.stringContaining("has no such instance any more"),
    });
  });
});

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}
