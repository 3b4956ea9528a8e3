/** The tap of a running capture. */
import { CaptureTap, makeTapSettings } from "@wirelab/engine/link/capture-tap";
import type { LabLink, LinkTap } from "@wirelab/engine/simulation/lab";
import type { RunningCapture } from "../store/lab/link.ts";

export const tapOf = (capture: RunningCapture): LinkTap => ({
  settings: makeTapSettings(capture.options ?? {}, capture.data_link_type),
  soFar: { packets: capture.packets, bytes: capture.bytes, limitReached: capture.limit_reached },
});

export const makeTap = ({ tap }: Pick<LabLink, "tap">): CaptureTap | undefined =>
  tap && new CaptureTap(tap.settings, tap.soFar);
