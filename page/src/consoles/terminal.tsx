/** One console: xterm.js over the console's WebSocket. */
import "@xterm/xterm/css/xterm.css";
import { FitAddon } from "@xterm/addon-fit";
import { Terminal as Xterm } from "@xterm/xterm";
import { useEffect, useRef } from "preact/hooks";
import type { Lab } from "../lab/lab.ts";
import { typingWanted } from "./open-consoles.ts";
import { documentWithoutStyleElements, withoutStyleElements } from "./style-sheets.ts";

interface TerminalProps {
  readonly lab: Lab;
  readonly nodeId: string;
  readonly isShown: boolean;
}

/** Keys that follow each other this closely are one message: API Gateway may hand two messages to functions in any order. */
const TOGETHER_MS = 25;

function connect(terminal: Xterm, address: string): () => void {
  let socket: WebSocket | undefined;
  const open = () => {
    socket = new WebSocket(address);
    socket.onmessage = ({ data }) => terminal.write(data);
    socket.onclose = () => {
      socket = undefined;
      terminal.write("\r\n\x1b[2m[The console is closed. Press Enter to open it again.]\x1b[0m\r\n");
    };
  };
  let typed = "";
  const sendTyped = () => {
    if (socket?.readyState === WebSocket.OPEN) socket.send(typed);
    typed = "";
  };
  const keys = terminal.onData((text) => {
    if (socket === undefined) {
      if (text === "\r") open();
      return;
    }
    if (typed === "") setTimeout(sendTyped, TOGETHER_MS);
    typed += text;
  });
  open();
  return () => {
    keys.dispose();
    if (socket !== undefined) socket.onclose = null;
    socket?.close();
  };
}

export const Terminal = ({ lab, nodeId, isShown }: TerminalProps) => {
  const place = useRef<HTMLDivElement>(null);
  const shown = useRef<{ readonly terminal: Xterm; readonly fit: FitAddon } | null>(null);
  const isOn = lab.nodes.value.get(nodeId)?.status === "started";
  useEffect(() => {
    const terminal = new Xterm({
      fontSize: 13,
      screenReaderMode: false,
      theme: { background: "#10171c" },
      documentOverride: documentWithoutStyleElements(),
    });
    const fit = new FitAddon();
    terminal.loadAddon(fit);
    withoutStyleElements(() => terminal.open(place.current!));
    fit.fit();
    shown.current = { terminal, fit };
    const resized = new ResizeObserver(() => place.current?.offsetParent && fit.fit());
    resized.observe(place.current!);
    return () => {
      resized.disconnect();
      terminal.dispose();
    };
  }, []);
  useEffect(() => {
    const { terminal } = shown.current!;
    if (!isOn) {
      terminal.write("\x1b[2m[The device is off. Start it to use its console.]\x1b[0m\r\n");
      return;
    }
    const address = `${location.origin.replace(/^http/, "ws")}/v2${lab.path}/nodes/${nodeId}/console/ws`;
    return connect(terminal, address);
  }, [isOn]);
  useEffect(() => {
    if (isShown) shown.current?.terminal.focus();
  }, [isShown, typingWanted.value]);
  return <div class="terminal" hidden={!isShown} ref={place} />;
};
