/** Where the publisher finds the settings of a project. */
import { expect, test } from "vitest";
import type { Change } from "../../../functions/publisher/change.ts";
import { settingsIn } from "../../../functions/publisher/settings-of.ts";

const PROJECT = "00000000-0000-4000-8000-000000000001";
const settings = (settings_revision: number, zoom: number, more: object = {}) => ({
  project_id: PROJECT,
  settings_revision,
  document: { zoom },
  ...more,
});
const change = (before: object | undefined, after: object | undefined): Change => ({
  source: "settings",
  sequenceNumber: "1",
  changedS: 1,
  before,
  after,
});
const project = (settings_revision: number) => ({ project_id: PROJECT, settings_revision }) as never;

test("the settings of each revision are those of its change in the batch", async () => {
  const find = settingsIn([change(settings(1, 50), settings(2, 60))]);
  expect([await find(project(1)), await find(project(2))]).toEqual([{ zoom: 50 }, { zoom: 60 }]);
});

test("a project that is deleted has the settings that its deletion marks, though the table has them no more", async () => {
  const find = settingsIn([change(settings(3, 70), settings(3, 70, { leaving: true }))]);
  expect(await find(project(3))).toEqual({ zoom: 70 });
});
