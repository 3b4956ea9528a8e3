import { describe, expect, test } from "vitest";
import { client, type Lab, makeLab, uuid } from "../helpers/service/lab.ts";

const RECTANGLE = '<svg width="200" height="100"><rect width="200" height="100" fill="#ffffff"/></svg>';
/** What drawing programs write before the root. */
const HEAD =
  '<?xml version="1.0" encoding="UTF-8"?>\n<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd">\n';

const drawingsOf = ({ path }: Lab) => `${path}/drawings`;

async function addDrawing(lab: Lab, fields: Record<string, unknown> = {}): Promise<string> {
  const { status, json } = await client.post(drawingsOf(lab), fields);
  expect(status).toBe(201);
  return `${drawingsOf(lab)}/${json.drawing_id}`;
}

/** An SVG document of this many bytes, with a picture that compression cannot shrink. */
const picture = (bytes: number): string => {
  const [before, after] = ['<svg><image href="data:image/png;base64,', '"/></svg>'];
  const random = crypto.getRandomValues(new Uint8Array(60_000));
  const base64 = Buffer.concat(Array(5).fill(random)).toString("base64");
  return before + base64.slice(0, bytes - before.length - after.length) + after;
};

describe("drawings", () => {
  test("a drawing without settings has the defaults of the interface", async () => {
    const lab = await makeLab();
    const { status, json } = await client.post(drawingsOf(lab), {});
    const drawing_id = json.drawing_id;
    expect([status, json]).toEqual([
      201,
      {
        drawing_id,
        project_id: lab.projectId,
        x: 0,
        y: 0,
        z: 2,
        rotation: 0,
        locked: false,
        svg: "<svg></svg>",
      },
    ]);
    expect((await client.get(`${drawingsOf(lab)}/${drawing_id}`)).json).toEqual(json);
  });

  test("are listed in order of creation, counted, and gone when deleted", async () => {
    const lab = await makeLab();
    const paths = [await addDrawing(lab, { x: 1 }), await addDrawing(lab, { x: 2 }), await addDrawing(lab)];
    expect((await client.get(`${lab.path}/stats`)).json.drawings).toBe(3);
    expect((await client.delete(paths[1]!)).status).toBe(204);
    const { json } = await client.get(drawingsOf(lab));
    expect(json.map(({ x }: { x: number }) => x)).toEqual([1, 0]);
    expect((await client.get(`${lab.path}/stats`)).json.drawings).toBe(2);
    expect((await client.delete(paths[1]!)).status).toBe(404);
    expect((await client.delete(lab.path)).status).toBe(204);
    expect((await client.get(drawingsOf(lab))).status).toBe(404);
  });

  test("PUT returns 201 and changes what it names", async () => {
    const path = await addDrawing(await makeLab(), { svg: RECTANGLE, z: -1 });
    const { status, json } = await client.put(path, { x: -5, rotation: 350 });
    expect([status, json]).toMatchObject([201, { x: -5, y: 0, z: -1, rotation: 350, svg: RECTANGLE }]);
    const { json: redrawn } = await client.put(path, { svg: "<svg><g/></svg>" });
    expect(redrawn).toEqual({ ...json, svg: "<svg><g/></svg>" });
    expect((await client.get(path)).json).toEqual(redrawn);
  });

  test("a client may send back the object that it received", async () => {
    const path = await addDrawing(await makeLab(), { svg: RECTANGLE });
    const { json } = await client.get(path);
    expect((await client.put(path, json)).json).toEqual(json);
  });

  test("POST with the id of a drawing returns that drawing unchanged", async () => {
    const lab = await makeLab();
    const drawing_id = uuid();
    const path = await addDrawing(lab, { drawing_id, x: 3 });
    const again = await client.post(drawingsOf(lab), { drawing_id, x: 4 });
    expect([again.status, again.json]).toEqual([201, (await client.get(path)).json]);
    expect((await client.get(`${lab.path}/stats`)).json.drawings).toBe(1);
  });

  test("a locked drawing cannot be deleted until it is unlocked", async () => {
    const path = await addDrawing(await makeLab(), { locked: true });
    const { status, json } = await client.delete(path);
    const id = path.split("/").at(-1);
    expect([status, json]).toEqual([
      409,
      {
        code: "drawing.locked",
        message: `Drawing ID ${id} cannot be deleted because it is locked`,
        status: 409,
      },
    ]);
    await client.put(path, { locked: false });
    expect((await client.delete(path)).status).toBe(204);
  });

  test.each([
    ["a document type declaration and a comment", `${HEAD}<!-- made by hand -->${RECTANGLE}\n`],
    ["characters outside ASCII", '<svg><text font-family="DejaVu">Zürich 東京 🖧</text></svg>'],
    ["the largest picture", picture(262_144)],
  ])("an SVG with %s is returned as it was sent", async (_what, svg) => {
    const lab = await makeLab();
    const path = await addDrawing(lab, { svg });
    expect((await client.get(path)).json.svg).toBe(svg);
    expect((await client.get(drawingsOf(lab))).json[0].svg).toBe(svg);
  });

  test.each([
    ["a file name", "logo.svg", /^body\.svg: expected an SVG document, found text that is not well-formed/],
    ["a tag without end", "<svg><g></svg>", /not well-formed XML/],
    ["another root", "<html/>", /root element is html/],
    ["entities", '<!DOCTYPE svg [<!ENTITY a "b">]><svg/>', /remove <!DOCTYPE/],
    ["more than 256 KiB", picture(262_145), /body\.svg: is larger than 262144 bytes/],
  ])("an SVG that is %s is rejected with the reason, in POST and in PUT", async (_what, svg, reason) => {
    const lab = await makeLab();
    const path = await addDrawing(lab, { svg: RECTANGLE });
    for (const refused of [await client.post(drawingsOf(lab), { svg }), await client.put(path, { svg })]) {
      expect(refused.status).toBe(400);
      expect(refused.json.errors[0]).toMatchObject({ path: "body.svg" });
      expect(refused.json.message.replace("Invalid request: ", "")).toMatch(reason);
    }
    expect((await client.get(drawingsOf(lab))).json).toMatchObject([{ svg: RECTANGLE }]);
  });

  test.each([
    { rotation: 361 },
    { rotation: -360 },
    { x: 1.5 },
    { locked: 1 },
    { colour: "red" },
    { drawing_id: "1" },
  ])("rejects %j", async (fields) => {
    expect((await client.post(drawingsOf(await makeLab()), fields)).status).toBe(400);
  });

  test("of a closed project can be listed, and neither read one by one nor changed", async () => {
    const lab = await makeLab();
    const path = await addDrawing(lab);
    await client.post(`${lab.path}/close`);
    expect((await client.get(drawingsOf(lab))).json).toHaveLength(1);
    const refused = [
      await client.get(path),
      await client.put(path, { x: 1 }),
      await client.delete(path),
      await client.post(drawingsOf(lab), {}),
    ];
    expect(refused.map(({ status, json }) => [status, json.code])).toEqual(
      Array(4).fill([403, "project.not-opened"]),
    );
  });

  test("concurrent changes of one drawing are all made", async () => {
    const path = await addDrawing(await makeLab());
    const fields = ["x", "y", "z", "rotation"];
    const answers = await Promise.all(fields.map((field) => client.put(path, { [field]: 9 })));
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 201]);
    expect((await client.get(path)).json).toMatchObject({ x: 9, y: 9, z: 9, rotation: 9 });
  });
});
