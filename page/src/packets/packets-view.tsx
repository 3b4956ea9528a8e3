/** The packets of a lab's captures: list, filter, details, bytes, and each packet's way. */
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { send } from "../api/call.ts";
import type { ViewProps } from "../dock/view.ts";
import { attempt, report } from "../ui/notices.tsx";
import { saveFile } from "../ui/save-file.ts";
import { Cause } from "./cause.tsx";
import { FilterBox } from "./filter-box.tsx";
import type { Packet } from "./model.ts";
import { PacketDetails } from "./packet-details.tsx";
import { PacketList } from "./packet-list.tsx";
import "./packets.css";
import { type LinkCaptures, newestOf, readCaptures, wayLinks } from "./read-captures.ts";
import { PacketSession } from "./session.ts";
import { wayOf } from "./way.ts";
import { WayView } from "./way-view.tsx";

/** Typing is followed by a pause before the packets are filtered. */
const FILTER_PAUSE_MS = 200;
const MOST_ADDRESSES = 20;

export const Packets = ({ lab }: ViewProps) => {
  const { path } = lab;
  const session = useMemo(() => new PacketSession(), []);
  const [captured, setCaptured] = useState<readonly LinkCaptures[] | undefined>(undefined);
  const [linkIds, setLinkIds] = useState<readonly string[] | undefined>(undefined);
  const [isFollowing, setFollowing] = useState(false);
  const [selected, setSelected] = useState<number | undefined>(undefined);
  const [packet, setPacket] = useState<Packet | undefined>(undefined);
  const addresses = useAddresses(session);
  const links = [...lab.links.value.values()];
  /** Changes when captures start and stop. */
  const running = links.flatMap(({ link_id, capturing }) => (capturing ? [link_id] : [])).join();

  useEffect(() => () => session.close(), [session]);
  const reload = (): void => {
    readCaptures(path, links, lab.nodes.value).then(setCaptured, report);
  };
  useEffect(reload, [path, links.length, running]);
  const sources = useMemo(() => newestOf(captured ?? [], linkIds), [captured, linkIds]);
  const forget = (): void => {
    setSelected(undefined);
    setPacket(undefined);
  };
  useEffect(() => {
    forget();
    session.open(path, sources, isFollowing);
  }, [session, path, sources, isFollowing]);

  const steps = useMemo(() => {
    if (!packet || !captured) return [];
    const { linkId } = sources[packet.row.source]!;
    const { sightings, ttl } = packet;
    const nodes = [...lab.nodes.value.values()];
    return wayOf({ nodes, links: wayLinks(links, captured, sources), sightings, linkId, ttl });
  }, [packet, captured, sources]);

  const select = (index: number): void => {
    setSelected(index);
    session.packet(index).then(setPacket, report);
  };
  const { filter, isFiltering } = useFilter(session, forget);
  const showOnMap = (): void => {
    lab.selection.value = new Set(steps.map(({ id }) => id));
  };

  if (captured === undefined) return <p class="empty">Reading the captures…</p>;
  if (captured.length === 0)
    return <p class="empty">This lab has no captures. Start one on a link, and send packets.</p>;
  const { total, matched, damaged } = session.counts.value;
  return (
    <section class="packets" aria-label="Packets">
      <div class="packets-bar">
        <LinkChoice captured={captured} chosen={sources.map(({ linkId }) => linkId)} onChoose={setLinkIds} />
        <FilterBox problem={session.problem.value} addresses={addresses} onFilter={filter} />
        <span class="packets-count" role="status">
          {matched === total ? `${total} packets` : `${matched} of ${total} packets`}
          {session.reading.value > 0 && (isFollowing ? ", following" : ", reading")}
        </span>
        <label>
          <input
            type="checkbox"
            checked={isFollowing}
            onChange={(event) => setFollowing(event.currentTarget.checked)}
          />
          Follow
        </label>
        <button type="button" onClick={reload}>
          Read again
        </button>
        <button
          type="button"
          disabled={sources.length === 0}
          onClick={() =>
            attempt(() =>
              download(
                path,
                sources.map(({ captureId }) => captureId),
              ),
            )
          }
        >
          Open in Wireshark
        </button>
      </div>
      {[
        ...session.failures.value,
        ...damaged.map(([source, reason]) => `${sources[source]?.name}: ${reason}`),
      ].map((text) => (
        <p key={text} class="packets-failure" role="alert">
          {text}
        </p>
      ))}
      <div class={packet ? "packets-work with-packet" : "packets-work"}>
        <PacketList
          session={session}
          names={sources.map(({ name }) => name)}
          selected={selected}
          onSelect={select}
          isFollowing={isFollowing}
          isBusy={isFiltering}
        />
        {packet && (
          <div class="packet-panel">
            <WayView steps={steps} onShow={showOnMap} />
            {steps.length > 0 &&
              steps.at(-1)!.fate !== "arrived" &&
              packet.bytes.length === packet.originalLength && (
                <Cause
                  key={`${packet.row.source} ${packet.row.number}`}
                  lab={lab}
                  steps={steps}
                  linkId={sources[packet.row.source]!.linkId}
                  frame={packet.bytes}
                  isCaptured={(id) => sources.some(({ linkId }) => linkId === id)}
                />
              )}
            <PacketDetails key={`${packet.row.source} ${packet.row.number}`} packet={packet} />
          </div>
        )}
      </div>
    </section>
  );
};

/** Filters after a pause in the typing. */
function useFilter(session: PacketSession, onFiltered: () => void) {
  const [isFiltering, setFiltering] = useState(false);
  const timer = useRef(0);
  const apply = async (expression: string): Promise<void> => {
    const own = timer.current;
    await session.filter(expression);
    onFiltered();
    if (timer.current === own) setFiltering(false);
  };
  const filter = (expression: string): void => {
    clearTimeout(timer.current);
    setFiltering(true);
    timer.current = window.setTimeout(() => attempt(() => apply(expression)), FILTER_PAUSE_MS);
  };
  return { filter, isFiltering };
}

/** The addresses of the first packets, which the filter box offers. */
function useAddresses(session: PacketSession): readonly string[] {
  const [addresses, setAddresses] = useState<readonly string[]>([]);
  const hasPackets = session.counts.value.total > 0;
  useEffect(() => {
    if (!hasPackets) return;
    void session.rows(0, 500).then((rows) => {
      const ends = rows.flatMap(({ from, to }) => [from, to]).map((each) => each.replace(/:\d+$/, ""));
      setAddresses(
        [...new Set(ends)].filter((each) => /^\d+\.\d+\.\d+\.\d+$/.test(each)).slice(0, MOST_ADDRESSES),
      );
    });
  }, [session, hasPackets]);
  return addresses;
}

interface ChoiceProperties {
  readonly captured: readonly LinkCaptures[];
  readonly chosen: readonly string[];
  readonly onChoose: (linkIds: readonly string[]) => void;
}

const LinkChoice = ({ captured, chosen, onChoose }: ChoiceProperties) => (
  <details class="link-choice">
    <summary>
      {chosen.length} of {captured.length} links
    </summary>
    <ul>
      {captured.map(({ linkId, name }) => (
        <li key={linkId}>
          <label>
            <input
              type="checkbox"
              checked={chosen.includes(linkId)}
              onChange={(event) =>
                onChoose(
                  event.currentTarget.checked
                    ? [...chosen, linkId]
                    : chosen.filter((each) => each !== linkId),
                )
              }
            />
            {name}
          </label>
        </li>
      ))}
    </ul>
  </details>
);

/** Saves the captures as one pcapng file, which Wireshark opens. */
async function download(path: string, captureIds: readonly string[]): Promise<void> {
  const response = await send("GET", `${path}/pcapng?captures=${captureIds.join(",")}`);
  saveFile("captures.pcapng", await response.blob());
}
