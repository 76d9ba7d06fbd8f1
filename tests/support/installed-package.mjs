// The package as its users get it: packed, and installed into an empty folder.
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const built = new URL("../../build/package/", import.meta.url).pathname;
const npm = (cwd, ...args) => execFileSync("npm", args, { cwd, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });

/**
 * {folder, installed, tarball, remove}: a project with the package, the package's folder, and the file it came from.
 */
export function installPackage() {
  const folder = mkdtempSync(join(tmpdir(), "commcost-package-"));
  const tarball = join(folder, npm(built, "pack", "--silent", "--pack-destination", folder).trim());
  writeFileSync(join(folder, "package.json"), '{ "private": true, "type": "module" }');
  npm(folder, "install", tarball, "--offline", "--no-audit", "--no-fund");
  return {
    folder,
    tarball,
    installed: join(folder, "node_modules/commcost"),
    remove: () => rmSync(folder, { recursive: true }),
  };
}
