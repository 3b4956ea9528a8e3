import { expect, test } from "vitest";
import { ShellConsole } from "../../../packages/linux/device/shell-console.ts";

const bytes = (text: string) => new TextEncoder().encode(text);

function open({ isOpen = true } = {}) {
  const typed: string[] = [];
  let printed = "";
  let quiet: (() => void) | undefined;
  const shell = new ShellConsole("r1# ", {
    type: (data) => typed.push(new TextDecoder().decode(data)),
    print: (text) => {
      printed += text;
    },
    wait: (call) => {
      quiet = call;
    },
  });
  if (isOpen) shell.open();
  const done: string[] = [];
  const enter = (line: string, isEchoed?: boolean) => shell.enter(line, () => done.push(line), isEchoed);
  return {
    shell,
    typed,
    done,
    enter,
    printed: () => printed,
    print: (text: string) => shell.receive(bytes(text)),
    becomeQuiet: () => {
      quiet?.();
      quiet = undefined;
    },
  };
}

test("a line has run when the guest is quiet after a prompt", () => {
  const { shell, typed, done, enter, printed, print, becomeQuiet } = open();
  enter("uname");
  expect(typed).toEqual(["uname\n"]);
  expect(shell.isBusy).toBe(true);
  print("Linux\r\n");
  becomeQuiet();
  expect(done).toEqual([]);
  print("r1# ");
  expect(done).toEqual([]);
  becomeQuiet();
  expect(done).toEqual(["uname"]);
  expect(printed()).toBe("uname\nLinux\nr1# ");
  expect(shell.isBusy).toBe(false);
});

test("output that looks like a prompt and goes on is no prompt", () => {
  const { done, enter, print, becomeQuiet } = open();
  enter("cat prices");
  print("100 $ ");
  print("a piece\n");
  becomeQuiet();
  expect(done).toEqual([]);
});

test("an empty line after the known prompt is the end of a job in the background, and one after other output is not", () => {
  const { done, enter, print, becomeQuiet } = open();
  enter("kill $!");
  print("100 $ \n");
  becomeQuiet();
  expect(done).toEqual([]);
  print("r1# \n");
  becomeQuiet();
  expect(done).toEqual(["kill $!"]);
});

test("the prompt is the one that the guest printed last", () => {
  const { shell, enter, print, becomeQuiet } = open();
  enter("vtysh", false);
  print("\r\nHello, this is FRRouting.\r\nr1(config)# ");
  becomeQuiet();
  expect(shell.prompt).toBe("r1(config)# ");
});

test("lines wait until the guest has started, and for one another", () => {
  const { shell, typed, done, enter, print, becomeQuiet } = open({ isOpen: false });
  enter("one");
  enter("two");
  expect(typed).toEqual([]);
  shell.open();
  expect(typed).toEqual(["one\n"]);
  print("r1# ");
  becomeQuiet();
  expect(typed).toEqual(["one\n", "two\n"]);
  expect(done).toEqual(["one"]);
});

test("Ctrl-C ends the running line, and forgets the waiting ones", () => {
  const { shell, typed, done, enter, print, becomeQuiet } = open();
  enter("sleep 1000");
  enter("never");
  shell.interrupt();
  expect(typed).toEqual(["sleep 1000\n", "\x03"]);
  expect(done).toEqual(["never"]);
  print("^C\r\nr1# ");
  becomeQuiet();
  expect(done).toEqual(["never", "sleep 1000"]);
});

test("a character of two bytes may arrive in two parts", () => {
  const { shell, printed } = open();
  const [first, second] = bytes("ü");
  shell.receive(Uint8Array.of(first!));
  shell.receive(Uint8Array.of(second!));
  expect(printed()).toBe("ü");
});
