// web/HOSTING.md's block for nginx, word for word, in Debian's nginx.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { site } from "../page/support/browser.mjs";

const hosting = readFileSync(new URL("../../web/HOSTING.md", import.meta.url), "utf8");
const [, policy] = /^Content-Security-Policy: (.*)$/m.exec(hosting);
const [, block] = /```nginx\n([\s\S]*?)```/.exec(hosting);
const [maps, server] = block.split("# In server { … }, with build/site in /srv/commcost\n");

let folder, nginx, address, said;
before(async () => {
  folder = mkdtempSync(join(tmpdir(), "commcost-nginx-"));
  copyFileSync("/etc/nginx/mime.types", join(folder, "mime.types"));
  const port = await new Promise((resolve) => {
    const probe = createServer().listen(0, "127.0.0.1", () => {
      const { port: free } = probe.address();
      probe.close(() => resolve(free));
    });
  });
  const places = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map(
    (kind) => `${kind}_temp_path ${folder}/${kind};`,
  );
  writeFileSync(
    join(folder, "nginx.conf"),
    `daemon off; master_process off; pid ${folder}/pid; error_log stderr; events {}
http { access_log off; absolute_redirect off; ${places.join(" ")}
${maps}
server { listen 127.0.0.1:${port};
${server.replaceAll("/srv/commcost/", site)}
} }
`,
  );
  nginx = spawn("/usr/sbin/nginx", ["-p", folder, "-c", join(folder, "nginx.conf")], {
    stdio: ["ignore", "ignore", "pipe"],
  });
  said = "";
  nginx.stderr.on("data", (text) => (said += text));
  address = `http://127.0.0.1:${port}/commcost/`;
  for (let tries = 0; tries < 100 && nginx.exitCode === null; ++tries) {
    if (await fetch(address).catch(() => undefined)) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  assert.fail(said);
});
after(() => {
  nginx?.kill();
  rmSync(folder, { recursive: true });
});

const types = {
  html: "text/html",
  js: "application/javascript",
  css: "text/css",
  svg: "image/svg+xml",
  webmanifest: "application/manifest+json",
  csv: "text/csv",
  txt: "text/plain",
  json: "application/json",
  wasm: "application/wasm",
};

test("every file comes with its type, its caching and its policy, compressed where that is worth it", async () => {
  const files = readdirSync(site, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !/^_headers$|\.(?:d\.ts|br|gz)$/.test(entry.name))
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name).slice(site.length));
  assert.ok(files.length > 40, `${files.length} files`);
  for (const file of files) {
    const { status, headers } = await fetch(address + file, { headers: { "accept-encoding": "gzip" } });
    const told = (name) => headers.get(name);
    assert.equal(status, 200, file);
    assert.equal(told("content-type"), types[file.split(".").at(-1)], file);
    assert.equal(told("content-security-policy"), /^(commcost|embed)\.html$/.test(file) ? null : policy, file);
    assert.equal(
      told("cache-control"),
      /^(assets|elements|frame)\//.test(file) ? "public, max-age=31536000, immutable" : "no-cache",
      file,
    );
    const shared = /^(commcost(-element|-element-whole|-embed)?\.js|elements\/.*)$/.test(file);
    assert.equal(told("access-control-allow-origin"), shared ? "*" : null, file);
    assert.equal(told("x-content-type-options"), "nosniff", file);
    if (/\.(?:js|html|css|csv|wasm)$/.test(file) && readFileSync(site + file).length > 1000)
      assert.equal(told("content-encoding"), "gzip", file);
  }
});

test("the folder's address leads to the page, with a slash or without", async () => {
  const redirect = await fetch(address.slice(0, -1), { redirect: "manual" });
  assert.deepEqual([redirect.status, redirect.headers.get("location")], [301, "/commcost/"]);
  assert.equal(await (await fetch(address)).text(), readFileSync(`${site}index.html`, "utf8"));
  assert.equal((await fetch(`${address}missing.html`)).status, 404);
});

test("nginx has nothing to complain about", () => {
  assert.doesNotMatch(said.replace(/.*open\(\).*failed \(2:.*/g, ""), /warn|error|emerg/);
});
