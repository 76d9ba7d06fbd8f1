// web/HOSTING.md's blocks for nginx and Caddy, word for word, in Debian's own; and the headers of other hosts.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { site } from "../page/support/browser.mjs";

const hosting = readFileSync(new URL("../../web/HOSTING.md", import.meta.url), "utf8");
const [, policy] = /^Content-Security-Policy: (.*)$/m.exec(hosting);
/** The block of a server, with this site in it. */
const blockFor = (server) =>
  new RegExp(`\`\`\`${server}\n([\\s\\S]*?)\`\`\``).exec(hosting)[1].replaceAll(/\/srv\/commcost\/?/g, site);

const freePort = () =>
  new Promise((resolve) => {
    const probe = createServer().listen(0, "127.0.0.1", () => {
      const { port } = probe.address();
      probe.close(() => resolve(port));
    });
  });

/** How each is started in a folder of its own: its command, and what it reads. */
const servers = {
  nginx(folder, port) {
    copyFileSync("/etc/nginx/mime.types", join(folder, "mime.types"));
    const places = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map(
      (kind) => `${kind}_temp_path ${folder}/${kind};`,
    );
    const [maps, server] = blockFor("nginx").split(/# In server \{ … \}.*\n/);
    writeFileSync(
      join(folder, "nginx.conf"),
      `daemon off; master_process off; pid ${folder}/pid; error_log stderr; events {}
http { access_log off; absolute_redirect off; ${places.join(" ")}
${maps}
server { listen 127.0.0.1:${port};
${server}
} }
`,
    );
    return ["/usr/sbin/nginx", "-p", folder, "-c", join(folder, "nginx.conf")];
  },
  caddy(folder, port) {
    writeFileSync(
      join(folder, "Caddyfile"),
      `{
  admin off
  auto_https off
}
http://127.0.0.1:${port} {
${blockFor("caddyfile")}
}
`,
    );
    return ["/usr/bin/caddy", "run", "--adapter", "caddyfile", "--config", join(folder, "Caddyfile")];
  },
};

const files = readdirSync(site, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && !/^_headers$|\.(?:d\.ts|br|gz)$/.test(entry.name))
  .map((entry) => join(entry.parentPath ?? entry.path, entry.name).slice(site.length));

/** What every host sends with a file, besides its policy; null: nothing. */
const headersOf = (file) => ({
  "cache-control": /^(assets|elements|frame)\//.test(file) ? "public, max-age=31536000, immutable" : "no-cache",
  "access-control-allow-origin": /^(commcost(-element|-element-whole|-embed)?\.js|elements\/.*)$/.test(file)
    ? "*"
    : null,
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
});

const types = {
  html: /^text\/html/,
  js: /^(?:application|text)\/javascript/,
  css: /^text\/css/,
  svg: /^image\/svg\+xml/,
  webmanifest: /^application\/manifest\+json/,
  csv: /^text\/csv/,
  txt: /^text\/plain/,
  json: /^application\/json/,
  wasm: /^application\/wasm/,
};

for (const [name, configured] of Object.entries(servers))
  describe(name, () => {
    let folder, server, address, said;
    before(async () => {
      folder = mkdtempSync(join(tmpdir(), `commcost-${name}-`));
      const port = await freePort();
      const [command, ...given] = configured(folder, port);
      server = spawn(command, given, { stdio: ["ignore", "ignore", "pipe"], env: { ...process.env, HOME: folder } });
      said = "";
      server.stderr.on("data", (text) => (said += text));
      address = `http://127.0.0.1:${port}/commcost/`;
      for (let tries = 0; tries < 100 && server.exitCode === null; ++tries) {
        if (await fetch(address).catch(() => undefined)) return;
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
      assert.fail(said);
    });
    after(() => {
      server?.kill();
      rmSync(folder, { recursive: true });
    });

    test("every file comes with its type, its caching and its policy, compressed where that is worth it", async () => {
      assert.ok(files.length > 40, `${files.length} files`);
      for (const file of files) {
        const { status, headers } = await fetch(address + file, { headers: { "accept-encoding": "gzip" } });
        const told = (header) => headers.get(header);
        assert.equal(status, 200, file);
        assert.match(told("content-type"), types[file.split(".").at(-1)], file);
        assert.equal(told("content-security-policy"), /^(commcost|embed)\.html$/.test(file) ? null : policy, file);
        for (const [header, value] of Object.entries(headersOf(file))) assert.equal(told(header), value, file);
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

    test("it has nothing to complain about", () => {
      // Files that are not there; what this test itself asks of Caddy, and its taste in spaces.
      const usual = /.*(?:open\(\).*failed \(2:|admin endpoint disabled|automatic HTTPS|not formatted).*/g;
      assert.doesNotMatch(said.replace(usual, ""), /"warn|\[warn|error|emerg/);
    });
  });

test("the file _headers says the same to hosts that read it", () => {
  const rules = [];
  for (const line of readFileSync(`${site}_headers`, "utf8").trim().split("\n")) {
    const [, header, value] = /^\s+([\w-]+): (.*)$/.exec(line) ?? [];
    if (header) rules.at(-1).told.push([header.toLowerCase(), value]);
    else rules.push({ matches: new RegExp(`^${line.replaceAll(".", "\\.").replace("*", ".*")}$`), told: [] });
  }
  for (const file of files) {
    const told = Object.fromEntries(
      rules.filter(({ matches }) => matches.test(`/${file}`)).flatMap(({ told }) => told),
    );
    // By default, these hosts are asked again for files not named by their content.
    const expected = Object.entries(headersOf(file)).filter(([, value]) => value !== null && value !== "no-cache");
    assert.deepEqual(told, Object.fromEntries(expected), file);
  }
});
