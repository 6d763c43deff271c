// An honest look at a session: every decision priced, dearest first, and every board on the table again.
import { cardFace, handText, nameOf, pbnHand, rich, symbols } from "./cards.js";
import { auctionTable, meaningBox } from "./auction.js";
import { ask, h, redraw, say, select } from "./dom.js";
import { open } from "./lobby.js";
import { costs } from "./result.js";
import { texts } from "./texts.js";

const SEATS = ["N", "E", "S", "W"];
const VULNERABLE = { None: "", NS: "NS", EW: "EW", All: "NESW" };

class Review {
  constructor(main, file, found, options) {
    this.file = file; this.records = found.records; this.found = found; this.options = options; this.reviews = new Map(); this.board = 0; this.chosen = null; this.system = "sayc"; this.solved = new Map();
    this.page = h("div", { class: "page" });
    main.replaceChildren(this.page);
    this.draw();
    this.run();
  }

  async run() {
    const run = (this.running = {});
    const begun = Date.now();
    for (let number = 1; number <= this.records.length && this.running === run; number += 1) {
      let review;
      try { review = await ask("/api/review", { file: this.file, number, system: this.system }); } catch (error) { review = { void: error.message, calls: [], cards: [] }; }
      if (this.running !== run) return;
      this.reviews.set(number, review);
      this.left = Math.round(((Date.now() - begun) / 1000 / number) * (this.records.length - number));
      this.draw();
    }
    say(texts.reviewing(this.reviews.size, this.records.length));
  }

  dearest() {
    const rows = [...this.reviews].flatMap(([number, review]) => costs(review).map((each) => ({ ...each, number, name: this.player(number, each.seat) })));
    return rows.sort((a, b) => b.cost - a.cost).slice(0, 40);
  }

  player(number, seat) { return this.records[number - 1].players?.[SEATS.indexOf(seat)] || texts.seats[seat]; }

  byPlayer() {
    const sums = new Map();
    for (const [number, review] of this.reviews) for (const each of costs(review)) { const name = this.player(number, each.seat); sums.set(name, (sums.get(name) ?? 0) + each.cost); }
    return [...sums].sort((a, b) => b[1] - a[1]);
  }

  progress() {
    const done = this.reviews.size, all = this.records.length;
    return h("div", { class: "panel" }, h("p", {}, texts.reviewing(done, all), done < all && this.left ? `, ${texts.reviewLeft(this.left)}` : ""), h("progress", { value: done, max: all, "aria-label": texts.reviewTitle }),
      h("div", { class: "row" }, select(texts.system, "system", this.options.systems, this.system, (event) => { this.system = event.target.value; this.reviews.clear(); this.run(); }),
        h("button", { onclick: async (event) => { const target = event.target; await navigator.clipboard?.writeText(location.href); target.textContent = texts.copied; } }, texts.share),
        h("button", { onclick: () => open({ mode: "play", people: "S", file: this.file, strength: "steady" }, "S") }, texts.playThese)),
      this.found.skipped ? h("p", { class: "note" }, texts.skippedBoards(this.found.skipped)) : null,
      this.found.problems?.length ? h("details", {}, h("summary", {}, texts.problems), h("ul", {}, this.found.problems.map((text) => h("li", {}, text)))) : null);
  }

  dearTable() {
    const rows = this.dearest();
    if (!rows.length) return null;
    return h("section", { class: "panel scroll" }, h("h2", {}, texts.dearest), h("table", { class: "dear" }, h("thead", {}, h("tr", {}, [texts.board, texts.cost, texts.player, texts.decision, texts.better].map((name) => h("th", { scope: "col" }, name)))),
      h("tbody", {}, rows.map((each) => h("tr", {}, h("td", {}, h("button", { "data-key": `dear-${each.number}-${each.seat}-${each.cost}`, onclick: () => { this.board = each.number; this.chosen = null; this.step = null; this.draw(); document.querySelector(".replay")?.scrollIntoView({ block: "nearest" }); } }, String(this.records[each.number - 1].board ?? each.number))), h("td", { class: "bad" }, each.text), h("td", {}, each.name),
        h("td", {}, typeof each.what === "string" ? rich(symbols(each.what)) : each.what), h("td", {}, each.alike ? texts.alike : rich(symbols(each.better || "—")), h("p", { class: "note" }, rich(symbols(each.why).replaceAll("_", " ")))))))));
  }

  playerTable() {
    const rows = this.byPlayer();
    return rows.length ? h("section", { class: "panel" }, h("h2", {}, texts.perPlayer), h("table", { class: "dear" }, h("caption", { class: "unseen" }, texts.perPlayer), h("tbody", {}, rows.map(([name, cost]) => h("tr", {}, h("th", { scope: "row" }, name), h("td", { class: "number" }, texts.imp(cost))))))) : null;
  }

  boards() {
    return h("section", { class: "panel" }, h("h2", {}, texts.boards), h("div", { class: "numbers" }, this.records.map((record, i) => h("button", { "data-key": `board-${i + 1}`, "aria-pressed": String(this.board === i + 1), onclick: () => { this.board = i + 1; this.chosen = null; this.step = null; this.draw(); } }, String(record.board ?? i + 1)))));
  }

  async values(step) {
    const key = `${this.board}/${step}`;
    if (!this.wanted || this.solved.has(key)) return;
    this.solved.set(key, null);
    try { this.solved.set(key, await ask("/api/values", { file: this.file, number: this.board, played: step })); } catch { return; }
    this.draw();
  }

  // Whose turn it is, and what each of their cards leads to, double dummy.
  valued(step) {
    this.values(step);
    return this.wanted ? this.solved.get(`${this.board}/${step}`) : null;
  }

  // The hand of whoever is to play as cards with declarer's tricks on each; the others as text.
  handOf(seat, cards, found) {
    if (found?.turn !== seat) return h("div", { class: "opened" }, handText(cards));
    const best = Object.values(found.tricks), declaring = best.length ? Math.max(...best) : 0, defending = best.length ? Math.min(...best) : 0;
    const good = this.declares(seat) ? declaring : defending;
    return h("div", { class: "opened valued" }, ["S", "H", "D", "C"].map((suit) => h("div", { class: "cards" }, cards.filter((card) => card[0] === suit).map((card) => {
      const tricks = found.tricks[card];
      return h("span", { class: "card", role: "img", "aria-label": tricks === undefined ? nameOf(card) : texts.valueOn(nameOf(card), tricks) }, cardFace(card), tricks === undefined ? null : h("b", { class: `value ${tricks === good ? "best" : ""}` }, String(tricks)));
    }))));
  }

  declares(seat) {
    const declarer = this.records[this.board - 1].declarer ?? "";
    return declarer !== "" && (SEATS.indexOf(seat) - SEATS.indexOf(declarer)) % 2 === 0;
  }

  async solve(record) {
    const key = record.deal;
    if (this.solved.has(key)) return;
    this.solved.set(key, null);
    try { this.solved.set(key, await ask("/api/solve", { deal: record.deal, dealer: record.dealer ?? "N", vul: record.vulnerable ?? "None" })); } catch { return; }
    this.draw();
  }

  replay() {
    if (!this.board) return null;
    const record = this.records[this.board - 1], review = this.reviews.get(this.board);
    const calls = (record.auction ?? "").split(" ").filter(Boolean), first = SEATS.indexOf(record.dealer ?? "N");
    const view = { board: { dealer: record.dealer ?? "N", vulnerable: record.vulnerable ?? "None" }, phase: "over", seats: Object.fromEntries(SEATS.map((seat) => [seat, { vulnerable: VULNERABLE[record.vulnerable ?? "None"].includes(seat) }])),
      auction: calls.map((call, i) => ({ seat: SEATS[(first + i) % 4], call, text: review?.calls?.[i] ? (review.calls[i].call === review.calls[i].better ? review.calls[i].why : `${texts.instead(symbols(review.calls[i].better))}: ${review.calls[i].why} (${texts.imp(review.calls[i].cost)})`) : "", alert: review?.calls?.[i]?.cost > 0.05 ? "!" : "" })) };
    const hands = record.deal ? dealt(record.deal) : null;
    const cards = [...(record.play ?? "").split(" ")].filter(Boolean), step = Math.min(this.step ?? cards.length, cards.length);
    const gone = new Set(cards.slice(0, step)), solution = this.solved.get(record.deal);
    const go = (to) => () => { this.step = Math.max(0, Math.min(cards.length, to)); this.draw(); };
    const played = this.step === null || this.step === undefined ? 0 : step;
    const found = cards.length ? this.valued(played) : null;
    return h("section", { class: "panel replay" }, h("h2", {}, `${texts.board} ${record.board ?? this.board} · `, rich(symbols(texts.contractIs(record.contract ?? "")))),
      hands ? h("div", { class: "felt over replay-felt" }, SEATS.map((seat) => h("div", { class: `seat ${{ N: "north", E: "east", S: "south", W: "west" }[seat]}` }, h("div", { class: "plate" }, h("span", { class: "letter" }, seat), h("span", { class: "who" }, this.player(this.board, seat))), this.handOf(seat, hands[seat].filter((card) => this.step === undefined || this.step === null || !gone.has(card)), found))),
        h("div", { class: "centre" }, step && this.step !== null && this.step !== undefined ? h("div", { class: "row" }, cards.slice(Math.floor((step - 1) / 4) * 4, step).map((card) => h("span", { class: "card", role: "img", "aria-label": nameOf(card) }, cardFace(card)))) : "")) : null,
      cards.length ? h("div", { class: "actions" }, h("button", { "data-key": "first", onclick: go(0) }, texts.start), h("button", { "data-key": "less", onclick: go(step - 1) }, texts.back), h("button", { "data-key": "more", onclick: go((this.step ?? 0) + 1) }, texts.forward), h("button", { "data-key": "last", onclick: go(cards.length) }, texts.end)) : null,
      cards.length ? [h("label", { class: "check" }, h("input", { type: "checkbox", "data-key": "values", checked: this.wanted, onchange: (event) => { this.wanted = event.target.checked; this.draw(); } }), texts.ddValues), found?.turn ? h("p", { class: "note values" }, texts.valueOf(texts.seats[found.turn])) : null] : null,
      auctionTable(view, this.chosen, (index) => { this.chosen = index; this.draw(); }), meaningBox(view, this.chosen),
      review?.void ? h("p", { class: "note" }, `${texts.voidBoard}: ${review.void}`) : null,
      record.deal ? solution ? h("p", {}, `${texts.par}: `, rich(symbols(solution.par.contracts.join(", "))), ` (${solution.par.ns})`) : h("button", { "data-key": "solve", onclick: () => this.solve(record) }, texts.par) : null);
  }

  draw() { redraw(this.page, h("h1", {}, texts.reviewTitle), this.progress(), h("div", { class: "columns" }, h("div", {}, this.boards(), this.replay()), h("div", {}, this.playerTable(), this.dearTable()))); }
}

function dealt(deal) {
  const [first, hands] = deal.split(":"), start = SEATS.indexOf(first);
  return Object.fromEntries(hands.split(" ").map((hand, i) => [SEATS[(start + i) % 4], hand === "-" ? [] : pbnHand(hand)]));
}

function dropPage(main, options) {
  const wrong = h("p", { class: "wrong", role: "alert" });
  const take = async (file) => {
    wrong.textContent = texts.reading;
    try {
      const bytes = new Uint8Array(await file.arrayBuffer());
      let text;
      try { text = new TextDecoder("utf-8", { fatal: true }).decode(bytes); } catch { text = new TextDecoder("latin1").decode(bytes); }
      const found = await ask("/api/files", { text });
      history.replaceState(null, "", `/review/${found.file}`);
      new Review(main, found.file, found, options);
    } catch (error) { wrong.textContent = error.message; }
  };
  const input = h("input", { type: "file", id: "file", accept: ".pbn,.lin,.jsonl", onchange: () => input.files[0] && take(input.files[0]) });
  const area = h("div", { class: "drop", ondragover: (event) => { event.preventDefault(); area.classList.add("over"); }, ondragleave: () => area.classList.remove("over"), ondrop: (event) => { event.preventDefault(); area.classList.remove("over"); if (event.dataTransfer.files[0]) take(event.dataTransfer.files[0]); } },
    h("label", { for: "file" }, texts.choose), input, h("p", { class: "note" }, texts.dropHere));
  main.replaceChildren(h("div", { class: "page" }, h("h1", {}, texts.reviewTitle), h("p", {}, texts.reviewLead), area, wrong));
}

export async function show(main, file) {
  document.title = `Borel · ${texts.pages["/review"]}`;
  const options = await ask("/api/options");
  if (!file) { dropPage(main, options); return; }
  try { new Review(main, file, await ask(`/api/files/${file}`), options); } catch { dropPage(main, options); }
}
