/** The power fails in the middle of writes, several times, on a disk that forgets what was not synchronized. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { readBytes } from "../../../../../infra/local/s3/files.ts";
import { ObjectStore } from "../../../../../infra/local/s3/object-store.ts";
import { S3Error } from "../../../../../infra/local/s3/s3-error.ts";
import { Uploads } from "../../../../../infra/local/s3/uploads.ts";
import { ForgetfulFiles } from "../../../../helpers/stores/forgetful-files.ts";

const ROOT = "/data/s3";
const BUCKET = "bucket";
const KEYS = ["a", "a/b", "a/c", "x/y/z", "x/y", "x/q"];

type Step =
  | { readonly kind: "put"; readonly key: string; readonly text: string; readonly ifAbsent: boolean }
  | { readonly kind: "upload"; readonly key: string; readonly text: string }
  | { readonly kind: "delete"; readonly keys: readonly string[] };

const key = fc.constantFrom(...KEYS);
const text = fc.string({ maxLength: 6 });
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ kind: fc.constant("put" as const), key, text, ifAbsent: fc.boolean() }),
  fc.record({ kind: fc.constant("upload" as const), key, text }),
  fc.record({
    kind: fc.constant("delete" as const),
    keys: fc.uniqueArray(key, { minLength: 1, maxLength: 3 }),
  }),
);
const round = fc.record({
  /** Each list is a client; the clients write at once, each its own keys. */
  clients: fc.array(fc.array(step, { maxLength: 8 }), { minLength: 1, maxLength: 3 }),
  operations: fc.integer({ min: 10, max: 200 }),
  draws: fc.infiniteStream(fc.boolean()),
});

/** What a key may have: one value, or both of before and after a write that was not acknowledged. */
type Possible = Map<string, Set<string | undefined>>;

async function perform(
  step: Step,
  of: (key: string) => string,
  store: ObjectStore,
  files: ForgetfulFiles,
  possible: Possible,
) {
  const written = step.kind === "delete" ? step.keys : [step.key];
  const value = step.kind === "delete" ? undefined : step.text;
  for (const each of written) possible.get(of(each))!.add(value);
  const settled = () => {
    for (const each of written) possible.set(of(each), new Set([value]));
  };
  if (step.kind === "delete") await store.delete(BUCKET, step.keys.map(of));
  else if (step.kind === "upload") {
    const uploads = new Uploads(store, files);
    const id = uploads.begin(BUCKET, of(step.key), {});
    const etag = await uploads.addPart(id, 1, [Buffer.from(step.text)], () => {});
    await uploads.complete(id, [{ number: 1, etag }]);
  } else {
    const condition = (present: object | undefined) => {
      if (step.ifAbsent && present !== undefined) throw new S3Error("PreconditionFailed");
    };
    try {
      await store.put(BUCKET, of(step.key), [Buffer.from(step.text)], { headers: {}, condition });
    } catch (error) {
      if (!(error instanceof S3Error)) throw error;
      const [before] = [...possible.get(of(step.key))!].filter((each) => each !== undefined);
      expect(before).toBeDefined();
      possible.set(of(step.key), new Set([before]));
      return;
    }
  }
  settled();
}

async function contentOf(store: ObjectStore, key: string): Promise<string | undefined> {
  const found = await store.find(BUCKET, key);
  if (found === undefined) return undefined;
  const parts: Uint8Array[] = [];
  for await (const part of readBytes(found.file, 0, found.facts.bytes)) parts.push(part);
  return Buffer.concat(parts).toString();
}

test("a power cut loses nothing that was acknowledged, and leaves nothing half written", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(round, { minLength: 1, maxLength: 3 }), async (rounds) => {
      const reports: string[] = [];
      const first = new ForgetfulFiles();
      const made = new ObjectStore(ROOT, (line) => reports.push(line), first);
      await first.mkdir(ROOT);
      for (const path of ["/", "/data"]) await (await first.open(path, "r")).sync();
      await made.open();
      await made.makeBucket(BUCKET);
      let files = first;
      const clientKeys = [0, 1, 2].flatMap((client) => KEYS.map((each) => `${each}-${client}`));
      const possible: Possible = new Map(clientKeys.map((each) => [each, new Set([undefined])]));
      for (const { clients, operations, draws } of rounds) {
        const draw = () => draws.next().value as boolean;
        files = files.afterCut(draw, operations);
        const running = files;
        const store = new ObjectStore(ROOT, (line) => reports.push(line), running);
        const opened = store.open().then(
          () => true,
          () => false,
        );
        if (await opened)
          await Promise.all(
            clients.map(async (steps, client) => {
              for (const each of steps)
                try {
                  await perform(each, (key) => `${key}-${client}`, store, running, possible);
                } catch (error) {
                  if (!running.isOff) throw error;
                  return;
                }
            }),
          );
        files = running.afterCut(draw);
        const after = new ObjectStore(ROOT, (line) => reports.push(line), files);
        await after.open();
        await after.check();
        const listed = await after.list(BUCKET, "");
        for (const [each, values] of possible) {
          const found = await contentOf(after, each);
          expect([...values], each).toContain(found);
          expect(listed.includes(each), each).toBe(found !== undefined);
          possible.set(each, new Set([found]));
        }
        expect(files.paths.filter((path) => !path.startsWith(`${ROOT}/${BUCKET}/`))).toEqual([]);
      }
      expect(reports).toEqual([]);
    }),
  );
});

test("deletions that empty a folder together are lost by no power cut, in whichever turns they run", async () => {
  for (let before = 0; before < 60; before++) {
    const files = new ForgetfulFiles();
    await files.mkdir(ROOT);
    for (const path of ["/", "/data"]) await (await files.open(path, "r")).sync();
    const store = new ObjectStore(ROOT, () => {}, files);
    await store.open();
    await store.makeBucket(BUCKET);
    for (const each of ["x/a", "x/b"]) await store.put(BUCKET, each, [Buffer.from(each)], { headers: {} });
    const absent = Array.from({ length: before }, (_, index) => `absent-${index}`);
    await Promise.all([store.delete(BUCKET, ["x/a"]), store.delete(BUCKET, [...absent, "x/b"])]);
    const after = new ObjectStore(
      ROOT,
      () => {},
      files.afterCut(() => false),
    );
    await after.open();
    expect(await after.list(BUCKET, ""), `${before} deletions before`).toEqual([]);
  }
});
