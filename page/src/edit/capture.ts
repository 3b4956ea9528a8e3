/** Starts and stops captures. */
import type { Capture } from "../../../functions/shared/schemas/capture.ts";
import { call } from "../api/call.ts";
import type { Link } from "../api/types.ts";
import type { Lab } from "../lab/lab.ts";
import { notify } from "../ui/notices.tsx";
import { fieldWords } from "./words.ts";

type CapturedLab = Pick<Lab, "path" | "putLink" | "shown" | "refresh" | "history">;

const linkPath = (lab: CapturedLab, id: string): string => `${lab.path}/links/${id}`;

/** The newest capture of a link. */
async function newest(lab: CapturedLab, id: string): Promise<Capture | undefined> {
  return (await call<Capture[]>("GET", `${linkPath(lab, id)}/captures`)).at(-1);
}

async function start(lab: CapturedLab, id: string, like: Partial<Capture> = {}): Promise<Link> {
  const { bpf, max_packets, max_bytes, snaplen, tap, data_link_type } = like;
  const given = Object.entries({ bpf, max_packets, max_bytes, snaplen, tap, data_link_type });
  const body = Object.fromEntries(given.filter(([, value]) => value != null));
  const link = await call<Link>("POST", `${linkPath(lab, id)}/start_capture`, { body });
  lab.putLink(link);
  return link;
}

async function stop(lab: CapturedLab, id: string): Promise<void> {
  lab.putLink(await call<Link>("POST", `${linkPath(lab, id)}/stop_capture`, { body: {} }));
}

/** Stops a capture that an undo takes back. Its file stays if it has packets. */
async function takeBack(lab: CapturedLab, id: string): Promise<void> {
  await stop(lab, id);
  const capture = await newest(lab, id);
  if (capture?.packets === 0) await call("DELETE", `${linkPath(lab, id)}/captures/${capture.capture_id}`);
  else if (capture) notify(`${capture.capture_file_name} stays: it has ${capture.packets} packets.`);
}

/** @returns whether a link is captured, or not, as this page has left it. */
async function isAsLeft(lab: CapturedLab, id: string, file: string | null): Promise<boolean> {
  await lab.refresh("link", [id]);
  const link = lab.shown("link", id) as Link | undefined;
  if (link === undefined) return false;
  if (link.capture_file_name === file) return true;
  const words = fieldWords(lab, "link", id, ["capture"]);
  notify(`Changed since by another user, and left as it is: ${words}.`, true);
  return false;
}

/** Starts or stops the capture of a link. */
export async function setCapture(lab: CapturedLab, id: string, isOn: boolean): Promise<void> {
  /** The file of the running capture, as this page has left it. */
  let file: string | null = null;
  const begin = async (like?: Capture) => {
    file = (await start(lab, id, like)).capture_file_name;
  };
  const end = async (stopNow: typeof stop) => {
    await stopNow(lab, id);
    file = null;
  };
  if (isOn) {
    await begin();
    lab.history.note({
      name: "start a capture",
      undo: async () => (await isAsLeft(lab, id, file)) && end(takeBack),
      redo: async () => (await isAsLeft(lab, id, file)) && begin(),
    });
  } else {
    await end(stop);
    lab.history.note({
      name: "stop a capture",
      // Packets cannot be added to a stopped capture: another one begins.
      undo: async () => (await isAsLeft(lab, id, file)) && begin(await newest(lab, id)),
      redo: async () => (await isAsLeft(lab, id, file)) && end(stop),
    });
  }
}
