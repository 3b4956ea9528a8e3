/** The timeline of a lab that was played: traffic and losses of each link, events, and a time that can be moved. */
import { useEffect, useMemo, useState } from "preact/hooks";
import type { Lab } from "../lab/lab.ts";
import { idOfLink } from "./find-failed.ts";
import { LinkStrip } from "./link-strip.tsx";
import { PacketTable } from "./packet-table.tsx";
import type { Player } from "./player.ts";
import { PlotsView } from "./plots-view.tsx";
import type { Timeline } from "./timeline.ts";

const NS_PER_SECOND = 1e9;
/** How long the whole timeline takes at each speed. */
const DURATIONS_SECONDS = [60, 20, 5];

interface Properties {
  readonly timeline: Timeline;
  readonly player: Player;
  readonly lab: Lab;
}

export const TimelineView = ({ timeline, player, lab }: Properties) => {
  const { endNs, links, events, binNs } = timeline;
  const [atNs, setAtNs] = useState(0);
  const [isOnMap, setOnMap] = useState(false);
  const replay = useReplay(endNs, atNs, setAtNs);
  useEffect(() => player.showAt(atNs), [player, timeline, atNs]);
  const packets = player.packets.value;
  useEffect(() => {
    if (!isOnMap) return;
    const recent = new Set(
      packets.filter(({ at }) => at * NS_PER_SECOND > atNs - binNs).map(({ link }) => link),
    );
    const ids = links
      .filter(({ name }) => recent.has(name))
      .flatMap(({ ends }) => idOfLink(ends, lab.nodes.value, lab.links.value) ?? []);
    lab.selection.value = new Set(ids);
  }, [packets, isOnMap]);
  const most = useMemo(() => Math.max(1, ...links.flatMap(({ bytes }) => bytes)), [links]);
  return (
    <section class="timeline" aria-label="Timeline">
      <div class="timeline-bar">
        <button type="button" aria-pressed={replay.isPlaying} onClick={replay.toggle}>
          {replay.isPlaying ? "Pause" : "Replay"}
        </button>
        <select
          aria-label="Speed"
          value={replay.seconds}
          onChange={(event) => replay.setSeconds(Number(event.currentTarget.value))}
        >
          {DURATIONS_SECONDS.map((seconds) => (
            <option key={seconds} value={seconds}>
              in {seconds} s
            </option>
          ))}
        </select>
        <output>{(atNs / NS_PER_SECOND).toFixed(6)} s</output>
        <label>
          <input
            type="checkbox"
            checked={isOnMap}
            onChange={(event) => setOnMap(event.currentTarget.checked)}
          />
          On the map
        </label>
      </div>
      <div class="timeline-rows">
        <span class="faint">Time</span>
        <input
          type="range"
          aria-label="Time"
          min={0}
          max={endNs}
          step={Math.max(1, Math.floor(binNs / 4))}
          value={atNs}
          aria-valuetext={`${(atNs / NS_PER_SECOND).toFixed(3)} s`}
          onInput={(event) => setAtNs(Number(event.currentTarget.value))}
        />
        {links.map((link) => (
          <LinkStrip key={link.name} link={link} most={most} atShare={atNs / endNs} />
        ))}
      </div>
      {events.length > 0 && (
        <ul class="timeline-events" aria-label="Events">
          {events.map(({ atNs: eventNs, words }) => (
            <li key={`${eventNs} ${words}`}>
              <button type="button" class="quiet" onClick={() => setAtNs(Math.min(eventNs, endNs))}>
                {(eventNs / NS_PER_SECOND).toFixed(3)} s {words}
              </button>
            </li>
          ))}
        </ul>
      )}
      <PlotsView timeline={timeline} atShare={atNs / endNs} />
      {packets.length > 0 && <PacketTable packets={packets} caption="The last packets by then" />}
    </section>
  );
};

/** Moves the time forward while the timeline is played. */
function useReplay(endNs: number, atNs: number, setAtNs: (atNs: number) => void) {
  const [isPlaying, setPlaying] = useState(false);
  const [seconds, setSeconds] = useState(DURATIONS_SECONDS[1]!);
  useEffect(() => {
    if (!isPlaying) return;
    const startedMs = performance.now();
    let frame = requestAnimationFrame(function step(nowMs) {
      const nowNs = atNs + ((nowMs - startedMs) / 1000 / seconds) * endNs;
      setAtNs(Math.min(endNs, Math.max(0, Math.floor(nowNs))));
      if (nowNs < endNs) frame = requestAnimationFrame(step);
      else setPlaying(false);
    });
    return () => cancelAnimationFrame(frame);
    // The start of the replay is the time at which it was begun, so `atNs` is not a dependency.
  }, [isPlaying, seconds, endNs]);
  const toggle = (): void => {
    if (!isPlaying && atNs >= endNs) setAtNs(0);
    setPlaying(!isPlaying);
  };
  return { isPlaying, toggle, seconds, setSeconds };
}
