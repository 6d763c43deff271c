// Before a table: one button to sit down, everything else folded away.
import { ask, busy, h, kept, say, select } from "./dom.js";
import { texts } from "./texts.js";

const PARTNER = { N: "S", S: "N", E: "W", W: "E" };
const LEFT = { N: "E", E: "S", S: "W", W: "N" };

function people(company, seat) {
  if (company === "partner") return seat + PARTNER[seat];
  if (company === "opponents") return seat + LEFT[seat];
  return company === "four" ? "NESW" : seat;
}

export const strengthTitles = (options) => Object.fromEntries(Object.entries(options.strengths).map(([name, title]) => [name, texts.strengths[name] ?? title]));

export function remember(table, keys, mode, mine) {
  const tables = kept.get("tables", []).filter((each) => each.table !== table);
  tables.unshift({ table, keys, mine, mode, when: Date.now() });
  kept.set("tables", tables.slice(0, 12));
}

export async function open(settings, seat) {
  const { table, keys } = await ask("/api/tables", settings);
  remember(table, keys, settings.mode, seat);
  location.href = `/table/${table}`;
}

function form(options, mode) {
  const saved = kept.get(`lobby.${mode}`, {});
  const own = kept.get("ownSystem", null);
  const systems = { ...options.systems, ...(own ? { [`own:${own}`]: texts.ownSystem } : {}) };
  const field = (label, name, choices, otherwise) => select(label, name, choices, saved[name] in choices ? saved[name] : otherwise);
  const check = (label, name, on) => h("label", { class: "check" }, h("input", { type: "checkbox", name, checked: saved[name] ?? on }), label);
  const wishes = Object.fromEntries(options.wishes.map((wish) => [wish, texts.wishes[wish] ?? wish]));
  return h("form", { class: "choices" },
    field(texts.seat, "seat", texts.seats, "S"),
    mode === "play" ? field(texts.company, "company", texts.companies, "alone") : null,
    field(texts.system, "system", systems, "sayc"),
    field(texts.strength, "strength", strengthTitles(options), mode === "play" ? "steady" : "quick"),
    mode === "play" ? field(texts.scoring, "scoring", texts.scorings, "IMPs") : null,
    field(texts.wish, "wish", wishes, mode === "play" ? "any" : "ours"),
    h("label", { class: "field wide" }, h("span", {}, texts.where), h("input", { name: "where", value: saved.where ?? "", placeholder: texts.wherePlaceholder, maxlength: 1000, spellcheck: "false", autocomplete: "off" })),
    mode === "play" ? [select(texts.trial, "trial", { "": texts.noTrial, ...strengthTitles(options) }, ""), select(texts.trialBoards, "trial_boards", Object.fromEntries([4, 8, 16, 32].map((count) => [count, texts.trialBoardsOf(count)])), saved.trial_boards ?? "8")] : null,
    h("label", { class: "field" }, h("span", {}, texts.file), h("input", { type: "file", name: "file", accept: ".pbn,.lin,.jsonl" })),
    h("label", { class: "field" }, h("span", {}, texts.yourName), h("input", { name: "name", value: kept.get("name", ""), maxlength: 30, autocomplete: "nickname" })),
    mode === "play" ? check(texts.undo, "undo", true) : check(texts.silent, "silent", false));
}

async function chosen(element, mode) {
  const data = new FormData(element), settings = Object.fromEntries([...data].filter(([name]) => name !== "file"));
  kept.set(`lobby.${mode}`, { ...settings, undo: data.has("undo"), silent: data.has("silent") });
  kept.set("name", settings.name);
  const own = settings.system.startsWith("own:");
  const file = data.get("file");
  const uploaded = file?.size ? (await ask("/api/files", { text: await file.text() })).file : "";
  return [{
    mode, people: people(settings.company ?? "alone", settings.seat), name: settings.name, strength: settings.strength,
    system: own ? "sayc" : settings.system, own_system: own ? settings.system.slice(4) : "", scoring: settings.scoring ?? "IMPs",
    undo: mode === "bid" || data.has("undo"), silent: data.has("silent"), wish: settings.wish, where: settings.where,
    trial: settings.trial ?? "", trial_boards: Number(settings.trial_boards ?? 8), file: uploaded,
  }, settings.seat];
}

// Four ways to begin that people would not look for among the options.
function tiles(options, guarded) {
  const begin = (name, settings) => h("button", { class: "tile", type: "button", "data-key": `tile-${name}`, onclick: guarded(() => open({ people: "S", name: kept.get("name", ""), strength: "steady", mode: "play", ...settings }, "S")) },
    h("strong", {}, texts.tiles[name].title), h("span", {}, texts.tiles[name].lead));
  return h("section", { class: "tiles", "aria-label": texts.tilesTitle }, begin("slams", { wish: "slams" }), begin("friend", { people: "NS", undo: false }), begin("trial", { strength: "steady", trial: "strong", trial_boards: 8, undo: false }), begin("practice", { mode: "bid", wish: "ours", strength: "quick" }));
}

function resumeList() {
  const tables = kept.get("tables", []);
  if (!tables.length) return null;
  return h("section", { class: "panel resume" }, h("h2", {}, texts.resume),
    h("ul", {}, tables.slice(0, 6).map((each) => h("li", {},
      h("a", { href: `/table/${each.table}` }, `${each.mode === "bid" ? texts.bidTitle : texts.table} · ${texts.resumeSeat(texts.seats[each.mine] ?? each.mine)}`),
      h("time", { datetime: new Date(each.when).toISOString() }, new Date(each.when).toLocaleString())))));
}

export async function show(main, mode) {
  const options = await ask("/api/options");
  const element = form(options, mode);
  const wrong = h("p", { class: "wrong", role: "alert" });
  const button = h("button", { class: "primary big", type: "button", "data-key": "start" }, mode === "play" ? texts.playNow : texts.bidNow);
  const begin = busy(button, async () => {
    const usual = button.textContent;
    wrong.textContent = "";
    button.textContent = texts.opening;
    say(texts.opening);
    try { await open(...(await chosen(element, mode))); } catch (error) { wrong.textContent = error.message; button.textContent = usual; }
  });
  button.addEventListener("click", begin);
  element.addEventListener("submit", begin);
  const guarded = (work) => busy(null, async () => { wrong.textContent = ""; try { await work(); } catch (error) { wrong.textContent = error.message; } });
  document.title = `Borel · ${mode === "play" ? texts.pages["/"] : texts.pages["/bid"]}`;
  main.replaceChildren(h("div", { class: "page lobby" },
    h("section", { class: "hero" }, h("h1", {}, mode === "play" ? texts.lobbyTitle : texts.bidTitle), h("p", {}, mode === "play" ? texts.lobbyLead : texts.bidLead), button, wrong, mode === "play" ? h("p", { class: "first-steps" }, texts.firstSteps) : null),
    resumeList() ?? "", mode === "play" ? tiles(options, guarded) : "",
    h("details", { class: "panel", open: mode === "bid" || kept.get("lobbyOpen", false), ontoggle: (event) => kept.set("lobbyOpen", event.target.open) }, h("summary", {}, texts.options), element)));
}
