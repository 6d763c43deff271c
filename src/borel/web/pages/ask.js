// What would you bid? A hand, an auction, and everything that the engine thinks of it.
import { callName, callText, nameOf, pbnHand, rankOf, rich, suitSign, symbols } from "./cards.js";
import { auctionTable, biddingBox, candidateTable, meaningBox } from "./auction.js";
import { ask, bar, busy, h, kept, redraw, s, say, select } from "./dom.js";
import { strengthTitles } from "./lobby.js";
import { texts } from "./texts.js";

const RANKS = [..."AKQJT98765432"], SUITS = ["S", "H", "D", "C"];
const VULNERABLE = { None: "", NS: "NS", EW: "EW", All: "NESW" };

const written = (cards) => SUITS.map((suit) => RANKS.filter((rank) => cards.has(suit + rank)).join("")).join(".");

function histogram(shares, title) {
  const entries = Object.entries(shares).map(([value, share]) => [Number(value), share]);
  const low = Math.min(...entries.map(([value]) => value)), high = Math.max(...entries.map(([value]) => value));
  const most = Math.max(...entries.map(([, share]) => share)), width = 220 / (high - low + 1);
  return s("svg", { class: "histogram", viewBox: "0 0 220 90", role: "img", "aria-label": title },
    entries.map(([value, share]) => [
      s("rect", { x: (value - low) * width + 1, y: 76 - (70 * share) / most, width: Math.max(1, width - 2), height: (70 * share) / most }),
      high - low < 26 && (high - low < 14 || value % 2 === 0) ? s("text", { x: (value - low + 0.5) * width, y: 87 }, String(value)) : null,
    ]));
}

export function pictureBlock(picture) {
  const seats = Object.entries(picture.seats).map(([seat, each]) => {
    const honours = Object.entries(each.honours).filter(([, chance]) => chance >= 0.5).sort((a, b) => b[1] - a[1]).slice(0, 6);
    const usual = (lengths) => { const all = Object.entries(lengths); const mean = all.reduce((sum, [n, p]) => sum + n * p, 0); return mean.toFixed(1); };
    return h("section", {}, h("h3", {}, texts.seats[seat], h("small", {}, ` ${each.hcp_mean.toFixed(1)} ${texts.hcp}`)), histogram(each.hcp, `${texts.seats[seat]}: ${texts.hcp}`),
      h("table", { class: "lengths" }, h("tbody", {}, SUITS.map((suit) => h("tr", {}, h("th", { scope: "row" }, suitSign(suit), h("span", { class: "unseen" }, texts.suits[suit])), h("td", {}, usual(each.lengths[suit])),
        h("td", {}, rich(honours.filter(([card]) => card[0] === suit).map(([card, chance]) => `${rankOf(card)} ${Math.round(100 * chance)}%`).join(", "))))))));
  });
  return h("section", { class: "panel" }, h("h2", {}, texts.pictureTitle), h("div", { class: "picture" }, seats), h("p", { class: "note" }, texts.pictureNote(picture.layouts)));
}

class Asker {
  constructor(main, options) {
    const saved = kept.get("ask", {});
    this.cards = new Set(saved.cards ?? pbnHand("AQ5.KJ92.87.AT43")); this.calls = []; this.said = null; this.answer = null; this.chosen = null; this.wrong = ""; this.sampled = new Map();
    this.fields = { dealer: "N", vul: "None", system: "sayc", strength: "strong", ...saved.fields };
    this.options = options;
    this.page = h("div", { class: "page" });
    main.replaceChildren(this.page);
    this.read();
  }

  question() { return { dealer: this.fields.dealer, vul: this.fields.vul, system: this.fields.system, auction: this.calls.join(" ") }; }

  async read() {
    kept.set("ask", { cards: [...this.cards], fields: this.fields });
    try { this.said = await ask("/api/explain", this.question()); this.wrong = ""; } catch (error) { this.wrong = error.message; this.calls.pop(); }
    this.draw();
  }

  async ask() {
    const shown = bar("ask", texts.asking);
    this.wrong = ""; this.answer = null; this.waiting = shown.element; say(texts.asking);
    this.draw();
    try { this.answer = await ask("/api/bid", { ...this.question(), hand: written(this.cards), strength: this.fields.strength }); say(`${callName(this.answer.call)}. ${this.answer.why}`); } catch (error) { this.wrong = error.message; }
    shown.done();
    this.waiting = null;
    this.draw();
    this.page.querySelector(".answer")?.scrollIntoView({ block: "nearest" });
  }

  toggle(card) { if (this.cards.has(card)) this.cards.delete(card); else this.cards.add(card); this.answer = null; kept.set("ask", { cards: [...this.cards], fields: this.fields }); this.draw(); }

  type(text) {
    const cards = text.toUpperCase().replaceAll("10", "T").split(".");
    if (cards.length !== 4) return;
    this.cards = new Set(cards.flatMap((ranks, i) => [...ranks].filter((rank) => RANKS.includes(rank)).map((rank) => SUITS[i] + rank)));
    this.answer = null; this.draw();
  }

  asked() { return this.chosen === null ? "" : JSON.stringify({ ...this.question(), auction: this.calls.slice(0, this.chosen + 1).join(" ") }); }

  async choose(index) {
    this.chosen = index;
    const key = this.asked();
    this.draw();
    if (index === null || this.sampled.has(key)) return;
    this.sampled.set(key, null);
    try { this.sampled.set(key, await ask("/api/meaning", JSON.parse(key))); } catch { this.sampled.delete(key); }
    this.draw();
  }

  random() {
    const deck = SUITS.flatMap((suit) => RANKS.map((rank) => suit + rank));
    for (let i = 0; i < 13; i += 1) { const j = i + Math.floor(Math.random() * (52 - i)); [deck[i], deck[j]] = [deck[j], deck[i]]; }
    this.cards = new Set(deck.slice(0, 13)); this.answer = null; this.draw();
  }

  call(call) { this.calls.push(call); this.answer = null; this.chosen = null; this.read(); }

  picker() {
    return h("div", { class: "picker", role: "group", "aria-label": texts.hand }, SUITS.map((suit) => h("div", { class: "line" }, suitSign(suit), RANKS.map((rank) => {
      const card = suit + rank;
      return h("button", { "data-key": card, "aria-pressed": String(this.cards.has(card)), "aria-label": nameOf(card), onclick: () => this.toggle(card) }, rankOf(card));
    }))));
  }

  auctionView() {
    const calls = this.said?.calls ?? [];
    return { board: { dealer: this.fields.dealer, vulnerable: this.fields.vul }, phase: this.said?.over ? "over" : "auction",
      seats: Object.fromEntries(Object.keys(texts.seats).map((seat) => [seat, { vulnerable: VULNERABLE[this.fields.vul].includes(seat) }])),
      auction: calls.map((call) => ({ ...call, text: call.meaning })) };
  }

  set(name) { return (event) => { this.fields[name] = event.target.value; if (name === "dealer") this.calls = []; this.answer = null; this.read(); }; }

  inputs() {
    return h("section", { class: "panel stack" }, this.picker(),
      h("label", { class: "field" }, h("span", {}, `${texts.hand} · ${texts.cardsChosen(this.cards.size)}`), h("input", { "data-key": "hand", value: written(this.cards), placeholder: texts.handPlaceholder, spellcheck: "false", autocomplete: "off", onchange: (event) => this.type(event.target.value) })),
      h("div", { class: "row" }, select(texts.dealerField, "dealer", texts.seats, this.fields.dealer, this.set("dealer")), select(texts.vulField, "vul", texts.vulChoices, this.fields.vul, this.set("vul")),
        select(texts.system, "system", this.options.systems, this.fields.system, this.set("system")), select(texts.strength, "strength", strengthTitles(this.options), this.fields.strength, this.set("strength"))));
  }

  // The question is put below hand and auction, and answered in the same place.
  askPanel() {
    const button = h("button", { class: "primary", "data-key": "ask", disabled: this.cards.size !== 13 || this.said?.over }, texts.askNow);
    button.addEventListener("click", busy(button, () => this.ask()));
    return h("div", { class: "ask-answer" }, h("section", { class: "panel stack" }, h("div", { class: "actions" }, button, h("button", { "data-key": "random", onclick: () => this.random() }, texts.randomHand), h("button", { "data-key": "clear", onclick: () => { this.cards.clear(); this.answer = null; this.draw(); } }, texts.clear)),
      this.wrong ? h("p", { class: "wrong", role: "alert" }, this.wrong) : null, this.waiting ?? null), this.answerPanel());
  }

  auctionPanel() {
    const view = this.auctionView();
    return h("section", { class: "side" }, h("div", { class: "panel" }, h("h2", {}, this.said && !this.said.over ? texts.toCall(texts.seats[this.said.turn]) : texts.auction),
      auctionTable(view, this.chosen, (index) => this.choose(index)), meaningBox(view, this.chosen, this.sampled.get(this.asked())),
      this.calls.length ? h("button", { "data-key": "back", onclick: () => { this.calls.pop(); this.answer = null; this.chosen = null; this.read(); } }, texts.undoCall) : null),
      biddingBox(this.said?.legal ?? [], (call) => this.call(call), view.auction));
  }

  answerPanel() {
    const answer = this.answer;
    if (!answer) return null;
    const figures = answer.candidates.some((each) => each.value !== null);
    const several = figures || answer.candidates.length > 1;
    return [h("section", { class: "panel", "aria-live": "polite" }, h("p", { class: "answer" }, callText(answer.call), h("small", {}, rich(answer.meaning))), h("p", {}, rich(symbols(answer.why))),
      several ? h("div", { class: "scroll" }, candidateTable(answer.candidates, texts.chance)) : h("p", { class: "note" }, texts.nothingElse), figures ? h("p", { class: "note" }, texts.chanceNote) : null)];
  }

  draw() {
    redraw(this.page, h("h1", {}, texts.askTitle), h("p", { class: "note" }, texts.askLead), h("div", { class: "ask-grid" }, this.inputs(), this.auctionPanel(), this.askPanel()), this.answer ? pictureBlock(this.answer.picture) : null);
  }
}

export async function show(main) {
  document.title = `Borel · ${texts.pages["/ask"]}`;
  new Asker(main, await ask("/api/options"));
}
