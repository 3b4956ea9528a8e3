/** The tap of a running capture. */
import { CaptureTap, makeTapSettings } from "../engine/capture-tap.ts";
import type { LabLink, LinkTap } from "../engine/simulation/lab.ts";
import type { RunningCapture } from "../store/link.ts";

export const tapOf = (capture: RunningCapture): LinkTap => ({
  settings: makeTapSettings(capture.options ?? {}, capture.data_link_type),
  soFar: { packets: capture.packets, bytes: capture.bytes, limitReached: capture.limit_reached },
});

export const makeTap = ({ tap }: LabLink): CaptureTap | undefined =>
  tap && new CaptureTap(tap.settings, tap.soFar);
