import assert from "node:assert/strict";
import { test } from "node:test";
import { latest } from "../../src-tauri/packaging/latest.mjs";

test("each system gets what was built for it, by the names that the bundler of @tauri-apps/cli 2.12.5 gives", () => {
  const signatures = new Map([
    ["Nexi_1.2.3_amd64.AppImage", "a"],
    ["Nexi_1.2.3_aarch64.AppImage", "b"],
    ["Nexi.app.tar.gz", "c"],
    ["Nexi_1.2.3_x64-setup.exe", "d"],
  ]);
  const list = latest("1.2.3", signatures, "https://example.org/v1.2.3", "https://example.org/page", "New.");
  assert.deepEqual(
    Object.entries(list.platforms).map(([system, { signature }]) => [system, signature]),
    [
      ["linux-x86_64", "a"],
      ["linux-aarch64", "b"],
      ["darwin-x86_64", "c"],
      ["darwin-aarch64", "c"],
      ["windows-x86_64", "d"],
    ],
  );
  assert.equal(list.platforms["linux-x86_64"].url, "https://example.org/v1.2.3/Nexi_1.2.3_amd64.AppImage");
  assert.deepEqual([list.version, list.page, list.notes], ["1.2.3", "https://example.org/page", "New."]);
});

test("what nobody knows the system of, and a release that lacks a system, are no list", () => {
  assert.throws(() => latest("1.2.3", new Map([["Nexi.zip", "a"]]), "", "", ""), /Nexi\.zip/);
  assert.throws(() => latest("1.2.3", new Map([["Nexi.app.tar.gz", "c"]]), "", "", ""), /linux-x86_64, linux-aarch64, windows-x86_64/);
});
