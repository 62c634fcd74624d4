// The list of the newest release that Nexi looks for updates in, from the signatures of what was built.
// Usage: latest.mjs VERSION FOLDER BASE_URL PAGE NOTES_FILE > latest.json

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

/** What a file is for, by how its name ends: systems as the updater calls them. @type {[RegExp, string[]][]} */
const SYSTEMS = [
  [/_amd64\.AppImage$/, ["linux-x86_64"]],
  [/_aarch64\.AppImage$/, ["linux-aarch64"]],
  [/\.app\.tar\.gz$/, ["darwin-x86_64", "darwin-aarch64"]],
  [/_x64-setup\.exe$/, ["windows-x86_64"]],
];

/**
 * @param {string} version @param {Map<string, string>} signatures by the name of the file that was signed
 * @param {string} base what comes before the names of files @param {string} page @param {string} notes
 */
export function latest(version, signatures, base, page, notes) {
  /** @type {Record<string, { url: string, signature: string }>} */
  const platforms = {};
  for (const [name, signature] of signatures) {
    const found = SYSTEMS.find(([end]) => end.test(name));
    if (!found) throw new Error(`${name}: for which system is this?`);
    for (const system of found[1]) platforms[system] = { url: `${base}/${encodeURIComponent(name)}`, signature };
  }
  const missing = SYSTEMS.flatMap(([, systems]) => systems).filter((system) => !(system in platforms));
  if (missing.length > 0) throw new Error(`nothing is signed for ${missing.join(", ")}`);
  return { version, notes, pub_date: new Date().toISOString(), page, platforms };
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const [version, folder, base, page, notes] = process.argv.slice(2);
  const names = readdirSync(folder).filter((name) => name.endsWith(".sig"));
  const signatures = new Map(names.map((name) => [name.slice(0, -4), readFileSync(join(folder, name), "utf8").trim()]));
  process.stdout.write(`${JSON.stringify(latest(version, signatures, base, page, readFileSync(notes, "utf8").trim()), null, 2)}\n`);
}
