// A system to read, call by call or as a card; and a place to write one's own, try it and play it.
import { callText, rich } from "./cards.js";
import { ask, bar, busy, h, kept, redraw, say, select } from "./dom.js";
import { open } from "./lobby.js";
import { texts } from "./texts.js";

// Passes and doubles first, then the bids from the lowest.
const order = (call) => ["P", "X", "XX"].includes(call) ? -1 : 5 * Number(call[0]) + ["C", "D", "H", "S", "NT"].indexOf(call.slice(1));

class SystemPage {
  constructor(main, options, saved) {
    this.options = options; this.system = "sayc"; this.tab = saved ? "edit" : "tree"; this.calls = []; this.tree = null; this.card = null; this.text = saved?.text ?? kept.get("ownText", ""); this.findings = null; this.link = null; this.wrong = "";
    this.page = h("div", { class: "page" });
    main.replaceChildren(this.page);
    this.load();
  }

  source() { return this.tab === "edit" || this.own ? { system: this.system, text: this.text } : { system: this.system }; }

  async load() {
    this.wrong = "";
    const shown = bar(`system.${this.tab}`, texts.reading);
    this.loading = shown.element;
    this.draw();
    try {
      if (this.tab === "tree") this.tree = await ask("/api/system/tree", { system: this.system, auction: this.calls.join(" ") });
      if (this.tab === "card") this.card = await ask("/api/system/card", { system: this.system });
      if (this.tab === "edit" && !this.text) this.text = (await ask(`/api/system/source/${this.system}`)).text;
    } catch (error) { this.wrong = error.message; }
    shown.done();
    this.loading = null;
    this.draw();
  }

  // A step of the tree is a call of ours; opponents pass in between.
  go(call) { this.calls.push(call, "P"); this.tree = null; this.load(); }
  back(length) { this.calls.length = length; this.tree = null; this.load(); }

  treePanel() {
    if (!this.tree) return null;
    const calls = new Map();
    for (const option of this.tree.options) calls.set(option.call, [...(calls.get(option.call) ?? []), option]);
    const crumbs = this.calls.filter((_, i) => i % 2 === 0);
    return h("section", { class: "panel" }, h("p", { class: "crumbs" }, h("button", { "data-key": "open", onclick: () => this.back(0) }, texts.opening2), crumbs.map((call, i) => [" › ", h("button", { "data-key": `crumb-${i}`, onclick: () => this.back(2 * i + 2) }, callText(call))]), crumbs.length ? h("small", {}, ` (${texts.theyPass})`) : null),
      calls.size ? h("ul", { class: "calls-tree" }, [...calls].sort(([one], [other]) => order(one) - order(other)).map(([call, options]) => h("li", {}, h("div", {}, h("button", { "data-key": `go-${call}`, onclick: () => this.go(call) }, callText(call))), h("div", {}, options.slice(0, 4).map((option) => h("p", {}, rich(option.meaning), h("small", {}, " ", rich(option.hand)))))))) : h("p", {}, texts.noAgreement));
  }

  cardPanel() {
    if (!this.card) return null;
    return h("section", { class: "panel card-section" }, h("h2", {}, this.card.title), this.card.sections.map((section) => h("details", {}, h("summary", {}, section.title), section.auctions.map((auction) => [h("h3", {}, auction.auction),
      h("table", {}, h("caption", { class: "unseen" }, auction.auction), h("tbody", {}, auction.calls.map((call) => h("tr", {}, h("td", {}, rich(call.call)), h("td", {}, rich(call.meaning)), h("td", {}, rich(call.hand)), h("td", {}, call.remarks)))))]))));
  }

  editPanel() {
    const area = h("textarea", { class: "editor", "data-key": "editor", spellcheck: "false", "aria-label": texts.systemText, oninput: () => { this.text = area.value; kept.set("ownText", this.text); } }, this.text);
    const act = (key, text, work, primary) => { const button = h("button", { "data-key": key, class: primary ? "primary" : null }, text); button.addEventListener("click", busy(button, () => this.guarded(work))); return button; };
    return h("section", { class: "columns" }, h("div", { class: "panel" }, h("p", { class: "note" }, texts.editNote), area, h("div", { class: "actions" },
      act("check", texts.check, () => this.check(), true),
      act("save", texts.save, () => this.save()), act("play", texts.playIt, async () => { await this.save(); await open({ mode: "play", people: "S", own_system: this.link, strength: "steady" }, "S"); }),
      h("button", { "data-key": "reset", onclick: () => { this.text = ""; this.load(); } }, texts.reset)), this.link ? h("p", {}, texts.saved, " ", h("a", { href: `/system/${this.link}` }, `${location.origin}/system/${this.link}`)) : null),
      h("div", { class: "panel", "aria-live": "polite" }, h("h2", {}, texts.check), this.waiting ?? null, this.findings === null ? this.waiting ? null : h("p", { class: "note" }, texts.checkLead) : [h("p", {}, texts.findings(this.findings.length)), h("ul", { class: "findings" }, this.findings.map((each) => h("li", {}, h("strong", {}, `${each.place}: ${each.kind}: `), rich(each.text))))]));
  }

  async check() {
    const shown = bar("check", texts.checking, 6);
    this.findings = null; this.waiting = shown.element; say(texts.checking); this.draw();
    try { this.findings = await ask("/api/system/check", { text: this.text }); say(texts.findings(this.findings.length)); } finally { shown.done(); this.waiting = null; }
  }

  async save() { this.link = (await ask("/api/system/save", { text: this.text })).system; kept.set("ownSystem", this.link); }
  async guarded(work) { this.wrong = ""; try { await work(); } catch (error) { this.wrong = error.message; this.findings = null; } this.draw(); }

  draw() {
    const tab = (name, text) => h("button", { "data-key": `tab-${name}`, "aria-pressed": String(this.tab === name), onclick: () => { this.tab = name; this.load(); } }, text);
    redraw(this.page, h("h1", {}, texts.systemTitle), h("p", { class: "note" }, texts.systemLead),
      h("div", { class: "row" }, select(texts.system, "system", this.options.systems, this.system, (event) => { this.system = event.target.value; this.calls = []; this.card = this.tree = null; this.load(); }), h("div", { class: "tabs", role: "group", "aria-label": texts.systemTitle }, tab("tree", texts.tree), tab("card", texts.card), tab("edit", texts.edit))),
      this.wrong ? h("p", { class: "wrong", role: "alert" }, this.wrong) : null, this.loading && this.tab !== "edit" ? h("div", { class: "panel" }, this.loading) : null, { tree: () => this.treePanel(), card: () => this.cardPanel(), edit: () => this.editPanel() }[this.tab]());
  }
}

export async function show(main, link) {
  document.title = `Borel · ${texts.pages["/system"]}`;
  const options = await ask("/api/options");
  const saved = link ? await ask(`/api/system/saved/${link}`).catch(() => null) : null;
  new SystemPage(main, options, saved);
}
