// The pages: which one an address shows, the head of every page, settings of this browser.
import { byId, h, kept, s, select } from "./dom.js";
import { texts } from "./texts.js";

const PAGES = [
  [/^\/table\/([\w-]+)$/, () => import("./table.js"), "/"],
  [/^\/bid$/, () => import("./lobby.js").then((page) => ({ show: (main) => page.show(main, "bid") })), "/bid"],
  [/^\/ask$/, () => import("./ask.js"), "/ask"],
  [/^\/review(?:\/([\w-]+))?$/, () => import("./review.js"), "/review"],
  [/^\/system(?:\/([\w-]+))?$/, () => import("./system.js"), "/system"],
  [/^\/api$/, () => import("./reference.js"), ""],
  [/^\/(?:play)?$/, () => import("./lobby.js").then((page) => ({ show: (main) => page.show(main, "play") })), "/"],
];

export function applySettings() {
  const root = document.documentElement;
  const theme = kept.get("theme", "auto");
  if (theme === "auto") root.removeAttribute("data-theme"); else root.setAttribute("data-theme", theme);
  root.classList.toggle("four-colours", kept.get("fourColours", false));
}

function settingsDialog() {
  const set = (name) => (event) => { kept.set(name, event.target.type === "checkbox" ? event.target.checked : event.target.value); applySettings(); };
  const dialog = h("dialog", { class: "panel", "aria-label": texts.settings },
    h("h2", {}, texts.settings),
    select(texts.theme, "theme", texts.themes, kept.get("theme", "auto"), set("theme")),
    h("label", { class: "check" }, h("input", { type: "checkbox", checked: kept.get("fourColours", false), onchange: set("fourColours") }), texts.fourColours),
    select(texts.pace, "pace", texts.paces, kept.get("pace", "calm"), set("pace")),
    h("p", { class: "note" }, texts.shortcuts),
    h("button", { class: "primary", onclick: () => dialog.close() }, texts.close));
  return dialog;
}

function head(current) {
  byId("nav").replaceChildren(...Object.entries(texts.pages).map(([path, name]) =>
    h("a", { href: path, "aria-current": path === current ? "page" : null }, name)));
  const dialog = settingsDialog();
  const gear = s("svg", { viewBox: "0 0 24 24", "aria-hidden": "true" },
    s("path", { d: "M4 7h10M18 7h2M4 17h2M10 17h10", "stroke-width": 2, "stroke-linecap": "round" }),
    s("circle", { cx: 16, cy: 7, r: 2.5 }), s("circle", { cx: 8, cy: 17, r: 2.5 }));
  byId("tools").replaceChildren(h("button", { class: "icon", "aria-label": texts.settings, onclick: () => dialog.showModal() }, gear), dialog);
}

// Instead of an empty page: what went wrong, and where to go on.
export function sorry(text, again) {
  byId("main").classList.remove("at-table");
  byId("main").replaceChildren(h("div", { class: "page" }, h("section", { class: "hero" }, h("h1", {}, texts.sorry), h("p", { role: "alert" }, text),
    again ? h("button", { class: "primary big", "data-key": "again", onclick: () => location.reload() }, texts.tryAgain) : h("a", { class: "button primary big", "data-key": "home", href: "/" }, texts.toLobby))));
}

async function start() {
  applySettings();
  for (const [pattern, load, current] of PAGES) {
    const match = location.pathname.match(pattern);
    if (!match) continue;
    head(current);
    try { await (await load()).show(byId("main"), match[1]); } catch (error) { sorry(error.message, true); }
    return;
  }
  head("");
  sorry(texts.nothingHere, false);
}

start();
