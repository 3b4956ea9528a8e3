/** The IOU licence, stored for clients. */
import { Entity } from "dynamodb-toolbox/entity";
import { GetItemCommand } from "dynamodb-toolbox/entity/actions/get";
import { PutItemCommand } from "dynamodb-toolbox/entity/actions/put";
import { item } from "dynamodb-toolbox/schema/item";
import { number } from "dynamodb-toolbox/schema/number";
import { string } from "dynamodb-toolbox/schema/string";
import { IOU_LICENSE_DEFAULTS, type IouLicense } from "../../schemas/server.ts";
import { document } from "./document.ts";
import { table } from "./table.ts";
import { holds } from "./transact.ts";
import { when } from "./when.ts";

const ID = "IOU_LICENSE";

const IouLicenseEntity = new Entity({
  name: "iou-license",
  table,
  timestamps: false,
  schema: item({
    id: string().key().const(ID),
    license: document<Partial<IouLicense>>(),
    revision: number(),
  }),
  computeKey: ({ id }) => ({ pk: "SERVICE", sk: id }),
});

interface StoredLicense {
  readonly license: IouLicense;
  /** Zero until a licence is stored. */
  readonly revision: number;
}

export async function readIouLicense(): Promise<StoredLicense> {
  const { Item } = await IouLicenseEntity.build(GetItemCommand)
    .key({ id: ID })
    .options({ consistent: true })
    .send();
  return { license: { ...IOU_LICENSE_DEFAULTS, ...Item?.license }, revision: Item?.revision ?? 0 };
}

/** @returns false when another request stored a licence since revision `read`. */
export function writeIouLicense(license: IouLicense, read: number): Promise<boolean> {
  return holds(
    IouLicenseEntity.build(PutItemCommand)
      .item({ license, revision: read + 1 })
      .options(when(IouLicenseEntity, { revision: read || undefined })),
  );
}
