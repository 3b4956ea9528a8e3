/**
 * Makes, with the store's own code, what a client cannot make here: users, the states of Linux guests and their runs, which need images; the
 * state of a helper machine, which needs EC2; a large commit whose function has died. Set the variables of the stores before the calls.
 */
import { UpdateTransaction } from "dynamodb-toolbox/entity/actions/transactUpdate";
import { UpdateItemCommand } from "dynamodb-toolbox/entity/actions/update";
import type { Access } from "../../../functions/shared/edge/access.ts";
import type { Role } from "../../../functions/shared/edge/principal.ts";

const STORE = "../../../functions/shared/store";
const idOf = (project: string): string => project.slice(project.lastIndexOf("/") + 1);

export async function addUser(name: string, role: Role, password: string): Promise<void> {
  const users = await import(`${STORE}/user/user.ts`);
  if (!(await users.addUser(name, role, password))) throw new Error(`There is a user ${name}`);
}

/** Switches a Linux node on, with a state of its guest, as a run does. */
export async function setGuest(project: string, node_id: string, text: string): Promise<void> {
  const [node, read, projects, transact, access, guests] = await Promise.all([
    import("../../../functions/shared/store/lab/node.ts"),
    import("../../../functions/shared/store/contents/read.ts"),
    import("../../../functions/shared/store/project/project.ts"),
    import("../../../functions/shared/store/base/transact.ts"),
    import("../../../functions/shared/edge/access.ts"),
    import("../../../functions/shared/store/lab/guest-state.ts"),
  ]);
  const project_id = idOf(project);
  const { nodes } = await read.readItems(access.SERVICE, project_id, { nodes: [node_id] });
  if (!nodes.has(node_id)) throw new Error(`There is no node ${node_id}`);
  const guest = guests.newGuestName();
  const saved = { image: "d", nowNs: 7, difference: Buffer.from(text) };
  const guest_bytes = await guests.storeGuest(project_id, node_id, guest, saved);
  const device = { guest, prompt: "# ", inputs: [], outputs: [] };
  const state = { device, random: [1, 2, 3, 4] as const };
  const written = await transact.holdsAll([
    node.NodeEntity.build(UpdateTransaction).item({
      project_id,
      node_id,
      status: "started",
      state,
      guest_bytes,
    }),
    projects.discount(project_id, { stored_bytes: -guest_bytes }),
  ]);
  if (!written) throw new Error("The project has a pending commit");
}

/** Stores a run of a lab with Linux nodes that has ended. @param project undefined for a lab file. @returns the run's id. */
export async function addFinishedRun(user: string, project: string | undefined): Promise<string> {
  const runs = await import("../../../functions/shared/run/stored-run.ts");
  const access: Access = { caller: { name: user, role: "editor" }, needed: "editor" };
  const run_id = crypto.randomUUID();
  const project_id = project === undefined ? runs.LAB_FILES : idOf(project);
  const folder = runs.runFolder(access, project_id, run_id);
  const operation = project === undefined ? "runLabFile" : "runConsole";
  await runs.saveRequest(folder, { operation, params: { project_id }, body: {}, access });
  await runs.saveProgress(folder, { elapsed: 12.5 });
  await runs.saveOutcome(folder, { answer: { status: 200, body: { status: "passed", verdicts: [] } } });
  return run_id;
}

/** Leaves a commit that stops a PC begun, as a function does that died after its first transaction. */
export async function leaveCommit(project: string, node_id: string): Promise<void> {
  const [commits, projects, read, access] = await Promise.all([
    import("../../../functions/shared/store/commit/commit-object.ts"),
    import("../../../functions/shared/store/project/project.ts"),
    import("../../../functions/shared/store/contents/read.ts"),
    import("../../../functions/shared/edge/access.ts"),
  ]);
  const project_id = idOf(project);
  const { project: stored } = await read.readItems(access.SERVICE, project_id, { nodes: [node_id] });
  const run = (stored!.run ?? 0) + 1;
  const attempt = crypto.randomUUID();
  const changes = [{ kind: "node", node_id, status: "stopped", state: {} }] as const;
  await commits.writeCommit({ project_id, attempt }, { run, changes: changes as never });
  await projects.ProjectEntity.build(UpdateItemCommand).item({ project_id, run, pending: attempt }).send();
}

/** Stores that a helper machine is off. */
export async function noteHelper(): Promise<void> {
  const { readHelper, writeHelper } = await import("../../../functions/shared/store/helper/helper.ts");
  await writeHelper(await readHelper(), { used_us: 1, error: "The instance was ended" });
}

/** Lets items that a client can read for a day be read for ever: a test opens the folder years later. */
export async function keepForEver(
  items: readonly Readonly<Record<string, unknown>>[],
  kinds: readonly string[],
): Promise<void> {
  const { client, table } = await import("../../../functions/shared/store/base/table.ts");
  const { UpdateItemCommand: Update } = await import("@aws-sdk/client-dynamodb");
  const YEAR_2999_S = 32_472_144_000;
  for (const { pk, sk, entity } of items) {
    if (!kinds.includes(String(entity))) continue;
    await client.send(
      new Update({
        TableName: table.getName(),
        Key: { pk: { S: String(pk) }, sk: { S: String(sk) } },
        UpdateExpression: "SET expires_s = :never",
        ExpressionAttributeValues: { ":never": { N: String(YEAR_2999_S) } },
      }),
    );
  }
}
