/** One console: xterm.js over the console's WebSocket. */
import "@xterm/xterm/css/xterm.css";
import { FitAddon } from "@xterm/addon-fit";
import { Terminal as Xterm } from "@xterm/xterm";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { openSocket } from "../api/sockets.ts";
import type { Lab } from "../lab/lab.ts";
import { typingWanted } from "./open-consoles.ts";
import { documentWithoutStyleElements, withoutStyleElements } from "./style-sheets.ts";

interface TerminalProps {
  readonly lab: Lab;
  readonly nodeId: string;
  readonly isShown: boolean;
  /** It gets the keys. */
  readonly isActive: boolean;
}

/** Keys that follow each other this closely are one message. */
const TOGETHER_MS = 25;
/** How long further keys wait for what the device prints after a message; some keys print nothing. */
const ECHO_MS = 1500;

/**
 * Opens the console's WebSocket. API Gateway may hand two messages to functions in any order, so the next one is sent when the device has
 * printed something after the last one.
 * @returns a function that closes it.
 */
function connect(terminal: Xterm, path: string): () => void {
  let socket: WebSocket | undefined;
  let isOpening = false;
  let isClosed = false;
  let typed = "";
  let timer: ReturnType<typeof setTimeout> | undefined;
  const sendLater = (waitMs: number) => {
    clearTimeout(timer);
    timer = setTimeout(sendTyped, waitMs);
  };
  const sendTyped = () => {
    timer = undefined;
    if (typed === "" || socket?.readyState !== WebSocket.OPEN) return;
    socket.send(typed);
    typed = "";
    sendLater(ECHO_MS);
  };
  const close = () => {
    socket = undefined;
    terminal.write("\r\n\x1b[2m[The console is closed. Press Enter to open it again.]\x1b[0m\r\n");
  };
  const open = async () => {
    isOpening = true;
    const opened = await openSocket(path).catch(() => undefined);
    isOpening = false;
    if (isClosed) return opened?.close();
    if (opened === undefined) return close();
    socket = opened;
    socket.onopen = sendTyped;
    socket.onmessage = ({ data }) => {
      terminal.write(data);
      sendLater(0);
    };
    socket.onclose = close;
  };
  const keys = terminal.onData((text) => {
    if (socket === undefined && !isOpening) {
      if (text === "\r") void open();
      return;
    }
    typed += text;
    if (timer === undefined) sendLater(TOGETHER_MS);
  });
  void open();
  return () => {
    isClosed = true;
    clearTimeout(timer);
    keys.dispose();
    if (socket !== undefined) socket.onclose = null;
    socket?.close();
  };
}

export const Terminal = ({ lab, nodeId, isShown, isActive }: TerminalProps) => {
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
    if (isActive) terminal.focus();
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
    return connect(terminal, `${lab.path}/nodes/${nodeId}/console/ws`);
  }, [isOn]);
  // Before the next key: an effect after painting would come too late for it.
  useLayoutEffect(() => {
    if (isActive) shown.current?.terminal.focus();
  }, [isActive, typingWanted.value]);
  return <div class="terminal" hidden={!isShown} ref={place} />;
};
