// What a finished board says: the score, what it is compared with, what it cost and why.
import { callText, rich } from "./cards.js";
import { auctionTable, meaningBox } from "./auction.js";
import { h, signed } from "./dom.js";
import { texts } from "./texts.js";

const STRAINS = ["NT", "S", "H", "D", "C"];

function comparison(result, total) {
  const row = (label, text, score, gain, against) => h("tr", {}, h("th", { scope: "row" }, label, h("small", {}, rich(text))), h("td", { class: "number" }, signed(score)),
    h("td", { class: `number ${gain > 0 ? "good" : gain < 0 ? "bad" : ""}` }, gain === null ? "" : `${signed(gain)} ${texts.imps}`, h("span", { class: "unseen" }, against)));
  return h("table", { class: "comparison" }, h("caption", { class: "unseen" }, texts.over), h("tbody", {},
    row(texts.score, result.text, result.score, null, ""),
    row(texts.other, result.otherText, result.other, result.againstBots, texts.againstBots),
    row(texts.par, result.parText, result.par, result.againstPar, texts.againstPar)),
    h("tfoot", {}, h("tr", {}, h("th", { scope: "row" }, texts.total(total.boards)), h("td", { class: "number" }, total.matchpoints && total.percent !== null ? `${total.percent}${texts.percent}` : ""),
      h("td", { class: "number" }, `${signed(total.againstBots)} / ${signed(total.againstPar)} ${texts.imps}`))));
}

const symbols = (text) => text.replace(/\b(\d)([SHDC])(?=X*\b)/g, (_, level, suit) => level + "♠♥♦♣"["SHDC".indexOf(suit)]);

function doubleDummy(tricks) {
  return h("table", { class: "double-dummy" }, h("caption", {}, texts.ddTable),
    h("thead", {}, h("tr", {}, h("td", {}), ["N", "S", "E", "W"].map((seat) => h("th", { scope: "col" }, seat)))),
    h("tbody", {}, STRAINS.map((strain) => h("tr", {}, h("th", { scope: "row" }, strain === "NT" ? "NT" : rich("♠♥♦♣"["SHDC".indexOf(strain)])), ["N", "S", "E", "W"].map((seat) => h("td", {}, String(tricks[strain][seat])))))));
}

export function costs(review) {
  const calls = review.calls.filter((call) => call.cost > 0.05).map((call) => ({ cost: call.cost, seat: call.seat, what: callText(call.call), better: call.better, why: call.why, text: texts.imp(call.cost) }));
  const cards = review.cards.map((card) => ({ cost: card.cost, seat: card.seat, what: card.card, better: card.better, why: card.why, text: `${texts.trickCost(card.tricks)}, ${texts.imp(card.cost)}` }));
  return [...calls, ...cards].sort((a, b) => b.cost - a.cost);
}

function costList(review) {
  if (review.void) return h("p", {}, review.void);
  const list = costs(review);
  if (!list.length) return h("p", {}, texts.costless);
  const card = (what) => (typeof what === "string" ? rich("♠♥♦♣"["SHDC".indexOf(what[0])] + what[1]) : what);
  return h("ol", { class: "costs" }, list.map((each) => h("li", {}, h("strong", {}, texts.seats[each.seat], " ", card(each.what)), h("span", { class: "bad" }, ` ${each.text}`), each.better ? [" · ", rich(symbols(texts.instead(each.better)))] : "", h("p", {}, rich(each.why)))));
}

export function resultPanel(table) {
  const { view, panel } = table, result = view.result;
  const button = (key, text, message, primary) => h("button", { "data-key": key, class: primary ? "primary" : null, onclick: () => table.send(message) }, text);
  const parts = [h("h2", { class: "unseen" }, texts.over)];
  if (result.ready) parts.push(comparison(result, view.total)); else parts.push(h("p", {}, texts.waitingResult));
  if (!view.board.counts) parts.push(h("p", { class: "note" }, texts.notCounted));
  if (view.trial?.partners) parts.push(h("div", { class: "panel" }, h("h3", {}, texts.trialOver), h("ul", {}, view.trial.partners.map((partner) => h("li", {}, texts.trialLine(partner))))));
  if (view.you) parts.push(h("div", { class: "actions" }, button("next", texts.next, { do: "next" }, true), button("again", texts.again, { do: "again" }),
    h("button", { "data-key": "analyse", onclick: () => table.analyse() }, texts.analyse), h("a", { class: "button", href: `/api/tables/${table.name}/file.pbn`, download: "board.pbn" }, texts.download)));
  if (panel?.kind === "review") parts.push(h("section", { class: "panel" }, h("h3", {}, texts.costs), costList(panel.review)));
  parts.push(h("details", { class: "panel", open: view.mode === "bid" }, h("summary", {}, texts.auction), auctionTable(view, table.chosen, (index) => { table.chosen = index; table.draw(); }), meaningBox(view, table.chosen)));
  if (result.ready) parts.push(h("details", { class: "panel", open: view.mode === "bid" }, h("summary", {}, texts.ddTable), doubleDummy(result.tricks)));
  parts.push(h("details", { class: "panel" }, h("summary", {}, texts.why), h("ol", { class: "log" }, result.log.map((each) => h("li", {}, h("strong", {}, texts.seats[each.seat], " ", rich(each.symbol)), each.person ? "" : [": ", rich(each.why)])))));
  return parts;
}
