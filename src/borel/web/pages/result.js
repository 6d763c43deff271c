// What a finished board says: the score, what it is compared with, what it cost and why.
import { callText, rich, symbols } from "./cards.js";
import { auctionTable } from "./auction.js";
import { h, s, signed } from "./dom.js";
import { texts } from "./texts.js";

const STRAINS = ["NT", "S", "H", "D", "C"];

function comparison(result, total) {
  const row = (label, text, score, gain, against) => h("tr", {}, h("th", { scope: "row" }, label, h("small", {}, rich(text))), h("td", { class: "number" }, signed(score)),
    h("td", { class: `number ${gain > 0 ? "good" : gain < 0 ? "bad" : ""}` }, gain === null ? "" : `${signed(gain)} ${texts.imps}`, h("span", { class: "unseen" }, against)));
  return h("table", { class: "comparison" }, h("caption", { class: "unseen" }, texts.over), h("tbody", {},
    row(texts.score, result.text, result.score, null, ""),
    row(texts.other, result.otherText, result.other, result.againstBots, texts.againstBots),
    row(texts.par, result.parText, result.par, result.againstPar, texts.againstPar)),
    h("tfoot", {}, totalRow(total, texts.againstBots, total.againstBots), totalRow(total, texts.againstPar, total.againstPar)));
}

function totalRow(total, against, sum) {
  const bots = against === texts.againstBots;
  return h("tr", {}, h("th", { scope: "row" }, bots ? texts.total(total.boards) : "", h("small", {}, against)), h("td", { class: "number" }, bots && total.matchpoints && total.percent !== null ? `${total.percent}${texts.percent}` : ""),
    h("td", { class: `number ${sum > 0 ? "good" : sum < 0 ? "bad" : ""}` }, `${signed(sum)} ${texts.imps}`));
}

// The session so far: a bar a board, up what was won and down what was lost.
function sessionPlot(rows) {
  if (rows.length < 2) return null;
  const most = Math.max(6, ...rows.map((row) => Math.abs(row.againstBots))), width = Math.min(26, 320 / rows.length), wide = 320;
  return h("figure", { class: "session" }, h("figcaption", { class: "note" }, texts.session), s("svg", { viewBox: `0 0 ${wide} 84`, role: "img", "aria-label": rows.map(texts.sessionBoard).join(", ") },
    s("line", { x1: 0, x2: wide, y1: 42, y2: 42 }),
    rows.map((row, i) => { const tall = (38 * Math.abs(row.againstBots)) / most; return s("rect", { class: row.againstBots < 0 ? "lost" : "won", x: i * width + 1.5, width: width - 3, y: row.againstBots < 0 ? 42 : 42 - tall, height: Math.max(1, tall) }); })));
}

function doubleDummy(tricks) {
  return h("table", { class: "double-dummy" }, h("caption", {}, texts.ddTable),
    h("thead", {}, h("tr", {}, h("td", {}), ["N", "S", "E", "W"].map((seat) => h("th", { scope: "col" }, seat)))),
    h("tbody", {}, STRAINS.map((strain) => h("tr", {}, h("th", { scope: "row" }, strain === "NT" ? "NT" : rich("♠♥♦♣"["SHDC".indexOf(strain)])), ["N", "S", "E", "W"].map((seat) => h("td", {}, String(tricks[strain][seat])))))));
}

export function costs(review) {
  const calls = review.calls.filter((call) => call.cost > 0.05).map((call) => ({ cost: call.cost, seat: call.seat, what: callText(call.call), better: call.better, why: call.why, text: texts.imp(call.cost) }));
  const cards = review.cards.map((card) => ({ cost: card.cost, seat: card.seat, what: card.card, better: card.better === card.card ? "" : card.better, alike: card.better === card.card, why: card.why, text: `${texts.trickCost(card.tricks)}, ${texts.imp(card.cost)}` }));
  return [...calls, ...cards].sort((a, b) => b.cost - a.cost);
}

function costList(review) {
  if (review.void) return h("p", {}, review.void);
  const list = costs(review);
  if (!list.length) return h("p", {}, texts.costless);
  const card = (what) => (typeof what === "string" ? rich(symbols(what)) : what);
  return h("ol", { class: "costs" }, list.map((each) => h("li", {}, h("strong", {}, texts.seats[each.seat], " ", card(each.what)), h("span", { class: "bad" }, ` ${each.text}`), each.better ? [" · ", rich(texts.instead(symbols(each.better)))] : each.alike ? ` · ${texts.alike}` : "", h("p", {}, rich(symbols(each.why))))));
}

// In bidding practice: the best contract at once, and what each call showed.
function verdict(view) {
  return h("section", { class: "panel verdict" }, h("h3", {}, texts.verdict), h("p", {}, h("strong", {}, rich(view.result.best ? texts.bestContract(view.result.best) : texts.noContract)), h("br", {}), rich(texts.parIs(view.result.parText))),
    h("h4", {}, texts.calledSo), h("ul", { class: "called" }, view.auction.filter((entry) => entry.call !== "P" || entry.text).map((entry) => h("li", {}, h("strong", {}, texts.seats[entry.seat], " ", callText(entry.call)), " ", rich(entry.text || texts.noMeaning)))));
}

function trialPanel(partners) {
  return h("section", { class: "panel trial", role: "status" }, h("h3", {}, texts.trialOver), h("p", {}, texts.trialTold), h("dl", {}, partners.map((partner) => [
    h("dt", {}, texts.strengths[partner.strength] ?? partner.title), h("dd", {}, h("strong", {}, texts.trialScore(partner)), h("br", {}), texts.trialBoardsPlayed(partner.boards))])));
}

export function resultPanel(table) {
  const { view, panel } = table, result = view.result;
  const button = (key, text, message, primary) => h("button", { "data-key": key, class: primary ? "primary" : null, onclick: () => table.send(message) }, text);
  const parts = [h("h2", { class: "unseen" }, texts.over)];
  if (view.trial?.partners) parts.push(trialPanel(view.trial.partners));
  if (result.ready) parts.push(comparison(result, view.total)); else parts.push(h("p", {}, texts.waitingResult));
  if (!view.board.counts) parts.push(h("p", { class: "note" }, texts.notCounted));
  if (view.you) parts.push(h("div", { class: "actions" }, button("next", texts.next, { do: "next" }, true), button("again", texts.again, { do: "again" }),
    view.mode === "bid" ? null : h("button", { "data-key": "analyse", onclick: () => table.analyse() }, texts.analyse), h("a", { class: "button", href: `/api/tables/${table.name}/file.pbn`, download: "board.pbn" }, texts.download)));
  if (result.ready && view.mode === "bid") parts.push(verdict(view));
  if (view.mode !== "bid") parts.push(sessionPlot(view.total.rows));
  if (panel?.kind === "review") parts.push(h("section", { class: "panel" }, h("h3", {}, texts.costs), costList(panel.review)));
  parts.push(h("details", { class: "panel", open: view.mode === "bid" }, h("summary", {}, texts.auction), auctionTable(view, table.chosen, (index) => table.choose(index)), table.meaning()));
  if (result.ready) parts.push(h("details", { class: "panel", open: view.mode === "bid" }, h("summary", {}, texts.ddTable), doubleDummy(result.tricks)));
  parts.push(h("details", { class: "panel" }, h("summary", {}, texts.why), h("ol", { class: "log" }, result.log.map((each) => h("li", {}, h("strong", {}, texts.seats[each.seat], " ", rich(each.symbol)), each.person ? "" : [": ", rich(symbols(each.why))])))));
  return parts.filter(Boolean);
}
