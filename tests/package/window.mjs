// Drives the installed window through a WebDriver: `window.mjs PORT ask QUESTION` goes through the wizard and asks;
// `window.mjs PORT listed QUESTION` looks for an earlier question.

const [port, what, question] = process.argv.slice(2);
const base = `http://127.0.0.1:${port}`;

/** @param {string} method @param {string} path @param {unknown} [body] */
async function request(method, path, body) {
  const reply = await fetch(base + path, { method, body: body === undefined ? undefined : JSON.stringify(body), headers: { "content-type": "application/json" } });
  const { value } = await reply.json();
  if (!reply.ok) throw new Error(`${method} ${path}: ${value?.message ?? reply.status}`);
  return value;
}

/** Tries until it comes true. @param {string} name @param {() => Promise<unknown>} is @param {number} [seconds] */
async function until(name, is, seconds = 60) {
  const end = Date.now() + seconds * 1000;
  let last = "";
  while (Date.now() < end) {
    try {
      const value = await is();
      if (value) return value;
    } catch (error) {
      last = String(error);
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`waited in vain: ${name} ${last}`);
}

const application = { "tauri:options": { application: "/usr/bin/nexi-desktop" }, browserName: "wry" };
const { sessionId } = await until("the driver", () => request("POST", "/session", { capabilities: { alwaysMatch: application } }));
const run = (script) => request("POST", `/session/${sessionId}/execute/sync`, { script, args: [] });

/** Goes to the window that shows this page. @param {string} page */
const windowOf = (page) => until(page, async () => {
  for (const handle of await request("GET", `/session/${sessionId}/window/handles`)) {
    // One of them may have been closed meanwhile.
    const isIt = request("POST", `/session/${sessionId}/window`, { handle }).then(() => run(`return (location.pathname.replace(/^\\//, "") || "index.html") === ${JSON.stringify(page)}`));
    if (await isIt.catch(() => false)) return true;
  }
  return false;
});

try {
  if (what === "ask") {
    await windowOf("setup.html");
    await until("the wizard", () => run("return !!document.querySelector('#begin')?.offsetParent"));
    // By itself, as the wizard closes before the driver would hear that the click was heard.
    await run("setTimeout(() => document.querySelector('#begin').click(), 100)");
    await windowOf("index.html");
    await until("the field", () => run("return !!document.querySelector('#composer')"));
    await run(`const field = document.querySelector('#composer'); field.value = ${JSON.stringify(question)}; field.dispatchEvent(new Event('input', { bubbles: true }))`);
    await until("the button", () => run("return !document.querySelector('#go').disabled"));
    await run("document.querySelector('#go').click()");
    let told = "";
    const answer = await until("the answer", async () => {
      told = String((await run("return document.querySelector('#toast')?.innerText ?? ''")) || told);
      return run("return document.querySelector('.turn .acts') && document.querySelector('.answer .chip') && document.querySelector('.answer').innerText");
    }).catch((error) => { throw new Error(`${error.message} ${told}`); });
    console.log(String(answer).split("\n")[0]);
    if (!/keyring/.test(String(answer))) throw new Error(`not what was asked: ${answer}`);
  } else {
    await windowOf("index.html");
    await until("the earlier question", () => run(`return document.body.innerText.includes(${JSON.stringify(question)})`));
  }
} catch (error) {
  // What there was instead.
  for (const handle of await request("GET", `/session/${sessionId}/window/handles`).catch(() => [])) {
    await request("POST", `/session/${sessionId}/window`, { handle }).catch(() => {});
    console.error(await run("return `${location.href}\n${document.body.innerText}`").catch(String));
  }
  throw error;
} finally {
  await request("DELETE", `/session/${sessionId}`).catch(() => {});
}
