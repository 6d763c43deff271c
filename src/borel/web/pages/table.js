// A table: shows the views that the server sends, one after the other at a pace that eyes can follow, and sends clicks.
import { callName, cardBack, cardFace, handText, nameOf, rich } from "./cards.js";
import { auctionTable, biddingBox, meaningBox } from "./auction.js";
import { byId, h, kept, redraw, say, signed } from "./dom.js";
import { Keys } from "./keys.js";
import { remember } from "./lobby.js";
import { resultPanel } from "./result.js";
import { Line } from "./socket.js";
import { texts } from "./texts.js";

const ROUND = ["S", "W", "N", "E"];
const PLACES = ["south", "west", "north", "east"];
const PACES = { calm: { step: 420, trick: 1100 }, brisk: { step: 160, trick: 500 }, instant: { step: 0, trick: 0 } };

class Table {
  constructor(main, name) {
    this.main = main; this.name = name;
    this.views = []; this.view = null; this.chosen = null; this.panel = null; this.trickHeld = null; this.sent = false;
    this.keys = kept.get("tables", []).find((each) => each.table === name)?.keys ?? {};
    this.mine = kept.get("tables", []).find((each) => each.table === name)?.mine;
    this.key = this.takeKey();
    this.frame();
    this.line = new Line(name, this.key, { view: (view) => this.arrive(view), state: (state) => this.connection(state) });
    this.typing = new Keys({ choices: () => this.choices(), commands: { "?": () => this.hint(), Backspace: () => this.undo(), Enter: () => this.enter(), Escape: () => this.put(null) } });
  }

  // A seat's link carries its key behind the #, which browsers do not send and servers do not log.
  takeKey() {
    const given = decodeURIComponent(location.hash.slice(1));
    if (given) {
      remember(this.name, { ...this.keys, given }, "play", this.mine ?? "?");
      history.replaceState(null, "", location.pathname);
      return given;
    }
    return this.keys.given ?? this.keys[this.mine] ?? Object.values(this.keys)[0] ?? "";
  }

  frame() {
    this.banner = h("p", { class: "banner", role: "alert", hidden: true });
    this.felt = h("section", { class: "felt", "aria-label": texts.table });
    this.side = h("section", { class: "side", "aria-label": texts.auction });
    this.main.replaceChildren(h("div", { class: "table-page" }, this.banner, this.felt, this.side));
    this.main.classList.add("at-table");
  }

  connection(state) {
    const text = { lost: texts.disconnected, gone: texts.gone }[state];
    this.banner.hidden = !text;
    this.banner.textContent = text ?? "";
  }

  get pace() { return matchMedia("(prefers-reduced-motion: reduce)").matches ? PACES.instant : PACES[kept.get("pace", "calm")] ?? PACES.calm; }

  // Views queue so that three bots' calls are seen one after the other; one's own click is shown at once.
  arrive(view) {
    this.views.push(view);
    if (this.views.length > 12) this.views.splice(0, this.views.length - 6);
    if (!this.timer) this.advance();
  }

  advance() {
    this.timer = null;
    const view = this.views.shift();
    if (!view) return;
    const before = this.view;
    this.view = view;
    const completed = view.lastTrick && before?.lastTrick?.number !== view.lastTrick.number && before?.board?.number === view.board?.number && before?.phase === "play";
    this.trickHeld = completed ? view.lastTrick : null;
    if (before && before.board?.number !== view.board?.number) { this.panel = null; this.chosen = null; }
    if (before?.phase !== view.phase && view.phase === "over") this.panel = null;
    this.sent = false;
    this.announce(before, view);
    this.draw();
    const moved = !before || before.version === view.version ? 0 : completed ? this.pace.trick : this.pace.step;
    this.timer = setTimeout(() => { this.trickHeld = null; if (this.views.length) this.advance(); else { this.timer = null; if (completed) this.draw(); } }, moved);
  }

  announce(before, view) {
    if (!before || !view.board || before.board?.number !== view.board.number) return;
    const words = [];
    for (const entry of view.auction.slice(before.auction?.length ?? 0)) words.push(texts.spokeCall(texts.seats[entry.seat], callName(entry.call), entry.text));
    const all = (each) => [...(each.lastTrick && each.trick?.length === 0 ? each.lastTrick.cards : []), ...(each.trick ?? [])];
    const known = new Set(all(before).map((played) => played.card));
    for (const played of all(view)) if (!known.has(played.card)) words.push(texts.spokeCard(texts.seats[played.seat], nameOf(played.card)));
    if (view.yourTurn && !before.yourTurn) words.push(texts.yourTurn);
    say(words.join(". "));
  }

  place(seat) {
    const bottom = this.view.you ?? "S";
    return PLACES[(ROUND.indexOf(seat) - ROUND.indexOf(bottom) + 4) % 4];
  }

  get live() { return this.views.length === 0 && !this.sent; }

  async act(choice) {
    if (!this.live || !this.view.yourTurn) return;
    this.sent = true;
    this.draw();
    if (this.panel?.kind === "hint") this.panel = null;
    try { await this.line.send({ do: "act", choice, version: this.view.version }); } catch (error) { this.sent = false; this.tell(error); }
  }

  tell(error) { this.put({ kind: "text", text: error.message, wrong: true }); }
  put(panel) {
    this.panel = panel;
    this.draw();
    this.side.querySelector(".told-panel")?.scrollIntoView({ block: "nearest" });
  }

  async send(message, waiting) {
    if (waiting) this.put({ kind: "text", text: waiting });
    try { return await this.line.send(message); } catch (error) { this.tell(error); return null; }
  }

  async undo() { if (this.view?.canUndo) { this.panel = null; await this.send({ do: "undo" }); } }

  async hint() {
    if (!this.view?.yourTurn) return;
    const version = this.view.version;
    const answer = await this.send({ do: "hint" }, texts.hintThinking);
    if (answer && this.view.version === version) this.put({ kind: "hint", hint: answer.hint });
    if (answer) say(texts.hintTitle(answer.hint.symbol));
  }

  async explain() {
    const answer = await this.send({ do: "explain" }, texts.saidWait);
    if (answer) this.put({ kind: "said", said: answer.said, picture: answer.picture });
  }

  async claim(tricks) {
    this.panel = null;
    await this.send({ do: "claim", tricks }, texts.claimWait);
    if (this.panel?.text === texts.claimWait) this.put(null);
  }

  async analyse() {
    const answer = await this.send({ do: "analyse" }, texts.analysing);
    if (answer) this.put({ kind: "review", review: answer.review });
  }

  enter() { if (this.view?.phase === "over" && this.view.you) this.send({ do: "next" }); }

  choices() {
    const view = this.view;
    if (!view?.yourTurn || !this.live) return [];
    const words = (card) => [card, card.replace("T", "10")];
    return [
      ...view.legal.calls.map((call) => ({ typed: [call === "P" || call === "X" || call === "XX" ? call : call.slice(0, 2)], choose: () => this.act(call) })),
      ...view.legal.cards.map((card) => ({ typed: words(card), choose: () => this.act(card) })),
    ];
  }

  draw() {
    const view = this.view;
    document.title = `${view.yourTurn ? "● " : ""}Borel · ${view.board ? texts.boardHead(view.board) : texts.table}`;
    if (!view.board) return;
    this.felt.classList.toggle("over", view.phase === "over");
    redraw(this.felt, this.corner(), ROUND.map((seat) => this.seat(seat)), this.centre());
    redraw(this.side, this.sidePanel());
  }

  corner() {
    const { board, contract, won } = this.view;
    const score = contract && won ? h("div", { class: "score" },
      h("strong", { class: "contract" }, rich(contract.symbol), ` ${texts.seats[contract.declarer]}`),
      h("span", {}, `${texts.ns} ${won.NS} · ${texts.ew} ${won.EW}`), h("span", { class: "note" }, texts.needs(contract.needs))) : null;
    return h("div", { class: "corner" }, h("div", { class: "about" }, h("strong", {}, texts.boardHead(board)),
      h("span", { class: "vulnerable" }, texts.vulnerable[board.vulnerable])), score);
  }

  seat(seat) {
    const { seats, turn, board, hands, contract, you, phase } = this.view;
    const who = seats[seat], place = this.place(seat), hand = hands[seat];
    const role = contract?.declarer === seat ? texts.declarer : contract?.dummy === seat ? texts.dummy : null;
    const name = h("div", { class: `plate${turn === seat ? " turn" : ""}${who.vulnerable ? " vul" : ""}` },
      h("span", { class: "letter" }, seat), h("span", { class: "who" }, seat === you ? `${who.name} (${texts.you})` : who.name),
      board.dealer === seat && !contract ? h("span", { class: "badge" }, texts.dealer) : null, role ? h("span", { class: "badge" }, role) : null,
      who.person && !who.here ? h("span", { class: "badge away" }, texts.away) : null);
    return h("div", { class: `seat ${place}${hand.cards ? " open" : ""}` }, name, phase === "over" ? this.openText(hand) : this.hand(seat, place, hand));
  }

  openText(hand) { return h("div", { class: "opened" }, handText(hand.cards), h("span", { class: "note" }, `${hand.hcp} hcp`)); }

  hand(seat, place, hand) {
    const label = seat === this.view.you ? texts.yourHand : texts.handOf(texts.seats[seat]);
    if (!hand.cards) {
      return h("div", { class: "backs", role: "img", "aria-label": texts.hidden(hand.count) }, Array.from({ length: hand.count }, () => cardBack()));
    }
    const playing = this.view.legal.from === seat && this.view.yourTurn;
    const cards = hand.cards.map((card) => this.card(card, playing));
    if (place === "west" || place === "east") {
      const suits = new Map();
      hand.cards.forEach((card, i) => suits.set(card[0], [...(suits.get(card[0]) ?? []), cards[i]]));
      return h("div", { class: `hand rows${playing ? " playing" : ""}`, role: "group", "aria-label": label }, [...suits.values()].map((row) => h("div", { class: "cards" }, row)));
    }
    return h("div", { class: `hand cards${playing ? " playing" : ""}`, role: "group", "aria-label": label }, cards);
  }

  card(card, playing) {
    const legal = playing && this.view.legal.cards.includes(card);
    const waiting = !this.live;
    if (!playing) return h("span", { class: "card", role: "img", "aria-label": nameOf(card) }, cardFace(card));
    return h("button", { class: `card${legal ? " legal" : " illegal"}`, "data-key": `card-${card}`, disabled: !legal || waiting, "aria-label": nameOf(card), onclick: () => this.act(card) }, cardFace(card));
  }

  centre() {
    const view = this.view;
    if (view.phase === "over") return h("div", { class: "centre result-centre" }, this.centreResult());
    if (view.phase === "auction") return h("div", { class: "centre" }, this.auctionBlock());
    const cards = this.trickHeld ? this.trickHeld.cards : view.trick;
    return h("div", { class: "centre trick", "aria-label": texts.trick, role: "group" }, cards.map((played) =>
      h("span", { class: `card at-${this.place(played.seat)}${this.trickHeld?.winner === played.seat ? " winner" : ""}`, role: "img", "aria-label": `${texts.seats[played.seat]}: ${nameOf(played.card)}` }, cardFace(played.card))));
  }

  centreResult() {
    const result = this.view.result;
    if (!result.ready) return h("p", {}, texts.waitingResult);
    return h("div", { class: "headline" }, h("strong", {}, rich(result.text)), h("span", { class: "big-score" }, signed(result.score)));
  }

  auctionBlock() {
    return [auctionTable(this.view, this.chosen, (index) => { this.chosen = index; this.draw(); }), meaningBox(this.view, this.chosen)];
  }

  status() {
    const view = this.view;
    if (view.phase === "over" || !view.turn) return null;
    const who = view.seats[view.turn];
    const text = !view.you ? texts.watching : view.yourTurn ? texts.yourTurn : who.person ? texts.waitFor(who.name) : texts.turnOf(texts.seats[view.turn]);
    return h("p", { class: `status${view.yourTurn ? " mine" : ""}` }, text);
  }

  actions() {
    const { legal, canUndo, you, yourTurn, auction } = this.view;
    if (!you) return null;
    const button = (key, text, onclick, disabled) => h("button", { "data-key": key, onclick, disabled }, text);
    const others = Object.entries(this.keys).filter(([seat]) => seat !== "given" && seat !== you);
    return h("div", { class: "actions" }, button("hint", texts.hint, () => this.hint(), !yourTurn), button("undo", texts.takeBack, () => this.undo(), !canUndo),
      legal.claim ? button("claim", texts.claim, () => this.put({ kind: "claim", most: legal.claim })) : null,
      button("said", texts.said, () => this.explain(), !auction.length),
      others.length ? button("invite", texts.invite, () => this.put({ kind: "invite", others })) : null);
  }

  sidePanel() {
    const view = this.view;
    const parts = [];
    if (view.trial) parts.push(h("p", { class: "note" }, view.trial.partners ? texts.trialOver : texts.trialProgress(view.trial.done, view.trial.of)));
    if (view.note) parts.push(h("p", { class: "note", role: "status" }, view.note));
    if (view.phase === "over") parts.push(resultPanel(this));
    else parts.push(this.status());
    if (view.claim) parts.push(this.claimPanel());
    if (view.phase === "auction" && view.you) parts.push(biddingBox(this.live ? view.legal.calls : [], (call) => this.act(call)));
    if (view.phase !== "over") parts.push(this.actions());
    parts.push(this.panelBox());
    if (view.phase === "play") {
      parts.push(h("details", { class: "panel", open: matchMedia("(min-width: 900px)").matches }, h("summary", {}, texts.auction), this.auctionBlock()));
      if (view.lastTrick) parts.push(h("details", { class: "panel last" }, h("summary", {}, texts.lastTrick), h("ol", {}, view.lastTrick.cards.map((played) => h("li", {}, `${texts.seats[played.seat]}: `, nameOf(played.card)))), h("p", {}, texts.wonBy(texts.seats[view.lastTrick.winner]))));
    }
    return parts;
  }

  claimPanel() {
    const { claim, seats } = this.view;
    return h("div", { class: "panel", role: "alert" }, h("p", {}, texts.claimBy(seats[claim.by].name, claim.tricks)),
      claim.yours ? h("div", { class: "actions" }, h("button", { class: "primary", onclick: () => this.send({ do: "agree", yes: true }) }, texts.accept), h("button", { onclick: () => this.send({ do: "agree", yes: false }) }, texts.playOn)) : null);
  }

  panelBox() {
    const panel = this.panel;
    if (!panel) return null;
    const body = { text: () => h("p", { class: panel.wrong ? "wrong" : "", role: "status" }, panel.text), hint: () => this.hintBox(panel.hint), said: () => this.saidBox(panel.said, panel.picture), claim: () => this.claimBox(panel.most), invite: () => this.inviteBox(panel.others), review: () => null }[panel.kind]();
    return body ? h("div", { class: "panel told-panel" }, h("button", { class: "icon close", "aria-label": texts.close, "data-key": "close", onclick: () => this.put(null) }, "×"), body) : null;
  }

  hintBox(hint) {
    const rows = hint.candidates.map((each) => h("tr", {}, h("th", { scope: "row" }, rich(each.symbol)), h("td", { class: "number" }, each.value === null || !hint.unit ? "" : `${each.value >= 0 ? "+" : "−"}${Math.abs(each.value).toFixed(1)}`), h("td", {}, rich(each.why))));
    return [h("p", {}, h("strong", {}, rich(texts.hintTitle(hint.symbol))), hint.meaning ? [" · ", rich(hint.meaning)] : ""), h("p", {}, rich(hint.why)),
      rows.length ? h("table", { class: "candidates" }, h("caption", { class: "unseen" }, texts.candidates), h("tbody", {}, rows)) : null];
  }

  saidBox(said, picture) {
    const imagined = picture?.length ? [h("h3", {}, texts.pictureTitle), h("ul", { class: "note" }, picture.map((line) => h("li", {}, rich(line))))] : null;
    return [h("dl", { class: "shown" }, Object.entries(said.seats).map(([seat, each]) => [h("dt", {}, texts.seats[seat]), h("dd", {}, rich(each.shown))])), imagined];
  }

  claimBox(most) {
    return [h("p", { id: "claim-how" }, texts.claimHow(most)), h("div", { class: "numbers", role: "group", "aria-labelledby": "claim-how" },
      Array.from({ length: most + 1 }, (_, i) => most - i).map((tricks) => h("button", { "data-key": `claim-${tricks}`, onclick: () => this.claim(tricks) }, tricks === most ? `${texts.claimAll} ${tricks}` : String(tricks))))];
  }

  inviteBox(others) {
    const link = (key) => `${location.origin}/table/${this.name}${key ? `#${key}` : ""}`;
    const row = (label, key) => h("li", {}, h("span", {}, label), h("input", { readonly: true, value: link(key), "aria-label": label, onfocus: (event) => event.target.select() }),
      h("button", { onclick: async (event) => { const target = event.target; await navigator.clipboard?.writeText(link(key)); target.textContent = texts.copied; } }, texts.copy));
    return [h("p", {}, texts.inviteLead), h("ul", { class: "links" }, others.map(([seat, key]) => row(texts.seats[seat], key)), row(texts.watchLink, ""))];
  }
}

export async function show(main, name) {
  globalThis.borelTable = new Table(main, name);
  byId("main").focus({ preventScroll: true });
}
