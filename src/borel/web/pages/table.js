// A table: shows the views that the server sends, one after the other at a pace that eyes can follow, and sends clicks.
import { callName, cardBack, cardFace, handText, nameOf, rich } from "./cards.js";
import { auctionTable, biddingBox, meaningBox } from "./auction.js";
import { bar, byId, h, kept, redraw, say, signed } from "./dom.js";
import { Keys } from "./keys.js";
import { remember } from "./lobby.js";
import { sorry } from "./main.js";
import { claimPanel, panelBox } from "./panels.js";
import { resultPanel } from "./result.js";
import { Line } from "./socket.js";
import { texts } from "./texts.js";

const ROUND = ["S", "W", "N", "E"];
const PLACES = ["south", "west", "north", "east"];
const PACES = { calm: { step: 420, trick: 1100 }, brisk: { step: 160, trick: 500 }, instant: { step: 0, trick: 0 } };

class Table {
  constructor(main, name) {
    this.main = main; this.name = name;
    this.views = []; this.view = null; this.chosen = null; this.panel = null; this.trickHeld = null; this.sent = false; this.sampled = new Map();
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
    if (state === "gone") {
      kept.set("tables", kept.get("tables", []).filter((each) => each.table !== this.name));
      this.typing.close();
      sorry(texts.gone, false);
      return;
    }
    this.banner.hidden = state !== "lost";
    this.banner.textContent = state === "lost" ? texts.disconnected : "";
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
    if (before && before.board?.number !== view.board?.number) { this.panel = null; this.chosen = null; this.sampled.clear(); }
    if (before?.phase !== view.phase && view.phase === "over") { this.panel = null; this.chosen = null; }
    if (before && before.phase !== view.phase) scrollTo({ top: 0 }); // on a phone the felt is above what was tapped
    this.sent = false;
    if (!before) this.inviteFirst();
    this.announce(before, view);
    if (view.mode === "bid" && view.phase === "over" && view.you && view.result.ready && this.priced !== view.board.number) { this.priced = view.board.number; setTimeout(() => this.price(), 0); }
    this.draw();
    const moved = !before || before.version === view.version ? 0 : completed ? this.pace.trick : this.pace.step;
    this.timer = setTimeout(() => { this.trickHeld = null; if (this.views.length) this.advance(); else { this.timer = null; if (completed) this.draw(); } }, moved);
  }

  // Whoever has opened a table for friends needs their links first of all.
  inviteFirst() {
    const others = this.others().filter(([seat]) => !this.view.seats[seat].here);
    if (this.view.you && others.length) this.panel = { kind: "invite", others };
  }

  others() { return Object.entries(this.keys).filter(([seat]) => seat !== "given" && seat !== this.view.you); }

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
    this.sent = true; this.chosen = null;
    this.draw();
    if (this.panel?.kind === "hint") this.panel = null;
    try { await this.line.send({ do: "act", choice, version: this.view.version }); } catch (error) { this.sent = false; this.tell(error); }
  }

  tell(error) { this.put({ kind: "text", text: error.message, wrong: true }); }
  put(panel) {
    this.panel = panel;
    this.draw();
    this.main.querySelector(".told-panel")?.scrollIntoView({ block: "nearest" });
  }

  async send(message, waiting) {
    const shown = waiting ? bar(message.do, waiting) : null;
    if (shown) this.put({ kind: "waiting", element: shown.element });
    try {
      const answer = await this.line.send(message);
      shown?.done();
      return answer;
    } catch (error) { this.tell(error); return null; }
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
    if (this.panel?.kind === "waiting") this.put(null);
  }

  // Tap a call: what it says by the rules at once, what hands make it a moment later.
  async choose(index) {
    this.chosen = index;
    this.draw();
    if (index === null) return;
    const key = this.view.auction.slice(0, index + 1).map((entry) => entry.call).join(" ");
    if (!this.sampled.has(key)) {
      this.sampled.set(key, null);
      try { this.sampled.set(key, (await this.line.send({ do: "meaning", position: index })).sampled); } catch { this.sampled.delete(key); }
      this.draw();
    }
  }

  meaning() {
    const key = this.chosen === null ? "" : this.view.auction.slice(0, this.chosen + 1).map((entry) => entry.call).join(" ");
    return meaningBox(this.view, this.chosen, this.sampled.get(key));
  }

  // Bidding practice prices every auction by itself, and nothing on the page moves for it.
  async price() {
    const shown = bar("analyse", texts.analysing), board = this.view.board.number;
    this.panel = { kind: "waiting", element: shown.element };
    this.draw();
    try {
      const answer = await this.line.send({ do: "analyse" });
      shown.done();
      if (this.view.phase === "over" && this.view.board.number === board) { this.panel = { kind: "review", review: answer.review }; this.draw(); }
    } catch (error) { this.panel = { kind: "text", text: error.message, wrong: true }; this.draw(); }
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
      h("strong", { class: "contract" }, rich(contract.symbol), ` ${texts.by} ${texts.seats[contract.declarer]}`),
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
    if (view.phase === "auction") return h("div", { class: "centre" }, this.auctionBlock(), this.panelOnFelt ? panelBox(this) : null);
    const cards = this.trickHeld ? this.trickHeld.cards : view.trick;
    return h("div", { class: "centre trick", "aria-label": texts.trick, role: "group" }, cards.map((played) =>
      h("span", { class: `card at-${this.place(played.seat)}${this.trickHeld?.winner === played.seat ? " winner" : ""}`, role: "img", "aria-label": `${texts.seats[played.seat]}: ${nameOf(played.card)}` }, cardFace(played.card))));
  }

  lastTrick(trick) {
    return [h("ol", { class: "last-cards" }, trick.cards.map((played) => h("li", { class: played.seat === trick.winner ? "winner" : null },
      h("span", { class: "card", role: "img", "aria-label": `${texts.seats[played.seat]}: ${nameOf(played.card)}` }, cardFace(played.card)), h("span", { "aria-hidden": "true" }, played.seat)))), h("p", { class: "note" }, texts.wonBy(texts.seats[trick.winner]))];
  }

  centreResult() {
    const result = this.view.result;
    if (!result.ready) return h("p", {}, texts.waitingResult);
    return h("div", { class: "headline" }, h("strong", {}, rich(result.text)), h("span", { class: "big-score" }, signed(result.score)));
  }

  auctionBlock() {
    return [auctionTable(this.view, this.chosen, (index) => this.choose(index)), this.meaning()];
  }

  // During the auction a wide felt has room below the calls: the bidding box then stays where it is.
  get panelOnFelt() { return this.view.phase === "auction" && matchMedia("(min-width: 900px) and (min-height: 640px)").matches; }

  status() {
    const view = this.view;
    if (view.phase === "over" || !view.turn || view.claim) return null;
    const who = view.seats[view.turn];
    const text = !view.you ? texts.watching : view.yourTurn ? texts.yourTurn : who.person ? texts.waitFor(who.name) : texts.turnOf(texts.seats[view.turn]);
    return h("p", { class: `status${view.yourTurn ? " mine" : ""}` }, text);
  }

  actions() {
    const { legal, canUndo, you, yourTurn, auction } = this.view;
    if (!you) return null;
    const button = (key, text, onclick, disabled) => h("button", { "data-key": key, onclick, disabled }, text);
    const others = this.others();
    return h("div", { class: "actions" }, button("hint", texts.hint, () => this.hint(), !yourTurn), button("undo", texts.takeBack, () => this.undo(), !canUndo),
      legal.claim ? button("claim", texts.claim, () => this.put({ kind: "claim", most: legal.claim })) : null,
      button("said", texts.said, () => this.explain(), !auction.length),
      others.length ? button("invite", texts.invite, () => this.put({ kind: "invite", others })) : null);
  }

  sidePanel() {
    const view = this.view;
    const parts = [];
    if (view.trial && !view.trial.partners) parts.push(h("p", { class: "note" }, `${texts.trialProgress(view.trial.done, view.trial.of)}. ${texts.trialGuess}`));
    if (view.note) parts.push(h("p", { class: "note", role: "status" }, texts.notes[view.note.kind](view.note.by ? view.seats[view.note.by].name : "")));
    if (view.phase === "over") parts.push(resultPanel(this));
    else parts.push(this.status());
    if (view.claim) parts.push(claimPanel(this));
    if (view.phase === "auction" && view.you) parts.push(biddingBox(this.live ? view.legal.calls : [], (call) => this.act(call), view.auction));
    if (view.phase !== "over") parts.push(this.actions());
    if (!this.panelOnFelt) parts.push(panelBox(this));
    if (view.phase === "play") {
      parts.push(h("details", { class: "panel", open: matchMedia("(min-width: 900px)").matches }, h("summary", {}, texts.auction), this.auctionBlock()));
      if (view.lastTrick) parts.push(h("details", { class: "panel last", open: this.lastOpen, ontoggle: (event) => { this.lastOpen = event.target.open; } }, h("summary", {}, texts.lastTrick), this.lastTrick(view.lastTrick)));
    }
    return parts;
  }
}

export async function show(main, name) {
  globalThis.borelTable = new Table(main, name);
  byId("main").focus({ preventScroll: true });
}
