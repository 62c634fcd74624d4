// Prints the licences of the packages that the two programs are built from: each text once, below the names it holds for.

import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

const PROGRAMS = ["nexi-desktop", "nexi-cli"];
const IS_LICENCE = /^(?:licen[cs]e|copying|notice|unlicense|copyright)/i;

const host = /host: (.*)/.exec(execFileSync("rustc", ["-vV"], { encoding: "utf8" }))?.[1] ?? "";
const metadata = JSON.parse(execFileSync("cargo", ["metadata", "--format-version", "1", "--locked", "--filter-platform", host],
  { encoding: "utf8", maxBuffer: 1 << 28 }));
const packages = new Map(metadata.packages.map((entry) => [entry.id, entry]));
const nodes = new Map(metadata.resolve.nodes.map((node) => [node.id, node]));

/** What is linked in: neither what only builds nor what only tests. */
const linked = new Set();
const waiting = metadata.packages.filter((entry) => PROGRAMS.includes(entry.name)).map((entry) => entry.id);
while (waiting.length > 0) {
  const id = waiting.pop();
  if (linked.has(id)) continue;
  linked.add(id);
  for (const needed of nodes.get(id).deps) {
    if (needed.dep_kinds.some((kind) => kind.kind === null)) waiting.push(needed.pkg);
  }
}

/** By its hash: a text, and the packages that come with it. */
const texts = new Map();
const lines = [];
const others = [...linked].map((id) => packages.get(id)).filter((entry) => entry.source !== null)
  .sort((a, b) => a.name.localeCompare(b.name) || a.version.localeCompare(b.version));
for (const entry of others) {
  const name = `${entry.name} ${entry.version}`;
  lines.push(`${name}: ${entry.license ?? entry.license_file ?? "see the text below"}${entry.repository ? `, ${entry.repository}` : ""}`);
  const folder = dirname(entry.manifest_path);
  for (const file of readdirSync(folder).filter((file) => IS_LICENCE.test(file)).sort()) {
    let text = "";
    try {
      text = readFileSync(join(folder, file), "utf8").replaceAll("\r\n", "\n").trim();
    } catch {
      // A folder of licences; the names above it say which they are.
      continue;
    }
    const hash = createHash("sha256").update(text.replaceAll(/\s+/g, " ")).digest("hex");
    const known = texts.get(hash) ?? { text, names: [] };
    if (!known.names.includes(name)) known.names.push(name);
    texts.set(hash, known);
  }
}

console.log(`Nexi includes ${others.length} third-party packages:\n\n${lines.join("\n")}\n`);
for (const { text, names } of texts.values()) console.log(`${"-".repeat(78)}\n${names.join(", ")}\n\n${text}\n`);
