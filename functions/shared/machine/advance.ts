/**
 * The steps of the helper machine, from what the settings and the projects want and what EC2 reports.
 *
 *     off -> wanted -> starting -> booting -> ready -> stopping -> off
 *
 * The item names a step before EC2 is asked, every step can be repeated (a launch by its token), and a write is refused when another call
 * was faster. So a function may die anywhere: EventBridge's event, the schedule or the next request goes on. functions/helper/probe.ts
 * makes the step from `booting` to `ready`, because it alone reaches the machine.
 */
import { randomUUID } from "node:crypto";
import { SERVICE } from "../edge/access.ts";
import { ApiError, failureOf } from "../edge/errors.ts";
import { logger } from "../edge/log.ts";
import { SIMVM_ERRORS } from "../edge/own-errors/simvm.ts";
import type { SimVm } from "../schemas/simvm.ts";
import { nowUs } from "../store/base/table.ts";
import {
  type Instance,
  launchInstance,
  listInstances,
  setInstanceType,
  startInstance,
  stopInstance,
} from "../store/ec2/instances.ts";
import type { Helper } from "../store/helper/helper.ts";
import { readProjects } from "../store/project/read-projects.ts";
import { chooseType } from "./choose-type.ts";
import { defaultName, type HelperConfig, idleUs, isOnEc2, machineName } from "./config.ts";
import { asked } from "./ensure.ts";
import { type HelperStore, STORE } from "./helper-store.ts";

/** More steps than a machine can take without waiting for EC2. */
const MOST_STEPS = 8;
/** An instance that EC2 ends this often is not started again until a request asks: each launch costs. */
const MOST_ATTEMPTS = 3;

const US_PER_MINUTE = 60_000_000;
/** A server that does not answer for this long is reported. */
const SLOW_BOOT_US = 15 * US_PER_MINUTE;
/** An instance whose server never answers is stopped, because it costs. */
const LONGEST_BOOT_US = 60 * US_PER_MINUTE;
/** EC2 refuses to hibernate an instance whose agent is not ready; after this time it is stopped without. */
const LONGEST_HIBERNATION_US = 10 * US_PER_MINUTE;
const NOTED_EVERY_US = US_PER_MINUTE;

export interface ProjectStore extends HelperStore {
  /** Returns those of the projects that are open. */
  readonly openOf: (projectIds: readonly string[]) => Promise<string[]>;
}

const WITH_PROJECTS: ProjectStore = {
  ...STORE,
  openOf: async (projectIds) =>
    (await readProjects(SERVICE, projectIds))
      .filter(({ status }) => status === "opened")
      .map(({ project_id }) => project_id),
};

interface Scene {
  readonly config: HelperConfig;
  readonly store: ProjectStore;
  readonly settings: SimVm;
  readonly helper: Helper;
  readonly now: number;
}

/** The changes of a step; undefined to wait. */
type Changes = Partial<Helper> | undefined;

/** Takes all steps that need no waiting, and returns the item. Failures of EC2 are noted in it, in words. */
export async function advance(config: HelperConfig, store: ProjectStore = WITH_PROJECTS): Promise<Helper> {
  let helper = await store.read();
  for (let step = 0; step < MOST_STEPS; step++) {
    const scene: Scene = { config, store, settings: await store.settings(), helper, now: nowUs() };
    const changes = await attempt(scene);
    if (changes === undefined) return helper;
    helper = (await store.write(helper, changes)) ?? (await store.read());
    if (changes.error !== undefined && changes.state === undefined) return helper;
  }
  return helper;
}

async function attempt(scene: Scene): Promise<Changes> {
  try {
    return follow(scene) ?? (await STEPS[scene.helper.state](scene));
  } catch (error) {
    if (!(error instanceof ApiError) || !error.code.startsWith("simvm.")) throw error;
    logger.warn("the helper machine waits", { state: scene.helper.state, error });
    return scene.helper.error === error.message ? undefined : { error: error.message };
  }
}

/** Follows a change of the settings. */
function follow({ settings, helper }: Scene): Changes {
  const isOn = isOnEc2(settings);
  if (isOn === helper.enabled) return undefined;
  const { state } = helper;
  if (isOn) return { ...asked(), used_us: nowUs(), projects: [] };
  if (state === "off") return { enabled: false };
  const keeps = settings.when_exit === "keep";
  return { enabled: false, projects: [], error: undefined, state: keeps ? "off" : "stopping" };
}

const STEPS: Readonly<Record<Helper["state"], (scene: Scene) => Promise<Changes>>> = {
  off: async () => undefined,
  wanted: start,
  starting: awaitInstance,
  booting: watchBoot,
  ready: watchUse,
  stopping: stop,
};

const ownOf = async ({ config, helper }: Scene): Promise<Instance | undefined> =>
  (await listInstances(config.stack)).find(({ instanceId }) => instanceId === helper.instance_id);

async function start(scene: Scene): Promise<Changes> {
  const { config, settings, helper } = scene;
  const name = machineName(config, settings);
  const named = (await listInstances(config.stack)).filter((each) => each.name === name);
  const instance = named.find(({ instanceId }) => instanceId === helper.instance_id) ?? named[0];
  const begun = ({ instanceId }: Instance): Changes => ({
    state: "starting",
    instance_id: instanceId,
    address: undefined,
    error: undefined,
  });
  if (instance === undefined) return begun(await launch(scene, name));
  switch (instance.state) {
    case "stopping":
      return undefined;
    case "stopped": {
      const type = await chooseType(instance.type, settings);
      if (type !== instance.type) await setInstanceType(instance.instanceId, type);
      await startInstance(instance.instanceId);
      return begun(instance);
    }
    default:
      return begun(instance);
  }
}

async function launch({ config, settings, helper }: Scene, name: string): Promise<Instance> {
  const { template, stack, type } = config;
  if (name !== defaultName(config) || template === undefined) {
    throw failureOf(SIMVM_ERRORS, "simvm.vm-not-found", { engine: "ec2", vmname: name });
  }
  const fitting = await chooseType(type, settings);
  return launchInstance({ template, stack, name, type: fitting, token: helper.token });
}

/** EC2 has ended the instance: tries again, a few times. */
function ended({ helper }: Scene, instance: Instance | undefined): Changes {
  const attempts = helper.attempts + 1;
  const error = `EC2 has ended the instance: ${instance?.reason ?? "it no longer exists"}`;
  const again = attempts < MOST_ATTEMPTS;
  return { state: again ? "wanted" : "off", attempts, error, token: randomUUID() };
}

const isOver = (instance: Instance | undefined): boolean =>
  instance === undefined || !["pending", "running"].includes(instance.state);

async function awaitInstance(scene: Scene): Promise<Changes> {
  const instance = await ownOf(scene);
  if (isOver(instance)) return ended(scene, instance);
  if (instance!.state !== "running" || instance!.address === undefined) return undefined;
  return { state: "booting", address: instance!.address, error: undefined };
}

async function watchBoot(scene: Scene): Promise<Changes> {
  const instance = await ownOf(scene);
  if (isOver(instance)) return ended(scene, instance);
  const { helper, settings, now } = scene;
  const bootUs = now - helper.since_us;
  const error = `its server has not answered on port ${settings.port} for a quarter of an hour; read /var/log/cloud-init-output.log there`;
  if (bootUs >= LONGEST_BOOT_US) return { state: "stopping", error };
  return bootUs >= SLOW_BOOT_US && helper.error !== error ? { error } : undefined;
}

async function watchUse(scene: Scene): Promise<Changes> {
  const { helper, settings, store, now } = scene;
  const instance = await ownOf(scene);
  // An operator may have stopped it; the next request that needs the machine starts it again.
  if (isOver(instance))
    return {
      state: "off",
      error: `EC2 has ended the instance: ${instance?.reason ?? "it no longer exists"}`,
    };
  const { address } = instance!;
  if (address !== undefined && (address !== helper.address || settings.port !== helper.port))
    return { state: "booting", address };
  const open = helper.projects.length === 0 ? [] : await store.openOf(helper.projects);
  const closed = open.length < helper.projects.length && { projects: open };
  if (open.length > 0)
    return now - helper.used_us >= NOTED_EVERY_US ? { ...closed, used_us: now } : closed || undefined;
  if (settings.when_exit === "keep" || now - helper.used_us < idleUs()) return closed || undefined;
  return { ...closed, state: "stopping" };
}

async function stop(scene: Scene): Promise<Changes> {
  const { settings, helper, now } = scene;
  const instance = await ownOf(scene);
  if (instance === undefined || instance.state === "stopped") return { state: "off" };
  if (instance.state !== "running") return undefined;
  const hibernate = settings.when_exit === "suspend" && now - helper.since_us < LONGEST_HIBERNATION_US;
  await stopInstance(instance.instanceId, { hibernate });
  return undefined;
}
