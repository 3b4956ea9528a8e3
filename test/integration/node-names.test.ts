/** Names and numbers of nodes: the lowest free ones, found at a cost that does not depend on the size of the lab. */
import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { DeleteCommand, DynamoDBDocumentClient, QueryCommand } from "@aws-sdk/lib-dynamodb";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { perform, useServiceStores } from "../helpers/service/in-process.ts";
import { addNode, client, type Lab, makeLab } from "../helpers/service/lab.ts";
import { localStack } from "../helpers/stack/this-stack.ts";
import { type CountingProxy, startCountingProxy } from "../helpers/stores/counting-proxy.ts";

type Operations = typeof import("../../functions/nodes/create-node.ts") &
  typeof import("../../functions/nodes/update-node.ts") &
  typeof import("../../functions/nodes/delete-node.ts");

let operations: Operations;
let calls: CountingProxy;

beforeAll(async () => {
  useServiceStores();
  calls = await startCountingProxy(localStack().dynamodbEndpoint);
  process.env.AWS_ENDPOINT_URL_DYNAMODB = calls.url;
  operations = {
    ...(await import("../../functions/nodes/create-node.ts")),
    ...(await import("../../functions/nodes/update-node.ts")),
    ...(await import("../../functions/nodes/delete-node.ts")),
  };
});

afterAll(() => calls.close());

interface Made {
  readonly node_id: string;
  readonly name: string;
}

const create = async ({ projectId }: Lab, name: string, fields: object = {}): Promise<Made> => {
  const body = { name, node_type: "vpcs", compute_id: "local", ...fields };
  return (await perform(operations.createNode, { params: { project_id: projectId }, body })) as Made;
};
const rename = async ({ projectId }: Lab, { node_id }: Made, name: string): Promise<Made> => {
  const params = { project_id: projectId, node_id };
  return (await perform(operations.updateNode, { params, body: { name } })) as Made;
};
const remove = ({ projectId }: Lab, { node_id }: Made) =>
  perform(operations.deleteNode, { params: { project_id: projectId, node_id } });

const createMany = async (lab: Lab, count: number, name: string): Promise<Made[]> => {
  const made: Made[] = [];
  for (let i = 0; i < count; i++) made.push(await create(lab, name));
  return made;
};

const namesOf = (nodes: readonly Made[]): string[] => nodes.map(({ name }) => name);

/** Removes the number series, which labs of earlier versions do not have. */
async function forgetSeries({ projectId }: Lab): Promise<void> {
  const { dynamodbEndpoint: endpoint, region, credentials, tableName: TableName } = localStack();
  const documents = DynamoDBDocumentClient.from(new DynamoDBClient({ endpoint, region, credentials }));
  const { Items = [] } = await documents.send(
    new QueryCommand({
      TableName,
      KeyConditionExpression: "pk = :pk AND begins_with(sk, :sk)",
      ExpressionAttributeValues: { ":pk": `PROJECT#${projectId}`, ":sk": "SERIES#" },
    }),
  );
  expect(Items.length).toBeGreaterThan(0);
  for (const { pk, sk } of Items) await documents.send(new DeleteCommand({ TableName, Key: { pk, sk } }));
  documents.destroy();
}

describe("creating a node", () => {
  test("makes the same calls, reads as much and writes as much in a lab of many nodes as of few", async () => {
    const lab = await makeLab();
    const cost = async () => {
      await create(lab, "PC{0}");
      const first = calls.take();
      await create(lab, "named", { node_type: "ethernet_switch" });
      return { first, second: calls.take() };
    };
    await createMany(lab, 10, "PC{0}");
    await create(lab, "named", { node_type: "ethernet_switch" });
    await create(lab, "named", { node_type: "ethernet_switch" });
    calls.take();
    const few = await cost();
    await createMany(lab, 60, "PC{0}");
    calls.take();
    const many = await cost();
    // Numbers are longer by a digit.
    const DIGITS = 32;
    for (const which of ["first", "second"] as const) {
      const { bytes, ...costs } = many[which];
      const { bytes: before, ...costsBefore } = few[which];
      expect(costs).toEqual(costsBefore);
      expect(bytes - before).toBeLessThan(DIGITS);
      expect(costs.calls).toBe(2);
    }
  });

  test("takes the lowest free name and number, whatever was created, renamed and deleted before", async () => {
    const lab = await makeLab();
    const model = new Map<string, string>();
    let nodes: Made[] = [];
    let seed = 7;
    const random = (below: number): number => {
      seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
      return Math.floor((seed / 2 ** 31) * below);
    };
    const WISHES = ["PC{0}", "PC1", "PC3", "PC10", "R{id}-x", "R2-x", "{0}{0}", "PC1{0}", "x"];
    for (let step = 0; step < 80; step++) {
      const wish = WISHES[random(WISHES.length)]!;
      const kind = nodes.length < 3 ? 0 : random(10);
      const any = nodes[random(nodes.length)]!;
      if (kind < 6) {
        const taken = new Set(model.values());
        const made = await create(lab, wish);
        expect([step, wish, made.name]).toEqual([step, wish, lowestFree(wish, taken)]);
        model.set(made.node_id, made.name);
        nodes.push(made);
      } else if (kind < 9) {
        await remove(lab, any);
        model.delete(any.node_id);
        nodes = nodes.filter((node) => node !== any);
      } else {
        const taken = new Set(model.values());
        const expected = wish === any.name ? wish : lowestFree(wish, taken);
        const changed = await rename(lab, any, wish);
        expect([step, wish, changed.name]).toEqual([step, wish, expected]);
        model.set(any.node_id, changed.name);
        nodes = nodes.map((node) => (node === any ? changed : node));
      }
    }
  });

  test("takes the lowest free name and number in a lab of a version without number series", async () => {
    const lab = await makeLab();
    const made = await createMany(lab, 6, "PC{0}");
    await remove(lab, made[3]!);
    await forgetSeries(lab);
    await remove(lab, made[1]!);
    expect(namesOf(await createMany(lab, 3, "PC{0}"))).toEqual(["PC2", "PC4", "PC7"]);
    await client.post(`${lab.path}/nodes/start`);
    const { json } = await client.get(`${lab.path}/nodes`);
    const macs = await Promise.all(
      json.map(async ({ node_id }: Made) => {
        const shown = await client.post(`${lab.path}/nodes/${node_id}/console`, { commands: ["show ip"] });
        return /MAC +: (\S+)/.exec(shown.json.output)?.[1];
      }),
    );
    expect(macs.toSorted()).toEqual([0, 1, 2, 3, 4, 5, 6].map((number) => `00:50:79:66:68:0${number}`));
  });

  test("gives each of many concurrent requests a name of its own, without a gap", async () => {
    const lab = await makeLab();
    await Promise.all(Array.from({ length: 16 }, () => addNode(lab, { name: "PC{0}" })));
    const { json } = await client.get(`${lab.path}/nodes`);
    expect(new Set(namesOf(json))).toEqual(new Set(Array.from({ length: 16 }, (_, i) => `PC${i + 1}`)));
  });
});

/** The documented rule, computed from all names in use. */
function lowestFree(wish: string, taken: ReadonlySet<string>): string {
  const name = wish.replaceAll("{id}", "{0}");
  if (!name.includes("{0}") && !taken.has(name)) return name;
  const template = name.includes("{0}") ? name : `${name.replace(/\d+$/, "")}{0}`;
  for (let number = 1; ; number++) {
    const candidate = template.replaceAll("{0}", String(number));
    if (!taken.has(candidate)) return candidate;
  }
}
