/** State that all connections use: settings that each writes and reads, and a link with a capture of all their packets. */
import { makePcap, parsePcap } from "../../helpers/captures/pcap.ts";
import { type Caller, type Reply, wasCarriedOut } from "./caller.ts";
import { trafficIn } from "./own-lab.ts";
import { Register } from "./register.ts";
import type { Tally } from "./tally.ts";

// biome-ignore lint/suspicious/noExplicitAny: the service's responses
type Json = any;

interface Place {
  readonly register: Register;
  readonly path: string;
  readonly write: (value: number) => unknown;
  readonly valueIn: (json: Json) => number;
  readonly readRoute: string;
  readonly writeRoute: string;
  readonly status: number;
}

export const REPLAYED_PACKETS = 3;
export const REPLAYED = makePcap(REPLAYED_PACKETS);
const end = (node_id: string) => ({ node_id, adapter_number: 0, port_number: 0 });

export class Shared {
  readonly places: readonly Place[];
  /** How many connections have created their labs. */
  labs = 0;
  #tally: Tally;
  readonly #link: string;
  #replays = 0;

  private constructor(tally: Tally, places: readonly Place[], link: string) {
    this.#tally = tally;
    this.places = places;
    this.#link = link;
  }

  static async make(caller: Caller, tally: Tally): Promise<Shared> {
    const post = async (route: string, path: string, body: unknown): Promise<Json> =>
      (await caller.until(route, "POST", path, { body, key: crypto.randomUUID() })).json;
    const project = `/projects/${(await post("createProject", "/projects", { name: "shared" })).project_id}`;
    const nodes: string[] = [];
    for (const name of ["A", "B"]) {
      const body = { name, node_type: "vpcs", compute_id: "local" };
      nodes.push((await post("createNode", `${project}/nodes`, body)).node_id);
    }
    const { link_id } = await post("createLink", `${project}/links`, { nodes: nodes.map(end) });
    const link = `${project}/links/${link_id}`;
    await post("startCapture", `${link}/start_capture`, {});
    const at = (
      path: string,
      name: string,
      writeRoute: string,
      readRoute: string,
      first: number,
      status = 200,
    ) => ({
      register: new Register(first),
      path,
      write: (value: number) => ({ [name]: value }),
      valueIn: (json: Json) => json[name],
      readRoute,
      writeRoute,
      status,
    });
    const simvm = at("/simvm", "ram", "updateSimVm", "getSimVm", 2048, 201);
    const license = at("/iou_license", "iourc_content", "updateIouLicense", "getIouLicense", 0, 201);
    return new Shared(
      tally,
      [
        at(project, "zoom", "updateProject", "getProject", 100),
        at(`${project}/nodes/${nodes[0]}`, "x", "updateNode", "getNode", 0),
        simvm,
        // The same settings at a second path.
        { ...simvm, path: "/gns3vm", readRoute: "getGns3Vm", writeRoute: "updateGns3Vm" },
        {
          ...license,
          write: (value) => ({ iourc_content: String(value) }),
          valueIn: ({ iourc_content }) => Number(iourc_content),
        },
      ],
      link,
    );
  }

  /** Sets where wrong responses are reported from now on. */
  report(tally: Tally): void {
    this.#tally = tally;
  }

  place(route: string): Place | undefined {
    return this.places.find(({ readRoute, writeRoute }) => readRoute === route || writeRoute === route);
  }

  async write(caller: Caller, place: Place): Promise<void> {
    const write = place.register.begin(performance.now());
    const body = place.write(write.value);
    const reply = await caller.until(place.writeRoute, "PUT", place.path, { body });
    if (reply.status !== place.status) return this.#complain(place.writeRoute, reply);
    const shown = place.valueIn(reply.json);
    if (shown !== write.value)
      this.#tally.complain(`${place.writeRoute}: wrote ${write.value}, response has ${shown}`);
    write.endMs = reply.endMs;
  }

  async read(caller: Caller, place: Place): Promise<void> {
    const reply = await caller.until(place.readRoute, "GET", place.path);
    if (reply.status !== 200) return this.#complain(place.readRoute, reply);
    const value = place.valueIn(reply.json);
    if (place.register.mayBe(value, reply.beginMs, reply.endMs)) return;
    this.#tally.complain(`${place.readRoute}: ${value} was not the last value written`);
  }

  async replay(caller: Caller): Promise<void> {
    const ask = { raw: REPLAYED, key: crypto.randomUUID(), accept: "application/json" };
    const reply = await caller.until("replay", "POST", `${this.#link}/replay`, ask);
    if (reply.status === 200 || wasCarriedOut(reply)) this.#replays += 1;
    else this.#complain("replay", reply);
  }

  /** Checks that the capture contains every replay exactly once. */
  async check(caller: Caller): Promise<void> {
    const captures = await caller.until("listCaptures", "GET", `${this.#link}/captures`);
    const { capture_id, packets } = captures.json[0];
    const { bytes } = await caller.until(
      "downloadCapture",
      "GET",
      `${this.#link}/captures/${capture_id}/pcap`,
    );
    const { replayed } = trafficIn(parsePcap(bytes).map(({ data }) => data));
    const wanted = this.#replays * REPLAYED_PACKETS;
    if (replayed !== wanted || packets !== wanted) {
      this.#tally.complain(
        `the shared capture says ${packets} packets, holds ${replayed}, and was sent ${wanted}`,
      );
    }
  }

  #complain(route: string, { status, bytes }: Reply): void {
    this.#tally.complain(`${route}: ${status} ${bytes.toString("utf8", 0, 300)}`);
  }
}
